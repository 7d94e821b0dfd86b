"""Opening a store: what is made, what is refused, and that reading leaves nothing behind."""

import dataclasses
import multiprocessing
import os
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from store_samples import record, session, transcript

from independence_bench.bad_input import BadInput
from independence_bench.store import Store, database, schema
from independence_bench.store.database import Database
from independence_bench.store.schema import number_of
from independence_bench.store.store_tables import LOOKS


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "trials.sqlite"


def test_a_missing_store_is_made_with_its_folders(tmp_path):
    path = tmp_path / "a" / "b" / "trials.sqlite"
    with Store.open(path) as store:
        assert store.path == path
    connection = sqlite3.connect(path)
    assert number_of(connection, "user_version") == schema.SCHEMA
    assert number_of(connection, "application_id") == schema.APPLICATION_ID
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_file_name_may_hold_any_character(tmp_path):
    path = tmp_path / "a b?c#d%20é.sqlite"
    Store.open(path).close()
    assert files(tmp_path) == {path.name}


def test_an_empty_file_becomes_a_store(path):
    path.touch()
    with Store.open(path) as store:
        store.add_all([record(said=transcript())], "s1")
        assert list(store.transcripts(["t1"])) == ["t1"]


def test_reading_a_missing_store_names_the_remedy_and_makes_no_file(path):
    with pytest.raises(
        BadInput, match=r"trials\.sqlite: there is no such store; measure with `independence-bench run`"
    ):
        Store.open(path, read_only=True)
    assert files(path.parent) == set()


def test_reading_leaves_nothing_beside_the_store_and_cannot_write(path):
    with Store.open(path) as store:
        store.begin_session(session(), [])
    before = path.read_bytes()
    with Store.open(path, read_only=True) as store:
        assert store.newest_session() == session()
        with pytest.raises(BadInput, match="readonly"):
            store.end_session("s1", 2.0)
    assert files(path.parent) == {path.name}
    assert path.read_bytes() == before


def test_a_reader_sees_what_a_writer_has_stored_so_far(path):
    with Store.open(path) as writer, Store.open(path, read_only=True) as reader:
        writer.add_all([record(said=transcript())], "s1")
        assert list(reader.transcripts(["t1"])) == ["t1"]


def test_a_store_can_be_read_where_its_log_cannot_be_made(path):
    Store.open(path).close()
    (path.parent / "trials.sqlite-shm").symlink_to("nowhere")  # never followed: as in a write-protected folder
    with Store.open(path, read_only=True) as store:
        assert store.newest_session() is None


class WriteProtected(sqlite3.Connection):
    """Says what SQLite says of a file in a folder that only others may write in."""

    def execute(self, statement: str, values: object = ()) -> sqlite3.Cursor:
        if statement.startswith("SELECT"):
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorcode = 8 | 6 << 8  # SQLITE_READONLY_DIRECTORY
            raise error
        return super().execute(statement, values)  # type: ignore[arg-type]


def test_a_store_can_be_read_where_only_others_may_write(path, monkeypatch):
    Store.open(path).close()
    connect = sqlite3.connect

    def connected(address: str, **options: object) -> sqlite3.Connection:
        factory = sqlite3.Connection if "immutable" in address else WriteProtected
        return connect(address, **options, factory=factory)  # type: ignore[call-overload]

    monkeypatch.setattr(sqlite3, "connect", connected)
    with Store.open(path, read_only=True) as store:
        assert store.newest_session() is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_store_can_be_read_in_a_write_protected_folder(path):
    Store.open(path).close()
    path.parent.chmod(0o555)
    try:
        with Store.open(path, read_only=True) as store:
            assert store.newest_session() is None
    finally:
        path.parent.chmod(0o755)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_folder_that_may_not_be_entered_is_said_with_what_to_check(path, monkeypatch, read_only):
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(
        BadInput, match=r"trials\.sqlite: cannot be opened \(Permission denied\); check the permissions"
    ):
        Store.open(path, read_only=read_only)


def test_an_unfinished_log_that_cannot_be_read_is_not_passed_over(path):
    writer = Store.open(path)
    writer.begin_session(session(), [])
    copy = path.parent / "copy"
    copy.mkdir()
    for name in ("trials.sqlite", "trials.sqlite-wal"):
        (copy / name).write_bytes((path.parent / name).read_bytes())
    writer.close()
    (copy / "trials.sqlite-shm").symlink_to("nowhere")
    with pytest.raises(BadInput, match="write-ahead log"):
        Store.open(copy / "trials.sqlite", read_only=True)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_is_no_sqlite_is_refused_and_left_alone(path, read_only):
    path.write_text("model,score\n" * 200)
    with pytest.raises(BadInput, match="is not an SQLite file; name another with --store"):
        Store.open(path, read_only=read_only)
    assert path.read_text().startswith("model,score")


