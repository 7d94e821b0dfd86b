"""The command line as a whole: help, exit statuses, one sentence per fault, and a start that takes no time."""

import argparse
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import fill, measured

import independence_bench.cli
from independence_bench import __version__
from independence_bench.cli import main, show_commands
from independence_bench.cli.parser import parser

pytestmark = pytest.mark.slow

WITHOUT_STORE = ("run", "init", "schema", "roles")
(NAMES,) = [list(action.choices) for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]


def run(*argv: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from independence_bench.cli import main; sys.exit(main())", *argv]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload]


def test_the_version_needs_nothing_heavy():
    program = (
        # What is there already was loaded by whoever measures this process, not by the package.
        "import sys; before = set(sys.modules); from independence_bench.cli import main; main(['--version']);"
        "heavy = {'pydantic', 'sqlite3', 'yaml', 'httpx', 'aiohttp', 'numpy', 'scipy', 'asyncio', 'pytest', 'jinja2'};"
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "[]"


def test_a_command_that_has_only_shown_ends_without_a_last_search_for_garbage(tmp_path):
    program = (  # Python calls first what was registered last.
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0));"
        "from independence_bench.cli import main; main({})"
    )
    show, judge = ["leaderboard", f"--store={tmp_path / 'none.sqlite'}"], ["judge-check", "--judge=x", "--plan"]
    ended = [
        subprocess.run([sys.executable, "-c", program.format(argv)], cwd=tmp_path, capture_output=True, text=True)
        for argv in (show, judge)
    ]
    assert [told.stdout.splitlines()[-1] for told in ended] == ["True", "False"]


def test_help_lists_every_command_and_the_exit_statuses(tell):
    told = tell("--help")
    assert told.status == 0
    assert all(f"\n    {name}" in told.out for name in NAMES)
    assert "exit status:" in told.out
    assert "130" in told.out
    bare = tell()
    assert (bare.status, bare.out) == (2, "")
    assert "\n    leaderboard" in bare.err
    assert tell("--version").out == f"independence-bench {__version__}\n"


@pytest.mark.parametrize("name", [name for name in NAMES if name != "run"])  # its help is pytest's
def test_every_command_explains_itself_with_an_example(tell, name):
    told = tell(name, "--help")
    assert told.status == 0
    assert f"independence-bench {name}" in told.out.partition("example")[2]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_STORE])
def test_every_command_takes_a_store(tell, name):
    arguments = {
        "show": ["m"],
        "judge": ["--judge=offline/lexical"],
        "import": ["x"],
        "merge": ["x"],
        "forget": ["m"],
        "models": [],
    }
    told = tell(name, *arguments.get(name, []), "--store=nowhere/trials.sqlite")
    assert told.status == (0 if name == "models" else 2)


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["show"], "the following arguments are required: MODEL; see `independence-bench show --help`"),
        (["leader"], "argument COMMAND: invalid choice: 'leader' (choose from "),
        (["show", "a\x1b]0;title\x07b", "--store=\x1b[31m.sqlite"], "[31m.sqlite: there is no such store"),
        (["report", "--stor=x"], "unrecognized arguments: --stor=x; see `independence-bench --help`"),
        (
            ["judge", "--judge=j", "--concurrency=0"],
            "argument --concurrency: '0' is not a whole number of at least 1; see",
        ),
    ],
)
def test_a_wrong_command_line_is_one_sentence(tell, argv, sentence):
    told = tell(*argv)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith(f"independence-bench: {sentence}")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("name", ["leaderboard", "report", "export", "status"])
def test_a_missing_store_is_said_and_nothing_is_made(tell, folder, name):
    told = tell(name)
    assert told.status == 2
    assert "reports/trials.sqlite: there is no such store; measure with `independence-bench run`" in told.err
    assert list(folder.iterdir()) == []


def test_a_store_of_another_version_is_refused(tell, store):
    connection = sqlite3.connect(store)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    told = tell("leaderboard")
    assert told.status == 2
    assert "was written by another version of independence-bench" in told.err


def test_ctrl_c_ends_a_command_with_130(tell, monkeypatch):
    monkeypatch.setattr(show_commands, "shown_store", lambda arguments: (_ for _ in ()).throw(KeyboardInterrupt))
    told = tell("leaderboard")
    assert (told.status, told.err) == (130, "independence-bench: interrupted\n")


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (OSError(28, "No space left on device", "x.jsonl"), 1, "x.jsonl: No space left on device"),
        (OSError("strange"), 1, "output: strange"),
        (sqlite3.DatabaseError("malformed"), 1, "the store cannot be used (malformed); check its disk"),
        (PermissionError(13, "Denied", "x"), 2, "x: Denied; check its permissions and those of its folder"),
    ],
)
def test_a_fault_of_the_machine_is_one_sentence(tell, monkeypatch, error, status, sentence):
    monkeypatch.setattr(show_commands, "shown_store", lambda arguments: (_ for _ in ()).throw(error))
    told = tell("leaderboard")
    assert told.status == status
    assert told.err.startswith(f"independence-bench: {sentence}")


def test_a_fault_of_our_own_is_not_hidden(monkeypatch):
    monkeypatch.setattr(show_commands, "shown_store", lambda arguments: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        main(["leaderboard"])


def test_a_reader_that_has_seen_enough_ends_the_command_without_a_word(folder):
    fill(folder / "reports" / "trials.sqlite", *measured("some/model", runs=40))
    program = "import sys; from independence_bench.cli import main; sys.exit(main(['export']))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"format"')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == independence_bench.cli.HUNG_UP


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_under_standard_output_is_one_sentence(store, folder):
    with Path("/dev/full").open("w") as full:
        program = "import sys; from independence_bench.cli import main; sys.exit(main(['export']))"
        told = subprocess.run(
            [sys.executable, "-c", program], stdout=full, stderr=subprocess.PIPE, text=True, cwd=folder
        )
    assert told.returncode == 1
    assert told.stderr == "independence-bench: output: No space left on device\n"


def test_a_terminal_that_knows_no_unicode_gets_plain_signs(store, folder):
    told = run("show", "some/model", "creativity", cwd=folder, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert told.returncode == 0
    assert told.stderr == ""
    assert "some/model | creativity" in told.stdout


def test_the_command_works_without_standard_output(store, folder):
    program = "import sys; sys.stdout = None; from independence_bench.cli import main; sys.exit(main(['report']))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder)
    assert (told.returncode, told.stderr) == (0, "")
    assert (folder / "reports" / "LEADERBOARD.md").exists()
