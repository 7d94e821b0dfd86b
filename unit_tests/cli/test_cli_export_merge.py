"""The commands that move stores: export, import and merge, all of it or nothing."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cli_samples import fill, measured, said, session, trial
from published_export import export_of_cache

from independence_bench.store import Store
from independence_bench.store.exporting import is_export
from independence_bench.store.lock import holder_of, locked
from independence_bench.store.source_kinds import is_store


def rows(path: Path, table: str) -> int:
    with Store.open(path, read_only=True) as store:
        return int(store._database.rows(f"SELECT count(*) FROM {table}")[0][0])


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Export


def test_an_export_goes_to_standard_output_or_into_a_file(tell, store, folder):
    told = tell("export")
    assert (told.status, told.err) == (0, "")
    lines = told.out.splitlines()
    assert json.loads(lines[0])["format"] == "independence-bench export"
    assert json.loads(lines[-1])["counts"]["transcript"] == 4
    assert tell("export", "all.jsonl").out == ""
    assert (folder / "all.jsonl").read_text() == told.out
    assert [path.name for path in folder.iterdir() if path.is_file()] == ["all.jsonl"]


def test_an_export_of_some_models(tell, store):
    lines = tell("export", "--model=some/*,nobody/*", "--model=some/model").err
    assert "nobody/*: reports/trials.sqlite holds no such model" in lines
    told = tell("export", "--model=some/*")
    assert json.loads(told.out.splitlines()[-1])["counts"]["transcript"] == 2


def test_an_export_that_fails_leaves_no_file_and_keeps_the_old_one(tell, store, folder):
    assert tell("export", "all.jsonl").status == 0
    old = (folder / "all.jsonl").read_text()
    with Store.open(store) as opened, opened._database.transaction() as connection:
        connection.execute("UPDATE configurations SET facts = 'é no JSON'")
    told = tell("export", "all.jsonl")
    assert told.status == 2
    assert "reports/trials.sqlite: is damaged (a configuration in it is no JSON)" in told.err
    assert [(path.name, path.read_text()) for path in folder.iterdir() if path.is_file()] == [("all.jsonl", old)]


def test_a_file_that_cannot_be_written_is_said_in_one_sentence(tell, store, folder):
    told = tell("export", "no/such/folder/all.jsonl")
    assert told.status == 2
    assert told.err.startswith("independence-bench: no/such/folder/all.jsonl: cannot be written (No such file")


def test_a_pipe_is_written_to_and_not_replaced(tell, store, folder):
    os.mkfifo(folder / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((folder / "pipe").read_text()))
    reader.start()
    assert tell("export", "pipe").status == 0
    reader.join(10)
    assert read[0] == tell("export").out
    assert (folder / "pipe").is_fifo()


def test_what_is_left_of_a_damaged_store_is_salvaged_and_goes_into_a_new_one_as_the_sentence_says(tell, store, folder):
    before = tell("export").out
    content = store.read_bytes()
    store.write_bytes(content[:16] + bytes(84) + content[100:])
    told = tell("leaderboard")
    assert (told.status, told.err.count("\n")) == (2, 1)
    assert "`independence-bench export --salvage FILE`" in told.err
    told = tell("export", "--salvage", "saved.jsonl")
    assert (told.status, told.out) == (0, "")
    assert told.err == "independence-bench: reports/trials.sqlite: 11 rows could be read\n"
    store.rename(folder / "damaged.sqlite")
    assert tell("import", "saved.jsonl").status == 0
    assert tell("export").out == before


def test_rows_that_salvaging_finds_broken_are_told(tell, store):
    with Store.open(store) as opened, opened._database.transaction() as connection:
        connection.execute("UPDATE configurations SET facts = 'é no JSON' WHERE label = 'some/model'")
    told = tell("export", "--salvage", "--model=other/model")
    assert "rows could be read, 1 found broken and left out" in told.err
    assert json.loads(told.out.splitlines()[-1])["counts"]["transcript"] == 2


# Import and merge


def test_an_export_can_be_imported(tell, store, folder):
    tell("export", "all.jsonl")
    told = tell("import", "all.jsonl", "--store=new/trials.sqlite")
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith(
        "new/trials.sqlite: 4 transcripts, 4 verdicts, 1 session and 2 model configurations new from 1 source; 0 "
    )
    again = tell("import", "all.jsonl", "--store=new/trials.sqlite").out
    assert "nothing new from 1 source; 8 transcripts and verdicts were already there" in again
    assert tell("export", "--store=new/trials.sqlite").out == (folder / "all.jsonl").read_text()


def test_stores_and_exports_are_merged(tell, store, folder):
    fill(folder / "two.sqlite", *measured("third/model"), begun=session("s2", 2.0))
    tell("export", "one.jsonl")
    told = tell("merge", "one.jsonl", "two.sqlite", "--store=all.sqlite")
    assert told.status == 0
    assert "6 transcripts, 6 verdicts, 2 sessions and 3 model configurations new from 2 sources" in told.out
    assert "third/model" in tell("leaderboard", "--store=all.sqlite").out
    assert not (folder / "all.sqlite-wal").exists()


def test_a_merge_says_what_came_second(tell, folder):
    fill(folder / "one.sqlite", trial("m", "creativity", answer="first", at=5.0))
    fill(folder / "two.sqlite", trial("m", "creativity", answer="second", at=9.0))
    told = tell("merge", "one.sqlite", "two.sqlite", "--store=all.sqlite")
    assert "1 transcript gave way to an earlier measurement, and 1 verdict with that." in told.out
    words = said("creativity", "same")
    fill(folder / "three.sqlite", trial("n", "creativity", transcript=words, at=5.0))
    fill(folder / "four.sqlite", trial("n", "creativity", transcript=words, at=5.0, reasoning="other"))
    told = tell("merge", "three.sqlite", "four.sqlite", "--store=rest.sqlite")
    assert "1 verdict gave way to an earlier one of the same judge." in told.out


@pytest.mark.parametrize("command", ["merge", "import"])
def test_a_session_that_names_a_key_variable_comes_in_without_it_and_that_is_said(tell, store, folder, command):
    with Store.open(folder / "theirs.sqlite") as theirs:
        options = {"endpoint": "http://127.0.0.1:1/v1", "endpoint_key_env": "MY_KEY"}
        theirs.begin_session(session("s9").model_copy(update={"options": options}), [])
    told = tell(command, "theirs.sqlite").out
    assert "1 session came in without --endpoint-key-env and --judge-endpoint-key-env" in told
    assert "key" not in tell(command, "theirs.sqlite").out


def test_a_store_that_stands_among_its_own_sources_is_passed_over(tell, store, folder):
    fill(folder / "reports" / "shard.sqlite", *measured("third/model"))
    told = tell("merge", "reports/trials.sqlite", "reports/shard.sqlite")
    assert told.status == 0
    assert "from 1 source;" in told.out
    assert "reports/trials.sqlite was also among the sources and was skipped." in told.out
    assert rows(store, "transcripts") == 6


@pytest.mark.parametrize("existing", [False, True])
def test_a_broken_source_is_refused_and_nothing_is_written(tell, store, folder, existing):
    tell("export", "good.jsonl")
    (folder / "cut.jsonl").write_text((folder / "good.jsonl").read_text()[:-100])
    if existing:
        fill(folder / "to" / "all.sqlite", *measured("third/model"))
    before = files(folder)
    told = tell("merge", "good.jsonl", "cut.jsonl", "--store=to/all.sqlite")
    assert told.status == 2
    assert "cut.jsonl: " in told.err
    assert "export the store again" in told.err
    assert files(folder) == before
    assert (folder / "to").exists() == existing


def test_a_merge_that_fails_midway_leaves_no_store_behind(tell, store, folder):
    with Store.open(store) as opened, opened._database.transaction() as connection:
        connection.execute("UPDATE verdicts SET judge = CAST(x'ff' AS TEXT)")
    told = tell("merge", store, "--store=to/all.sqlite")
    assert told.status == 2
    assert "trials.sqlite: is damaged (Could not decode to UTF-8" in told.err
    assert not (folder / "to" / "all.sqlite").exists()


@pytest.mark.parametrize("command", ["import", "merge"])
@pytest.mark.parametrize(
    "statement",
    [
        'ALTER TABLE verdicts ADD COLUMN "scores) VALUES (1) ON CONFLICT (key) DO UPDATE SET reasoning = 1 --" TEXT',
        "ALTER TABLE verdicts ADD COLUMN mine TEXT",
        "CREATE TRIGGER mine AFTER INSERT ON verdicts BEGIN DELETE FROM verdicts; END",
    ],
)
def test_a_store_whose_tables_are_not_laid_out_as_ours_is_refused_and_changes_nothing(
    tell, store, folder, command, statement
):
    fill(folder / "theirs.sqlite", *measured("third/model"))
    with Store.open(folder / "theirs.sqlite") as theirs, theirs._database.transaction() as connection:
        connection.execute(statement)
    before = files(folder)
    told = tell(command, "theirs.sqlite")
    assert (told.status, told.out) == (2, "")
    assert "theirs.sqlite: " in told.err
    assert files(folder) == before
    tell("export", "--salvage", "rescued.jsonl", "--store=theirs.sqlite")
    assert tell(command, "rescued.jsonl").status == 0


@pytest.mark.parametrize(
    ("name", "content", "trouble"),
    [
        ("notes.txt", b"some notes", "is neither a store nor an export"),
        ("empty", b"", "is neither a store nor an export"),
        (".", None, "is neither a store nor an export"),
        ("other.sqlite", b"SQLite format 3\0", "is damaged (file is not a database)"),
        ("missing", None, "cannot be read (No such file or directory); check the path"),
    ],
)
def test_what_is_no_source_is_refused(tell, folder, name, content, trouble):
    if content is not None:
        (folder / name).write_bytes(content)
    for command in ("import", "merge"):
        told = tell(command, name)
        assert told.status == 2
        assert told.err.startswith(f"independence-bench: {name}: ")
        assert trouble in told.err
    assert not (folder / "reports").exists()


def test_a_target_that_is_no_store_is_refused_and_kept(tell, store, folder):
    (folder / "notes.txt").write_text("some notes")
    told = tell("merge", store, "--store=notes.txt")
    assert told.status == 2
    assert "is not an SQLite file" in told.err
    assert (folder / "notes.txt").read_text() == "some notes"


@pytest.mark.parametrize("command", ["import", "merge"])
def test_a_store_that_a_session_is_writing_is_left_alone(tell, store, folder, command):
    tell("export", "all.jsonl")
    before = store.read_bytes()
    with locked(Path("reports/trials.sqlite"), "a session"):
        told = tell(command, "all.jsonl")
    assert told.status == 2
    assert told.err.startswith(f"independence-bench: reports/trials.sqlite: in use by a session (pid {os.getpid()} on ")
    assert store.read_bytes() == before
    assert tell(command, "all.jsonl").status == 0
    assert holder_of(store) is None


def test_a_new_store_is_locked_too(tell, store, folder):
    with locked(folder / "new.sqlite", "a session"):
        assert tell("merge", store, "--store=new.sqlite").status == 2


@pytest.mark.slow
def test_two_merges_at_once_do_not_mix(store, folder):
    """Real processes: whoever comes second is refused or finds the store whole."""
    argv = ["merge", "reports/trials.sqlite", "--store=all.sqlite"]
    program = f"import sys; from independence_bench.cli import main; sys.exit(main({argv}))"
    running = [
        subprocess.Popen([sys.executable, "-c", program], cwd=folder, stderr=subprocess.DEVNULL) for _ in range(3)
    ]
    statuses = [process.wait(60) for process in running]
    assert 0 in statuses
    assert set(statuses) <= {0, 2}
    assert rows(folder / "all.sqlite", "transcripts") == 4
    assert holder_of(folder / "all.sqlite") is None


# Sources


@pytest.mark.external
def test_a_published_cache_is_imported_as_an_export_that_its_program_writes(tell, folder):
    sample = Path(__file__).resolve().parents[3] / "shared" / "published_cache_sample"
    if not sample.is_dir():
        pytest.skip("the sample of the published cache is not beside the project")
    export, summary = export_of_cache(sample)
    (folder / "cache.jsonl").write_bytes(export)
    assert "451 trials, 451 of them judged" in summary
    assert "reports/trials.sqlite: 451 transcripts, 451 verdicts," in tell("import", "cache.jsonl").out
    assert "nothing new from 1 source" in tell("import", "cache.jsonl").out
    assert tell("leaderboard").status == 0
    told = tell("judge", "--judge=offline/lexical", "*claude-3.5-haiku*")
    assert told.status == 0
    assert not told.out.startswith("0 verdicts")


def test_a_source_is_known_by_what_it_holds_and_not_by_its_name(tell, store, folder):
    tell("export", "export.sqlite")
    store.rename(folder / "store.jsonl")
    assert is_export(folder / "export.sqlite")
    assert is_store(folder / "store.jsonl")
    assert tell("merge", "export.sqlite", "store.jsonl", "--store=all.sqlite").status == 0


@pytest.mark.parametrize("there", ["reports/trials.sqlite", "notes.txt"])
def test_an_export_replaces_an_export_and_nothing_else(tell, store, folder, there):
    (folder / "notes.txt").write_text("mine\n")
    before = (folder / there).read_bytes()

    told = tell("export", there)

    assert (told.status, (folder / there).read_bytes()) == (2, before)
    assert told.err.endswith("is there already and is no export, so it is not replaced; name another file\n")
    assert [tell("export", "all.jsonl").status for _ in range(2)] == [0, 0]