@pytest.mark.parametrize("read_only", [False, True])
def test_an_sqlite_file_of_somebody_else_is_refused_and_left_alone(path, read_only):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BadInput, match="not a store of independence-bench"):
        Store.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_a_path_that_leads_nowhere_is_said_in_one_sentence(path):
    path.symlink_to("no/such/folder/trials.sqlite")
    with pytest.raises(BadInput, match=r"trials\.sqlite: cannot be opened .*name another with --store"):
        Store.open(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_write_protected_store_is_said_before_anything_is_asked(path):
    Store.open(path).close()
    path.chmod(0o444)
    with pytest.raises(BadInput, match="cannot be written"):
        Store.open(path)
    Store.open(path, read_only=True).close()


def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(BadInput, match="is a folder"):
        Store.open(tmp_path)


def test_a_folder_that_cannot_be_made_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="its folder cannot be made"):
        Store.open(tmp_path / "file" / "deeper" / "trials.sqlite")


def test_a_store_that_another_process_keeps_locked_is_said_in_one_sentence(path, monkeypatch):
    monkeypatch.setattr(database, "BUSY_S", 0.05)
    path.touch()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(BadInput, match=r"trials\.sqlite: cannot be .*locked"):
        Store.open(path)
    with pytest.raises(BadInput, match=r"trials\.sqlite: cannot be opened .*locked"):
        Store.open(path, read_only=True)
    other.close()


def test_two_that_make_the_same_store_at_once_both_get_it(path):
    gate = threading.Barrier(4)
    troubles: list[BaseException] = []

    def make() -> None:
        gate.wait()
        try:
            Store.open(path).close()
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []


def test_a_failed_creation_leaves_no_half_store(path, monkeypatch):
    monkeypatch.setattr(schema, "TABLES", (*schema.TABLES, dataclasses.replace(LOOKS, name="broken;")))
    with pytest.raises(BadInput):
        Store.open(path)
    monkeypatch.undo()
    with Store.open(path) as store:
        assert store.newest_session() is None


def test_closing_twice_is_harmless_and_folds_the_log_into_the_file(path):
    store = Store.open(path)
    store.begin_session(session(), [])
    assert "trials.sqlite-wal" in files(path.parent)
    store.close()
    store.close()
    assert files(path.parent) == {path.name}


def test_the_empty_store_holds_nothing_and_writes_nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store.empty() as store:
        assert store.newest_session() is None
        assert store.transcripts(["t1"]) == {}
    assert files(tmp_path) == set()


def test_listings_that_share_have_equal_short_texts_in_common_and_change_no_value(path):
    odd = [("t1", 1, "a", None), ("t1", "1", 1, "x" * 500), (None, 2, 1.0, "x" * 500), ("t1", True, b"t1", "")]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE other (a, b, c, d)")
        connection.executemany("INSERT INTO other VALUES (?, ?, ?, ?)", odd)
        expected = connection.execute("SELECT * FROM other").fetchall()
    with closing(Database(sqlite3.connect(path), path)) as database, database.sharing():
        first, again = (database.rows("SELECT * FROM other") for _ in range(2))
    assert repr(first) == repr(again) == repr(expected)
    assert first[0][0] is first[1][0] is again[3][0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_creation_that_is_killed_midway_leaves_a_file_in_which_the_next_process_makes_the_store(path, monkeypatch):
    class Killing:
        def __str__(self) -> str:
            os.kill(os.getpid(), signal.SIGKILL)
            return ""

    def die_within() -> None:
        monkeypatch.setattr(schema, "APPLICATION_ID", Killing())
        Store.open(path)

    process = multiprocessing.get_context("fork").Process(target=die_within)
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL
    with pytest.raises(database.EmptyStore):
        Store.open(path, read_only=True)
    with Store.open(path) as store:
        assert store.newest_session() is None


def test_two_that_close_a_store_at_the_same_moment_leave_no_log(path, monkeypatch):
    """The other is still there while we close, and leaves its log: what happens where both wait for each other."""
    Store.open(path).close()
    other = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    monkeypatch.setattr(database.time, "sleep", lambda seconds: other.close())
    with Store.open(path):
        other.execute("SELECT count(*) FROM looks").fetchone()
    assert files(path.parent) == {"trials.sqlite"}


def test_a_store_that_stays_in_use_is_closed_all_the_same(path):
    Store.open(path).close()
    with Store.open(path), closing(sqlite3.connect(path)) as other:
        other.execute("SELECT count(*) FROM looks").fetchone()
        Store.open(path).close()
        assert "trials.sqlite-wal" in files(path.parent)
