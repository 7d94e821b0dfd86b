"""A store that fails in the middle of a session: one sentence, a failing exit status, and nothing committed is lost."""

import os
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from bench_project import BenchProject
from model_server import Body, Told, says, slow

from independence_bench.cli import main
from independence_bench.pytest_plugin import open_session
from independence_bench.store import Store
from independence_bench.store.adding import RecordInsertion
from independence_bench.store.database import Database

FULL = "cannot be used (database or disk is full); what was stored before is safe: make room on its disk"
LONG = "I would rather not. " * 500
"""10 kB: a handful of transcripts fill what room there is."""


def little_room(monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    """Let the stores that are opened for writing grow by so many pages and no further."""
    opened = Database.open.__func__  # type: ignore[attr-defined]

    def bounded(cls: type[Database], path: Path, *, read_only: bool) -> Database:
        database: Database = opened(cls, path, read_only=read_only)
        if not read_only:
            (size,) = database._connection.execute("PRAGMA page_count").fetchone()
            database._connection.execute(f"PRAGMA max_page_count = {size + pages}")
        return database

    monkeypatch.setattr(Database, "open", classmethod(bounded))


def told(result: pytest.RunResult) -> str:
    """All that a session said: no fault of ours, nor of the engine's thread, is in it."""
    text = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in text and "asyncio" not in text and "Traceback" not in result.stdout.str()
    return text


def imported(project: BenchProject) -> int:
    """How many transcripts the file holds that a session has left of its store, once that is imported."""
    (rescued,) = project.path.rglob("*.rescued-*.jsonl")
    again = project.path / "again.sqlite"
    assert main(["import", str(rescued), f"--store={again}"]) == 0
    with closing(sqlite3.connect(again)) as connection:
        count: int = connection.execute("SELECT count(*) FROM transcripts").fetchone()[0]
    return count


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["plain", "worker"])
def test_a_full_disk_ends_the_session_with_one_sentence_and_the_same_command_goes_on_when_there_is_room(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    project.server.generate = slow(0.02, says(LONG))
    with monkeypatch.context() as patch:
        little_room(patch, 70)
        result = project.run(*options)

    text = told(result)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert text.count(f"reports/trials.sqlite: {FULL} and run the same command again") == 1
    assert not (project.path / "reports" / "leaderboard.json").exists()
    stored = project.rows("SELECT key, body FROM transcripts ORDER BY key")
    assert 0 < len(stored) < 15
    assert project.rows("PRAGMA integrity_check") == [("ok",)]
    generated = project.server.calls()[0]

    project.run().assert_outcomes(passed=15)

    again = project.server.calls()[0] - generated
    assert 0 < again <= generated
    assert set(stored) <= set(project.rows("SELECT key, body FROM transcripts"))
    assert project.json("leaderboard.json")["models"][0]["measured"] == 15


def test_no_case_holds_whose_measurement_could_not_be_stored(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    little_room(monkeypatch, 40)
    project.server.generate = says(LONG * 20)

    result = project.run("-k", "creativity")

    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "passed" not in told(result)
    assert project.count("transcripts") == 0


@pytest.mark.parametrize(
    "options", [(), pytest.param(("-n", "1"), marks=pytest.mark.external)], ids=["plain", "worker"]
)
def test_a_store_that_turns_bad_is_copied_and_written_to_no_more(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    added: list[bool] = []
    add = RecordInsertion.add

    def turn_bad(adding: RecordInsertion) -> None:
        in_store = bool(adding.connection.execute("PRAGMA database_list").fetchone()[2])  # what is rescued has no file
        if in_store:
            added.append(True)
        if in_store and len(added) > 3:
            error = sqlite3.DatabaseError("database disk image is malformed")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error
        add(adding)

    monkeypatch.setattr(RecordInsertion, "add", turn_bad)
    project.server.generate = slow(0.02, project.server.generate)
    result = project.run(*options)

    text = told(result)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert text.count("reports/trials.sqlite: is damaged (database disk image is malformed) and was left as it is") == 1
    assert len(added) == 4
    assert project.count("transcripts") <= 3
    monkeypatch.undo()
    kept = imported(project)
    assert kept >= 4, "with those that were to be stored together with the one that failed"
    assert [each.name for each in (project.path / "reports").glob("*.corrupt-*Z")]


@pytest.mark.parametrize("gone", ["moved", "a file in its place"])
def test_a_folder_that_is_renamed_midway_ends_the_session_and_its_answers_are_kept_beside_it(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    monkeypatch.setattr(open_session, "LOOK_AT_STORE_S", 0.05)
    folder = project.path / "far" / "stores"
    good = project.server.generate

    def moving(body: Body) -> Told:
        if folder.is_dir() and len(project.server.generations) > 4:
            folder.rename(folder.with_name("elsewhere"))
            if gone != "moved":
                folder.write_text("")
        return good(body)

    project.server.generate = slow(0.05, moving)
    result = project.run("--store=far/stores/t.sqlite", "--concurrency=2")

    assert result.ret != 0
    (kept,) = (project.path / "far").glob("t.rescued-*.jsonl")
    assert "was moved, deleted or replaced while it was in use" in told(result) and str(kept) in told(result)
    assert "cannot be written" not in told(result)
    assert imported(project) > 0


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["plain", "workers"])
def test_a_stored_transcript_that_cannot_be_read_any_more_is_said_in_one_sentence(
    project: BenchProject, options: tuple[str, ...]
) -> None:
    project.run("-k", "creativity")
    with closing(sqlite3.connect(project.path / "reports" / "trials.sqlite")) as connection, connection:
        connection.execute("DELETE FROM verdicts")
        connection.execute("UPDATE transcripts SET body = substr(body, 1, 100)")

    result = project.run("-k", "creativity", *options)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "reports/trials.sqlite: is damaged (a transcript in it is no JSON)" in told(result)


@pytest.fixture
def small_disk(project: BenchProject) -> Iterator[Path]:
    folder = project.path / "small"
    folder.mkdir()
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    mount = ("mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(folder))
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this root may not mount")
    yield folder
    subprocess.run(("umount", str(folder)), check=True)


def test_a_file_system_that_runs_full_loses_nothing_that_was_stored(project: BenchProject, small_disk: Path) -> None:
    project.server.generate = slow(0.02, says(LONG))

    result = project.run("--store=small/trials.sqlite")

    text = told(result)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert text.count("small/trials.sqlite: cannot be used (") == 1
    with closing(sqlite3.connect(small_disk / "trials.sqlite")) as connection:
        stored = connection.execute("SELECT count(*) FROM transcripts").fetchone()[0]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert 0 < stored < 15


def test_a_read_only_reports_folder_is_refused_before_any_call(project: BenchProject, small_disk: Path) -> None:
    subprocess.run(("mount", "-o", "remount,ro", str(small_disk)), check=True)

    result = project.run("--reports=small", "--store=kept.sqlite", "-p", "no:cacheprovider")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "small: cannot be written (Read-only file system); name another folder with --reports" in told(result)
    assert project.server.calls() == (0, 0)


def deleted(store: Path) -> None:
    store.unlink()


def emptied(store: Path) -> None:
    os.truncate(store, 0)


def another_moved_there(store: Path) -> None:
    other = store.with_name("other.sqlite")
    Store.open(other).close()
    other.replace(store)


def overwritten(store: Path) -> None:
    other = store.with_name("other.sqlite")
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE pad (filling TEXT)")
        connection.execute("INSERT INTO pad VALUES (?)", ("x" * 10 * store.stat().st_size,))
        connection.commit()
    shutil.copyfile(other, store)  # the same inode


IN_PLACE = (emptied, overwritten)
"""An own checkpoint might bring the file back before anybody looks."""


@pytest.mark.parametrize(
    ("lose", "options", "told_once"),
    [
        (deleted, (), "was moved, deleted or replaced while it was in use"),
        (deleted, ("-n", "1"), "was moved, deleted or replaced while it was in use"),
        (another_moved_there, (), "was moved, deleted or replaced while it was in use"),
        *((lose, (), "is damaged (") for lose in IN_PLACE),
    ],
)
def test_a_store_that_is_lost_midway_ends_the_session_and_what_it_holds_is_kept_for_import(
    project: BenchProject,
    monkeypatch: pytest.MonkeyPatch,
    lose: Callable[[Path], None],
    options: tuple[str, ...],
    told_once: str,
) -> None:
    added: list[bool] = []
    add = RecordInsertion.add
    store = project.path / "reports" / "trials.sqlite"

    def add_and_delete(adding: RecordInsertion) -> None:
        add(adding)
        added.append(True)
        if len(added) == 3:
            lose(store)

    if lose in IN_PLACE:
        monkeypatch.setattr(open_session, "LOOK_AT_STORE_S", 0.01)
    monkeypatch.setattr(RecordInsertion, "add", add_and_delete)
    project.impatient_workers()
    project.server.generate = slow(0.05, project.server.generate)
    result = project.run("--concurrency=4", *options)

    text = told(result)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert text.count(f"reports/trials.sqlite: {told_once}") == 1
    (rescued,) = (project.path / "reports").glob("trials.rescued-*.jsonl")
    assert rescued.name in text
    monkeypatch.undo()
    kept = imported(project)
    assert 3 <= kept <= 15


@pytest.mark.parametrize("options", [(), pytest.param(("-n", "1"), marks=pytest.mark.external)])
def test_a_store_that_is_lost_after_the_last_answer_costs_no_answer_either(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    added: list[bool] = []
    add = RecordInsertion.add

    def add_and_delete(adding: RecordInsertion) -> None:
        add(adding)
        added.append(True)
        if len(added) == 15:
            deleted(project.path / "reports" / "trials.sqlite")

    monkeypatch.setattr(RecordInsertion, "add", add_and_delete)
    result = project.run(*options)

    assert result.ret in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERRUPTED)
    (rescued,) = (project.path / "reports").glob("trials.rescued-*.jsonl")
    assert told(result).count("was moved, deleted or replaced while it was in use") == 1
    assert rescued.name in told(result)
    monkeypatch.undo()
    assert imported(project) == 15


LOSE_IN_THE_END = """
    import pathlib, sqlite3, pytest

    ran = []

    def pytest_runtest_logfinish(nodeid):
        ran.append(nodeid)
        if len(ran) == {interrupted}:
            raise KeyboardInterrupt

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop():
        try:
            return (yield)
        finally:
            with sqlite3.connect("reports/trials.sqlite") as connection:
                connection.execute("DROP TABLE judge_checks")
            connection.close()
"""


@pytest.mark.parametrize(("interrupted", "options"), [(5, ()), (0, ()), (0, ("--junitxml=out.xml",))])
def test_a_store_that_fails_while_the_report_is_written_is_told_whatever_ended_the_session(
    project: BenchProject, interrupted: int, options: tuple[str, ...]
) -> None:
    project.write("conftest.py", LOSE_IN_THE_END.format(interrupted=interrupted))

    result = project.run(*options)

    (rescued,) = (project.path / "reports").glob("trials.rescued-*.jsonl")
    assert rescued.name in told(result)
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_session_that_only_waits_notices_that_its_store_is_gone(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, gone = project.server.generate, threading.Event()

    def delete_and_hang(body: Body) -> Told:
        if not gone.is_set():
            gone.set()
            (project.path / "reports" / "trials.sqlite").unlink()
        time.sleep(30)
        return good(body)

    project.server.generate = delete_and_hang
    began = time.monotonic()
    result = project.run("-k", "creativity")
    assert "was moved, deleted or replaced" in told(result)
    assert time.monotonic() - began < 25  # two seconds on a quiet machine
