"""A store that fails under us: one sentence with the remedy, a copy of a damaged file, and nothing committed is lost."""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_samples import configuration, record, session, transcript, verdict

from independence_bench.bad_input import BadInput
from independence_bench.store import Store
from independence_bench.store.damage import StoreFailed, StoreLost, damaged_store, log_of, read_json, store_failure
from independence_bench.trial import TrialRecord

TRIALS = 40


def trial(number: int) -> TrialRecord:
    said = transcript(f"answer {number} " * 200)
    return record(f"t{number}", said, (verdict(said, f"v{number}"),))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "trials.sqlite"
    with Store.open(path) as store:
        store.begin_session(session(), [configuration("some/model")])
        store.add_all(map(trial, range(TRIALS)), "s1")
    return path


def copies(path: Path) -> list[Path]:
    return sorted(each for each in path.parent.iterdir() if ".corrupt-" in each.name)


def damage(path: Path, change: Callable[[bytearray], object]) -> bytes:
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)
    return bytes(content)


def cut_in_half(content: bytearray) -> None:
    del content[len(content) // 2 :]


def cut_in_the_header(content: bytearray) -> None:
    del content[60:]


def garbage_behind_the_magic(content: bytearray) -> None:
    content[16:100] = bytes(range(84))


def garbled_layout(content: bytearray) -> None:
    content[120:4096] = b"\xa5" * (4096 - 120)


@pytest.mark.parametrize("read_only", [False, True], ids=["writing", "reading"])
@pytest.mark.parametrize("change", [cut_in_half, cut_in_the_header, garbage_behind_the_magic, garbled_layout])
def test_a_damaged_store_is_said_at_opening_and_a_copy_is_kept(path, change, read_only):
    content = damage(path, change)
    with pytest.raises(StoreFailed) as told:
        Store.open(path, read_only=read_only)
    (copy,) = copies(path)
    assert str(told.value).startswith(f"{path}: is damaged (")
    assert f"and was left as it is; a copy is kept as {copy.name}; " in str(told.value)
    assert "\n" not in str(told.value)
    assert path.read_bytes() == copy.read_bytes() == content


def test_trying_again_makes_no_second_copy_of_the_same_file(path):
    damage(path, cut_in_half)
    for _ in range(3):
        with pytest.raises(StoreFailed):
            Store.open(path)
    assert len(copies(path)) == 1
    damage(path, cut_in_half)
    with pytest.raises(StoreFailed):
        Store.open(path)
    assert len(copies(path)) == 2


def test_a_log_that_holds_something_is_kept_with_its_file(path):
    copy = path.parent / "killed" / path.name
    copy.parent.mkdir()
    with Store.open(path) as store:
        store.add_all([trial(TRIALS)], "s1")
        shutil.copy(path, copy)
        shutil.copy(log_of(path), log_of(copy))
    log = log_of(copy).read_bytes()
    assert str(damaged_store(copy, "it smells")) == str(damaged_store(copy, "it smells"))
    kept, kept_log = copies(copy)
    assert kept_log == log_of(kept)
    assert kept_log.read_bytes() == log_of(copy).read_bytes() == log


def test_a_log_that_has_grown_since_the_last_copy_is_kept_too(path):
    damage(path, cut_in_half)
    for content in (b"log 1", b"log 2, longer"):
        log_of(path).write_bytes(content)
        damaged_store(path, "it smells")
    assert [each.read_bytes() for each in copies(path) if each.name.endswith("-wal")] == [b"log 1", b"log 2, longer"]


def test_a_damaged_file_that_cannot_be_copied_is_said_all_the_same(path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    damage(path, cut_in_half)
    monkeypatch.setattr(shutil, "copy2", full)
    with pytest.raises(StoreFailed, match=r"is damaged .* no copy of it could be made \(No space left on device\)"):
        Store.open(path)


def test_of_a_file_that_is_gone_no_copy_is_said_to_be_kept(tmp_path):
    assert "no copy of it could be made (No such file or directory)" in str(damaged_store(tmp_path / "t.sqlite", "?"))


def test_an_emptied_file_beside_its_log_is_damaged_and_the_log_stays(path):
    with Store.open(path) as store:
        store.add_all([trial(TRIALS)], "s1")
        log = log_of(path).read_bytes()
    path.write_bytes(b"")
    log_of(path).write_bytes(log)
    with pytest.raises(StoreFailed, match="it is empty, and its write-ahead log is not"):
        Store.open(path)
    assert log_of(path).read_bytes() == log


@pytest.mark.parametrize("read_only", [False, True])
def test_a_log_that_was_left_behind_is_never_taken_for_nobodys(path, read_only):
    with Store.open(path) as store:
        store.add_all([trial(TRIALS)], "s1")
        log = log_of(path).read_bytes()
    path.unlink()
    log_of(path).write_bytes(log)
    with pytest.raises(BadInput, match=r"is missing, but trials\.sqlite-wal is there; move that log"):
        Store.open(path, read_only=read_only)
    assert log_of(path).read_bytes() == log
    assert not path.exists()


# In the middle of a session


def pages_of(path: Path, table: str) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        try:
            found = connection.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,)).fetchall()
        except sqlite3.OperationalError:
            pytest.skip("this SQLite was built without dbstat, which tells where a table lies")
    return sorted(page for (page,) in found)


def test_a_page_that_turned_bad_is_said_when_it_is_read_and_a_copy_is_kept(path):
    page = pages_of(path, "transcripts")[3]
    damage(path, lambda content: content.__setitem__(slice((page - 1) * 4096, page * 4096), b"\xff" * 4096))
    with Store.open(path) as store, pytest.raises(StoreFailed, match=r"is damaged \(database disk image is malformed"):
        list(store.export_lines())
    assert len(copies(path)) == 1


@pytest.mark.parametrize("column", ["body", "scores"])
def test_a_flipped_bit_in_a_text_is_said_when_it_is_read(path, column):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE verdicts SET {column} = replace({column}, ':', ';') WHERE key = 'v1'")
    with Store.open(path, read_only=True) as store:
        read = {"body": lambda: store.verdict_bodies(["v1"])["v1"], "scores": lambda: store.verdicts(["v1"])}[column]
        with pytest.raises(
            StoreFailed, match=r"is damaged \((a verdict|the scores or reports) in it (is|are) no JSON\)"
        ):
            read()
    assert len(copies(path)) == 1


def test_a_text_that_is_no_utf_8_any_more_is_damage(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE transcripts SET body = CAST(x'22ff22' AS TEXT) WHERE key = 't1'")
    with Store.open(path, read_only=True) as store, pytest.raises(StoreFailed, match="is damaged"):
        store.transcript_body("t1")


def test_a_value_of_a_later_version_is_not_taken_for_damage(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""UPDATE sessions SET body = json_set(body, '$.later', 1)""")
    with Store.open(path, read_only=True) as store, pytest.raises(StoreFailed) as told:
        store.newest_session()
    assert str(told.value).startswith(
        f"{path}: holds a session that this version of independence-bench cannot read (later); upgrade the package"
    )
    assert copies(path) == []


def test_a_damaged_source_of_a_merge_is_named_and_not_the_store_it_was_to_come_into(path, tmp_path):
    page = pages_of(path, "transcripts")[3]
    damage(path, lambda content: content.__setitem__(slice((page - 1) * 4096, page * 4096), b"\xff" * 4096))
    with (
        Store.open(path, read_only=True) as source,
        Store.open(tmp_path / "target.sqlite") as target,
        pytest.raises(StoreFailed, match=r"trials\.sqlite: is damaged"),
    ):
        target.merge([source])
    assert len(copies(path)) == 1


def test_a_full_disk_loses_nothing_that_was_committed_and_the_store_goes_on_when_there_is_room(path):
    with Store.open(path) as store:
        connection = store._database._connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(StoreFailed) as told:
            for number in range(TRIALS, 2 * TRIALS):
                store.add_all([trial(number)], "s1")
        assert str(told.value) == (
            f"{path}: cannot be used (database or disk is full); what was stored before is safe: "
            "make room on its disk and run the same command again"
        )
        stored = len(store.transcripts([f"t{number}" for number in range(2 * TRIALS)]))
        assert stored >= TRIALS
        connection.execute("PRAGMA max_page_count = 100000")
        store.add_all([trial(1000)], "s1")
    with Store.open(path, read_only=True) as store:
        assert len(list(store.trial_rows(["C1"], by="configuration"))) == stored + 1
        assert store._database.rows("PRAGMA integrity_check") == [("ok",)]
    assert copies(path) == []


def test_a_commit_that_fails_leaves_no_transaction_open(path):
    with Store.open(path) as store:
        with pytest.raises(sqlite3.IntegrityError), store._database.transaction() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            connection.execute("INSERT INTO sessions (id) VALUES ('s9')")
        store.add_all([trial(1000)], "s1")
        assert list(store.transcripts(["t1000"])) == ["t1000"]


def test_a_store_that_another_process_keeps_locked_is_said_in_the_middle_of_a_session_too(path):
    with Store.open(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store._database._connection.execute("PRAGMA busy_timeout = 20")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed, match=r"cannot be used \(database is locked\).*wait until the process"):
            store.add_all([trial(1000)], "s1")


def test_a_fault_of_this_programs_own_is_not_blamed_on_the_file(path):
    error = sqlite3.OperationalError("no such table: x")
    assert store_failure(error, path) is None
    with Store.open(path) as store, pytest.raises(sqlite3.OperationalError, match="no such table"):
        store._database.rows("SELECT 1 FROM x")


@pytest.mark.parametrize("code", ["FULL", "IOERR", "CANTOPEN", "READONLY", "PERM", "BUSY", "PROTOCOL", "NOMEM"])
def test_what_the_machine_refuses_is_told_in_one_sentence_with_a_remedy(path, code):
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{code}")
    assert str(store_failure(error, path)).endswith("and run the same command again")


def test_a_table_that_another_program_drops_is_said_in_the_middle_of_a_session(path):
    with Store.open(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("DROP TABLE verdicts")
        with pytest.raises(StoreLost, match=r"is damaged \(no such table: verdicts\).*--salvage"):
            store.verdict_bodies(["v1"])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_store_on_a_full_file_system_keeps_what_was_committed(tmp_path):
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode:
        pytest.skip("this root may not mount")
    try:
        path, stored = tmp_path / "trials.sqlite", 0
        with Store.open(path) as store, pytest.raises(StoreFailed, match=r"(make room on|check) its disk"):
            store.begin_session(session(), [])
            while stored < 1000:
                store.add_all([trial(stored)], "s1")
                stored += 1
        with Store.open(path, read_only=True) as store:
            assert len(store.transcripts([f"t{number}" for number in range(stored)])) == stored > 0
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


# A store that is taken away while it is in use


@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_is_deleted_or_replaced_while_it_is_in_use_fails_before_more_is_written(path, tmp_path, replaced):
    other = tmp_path / "elsewhere" / "other.sqlite"
    with Store.open(other) as made:
        made.begin_session(session("other"), [])
    with Store.open(path) as store:
        store.begin_session(session(), [])
        other.replace(path) if replaced else path.unlink()
        with pytest.raises(StoreFailed, match=r"trials\.sqlite: was moved, deleted or replaced while it was in use"):
            store.end_session("s1", 2.0)
    if replaced:
        with Store.open(path) as kept:
            assert [each.id for each in kept.sessions()] == ["other"]
            assert kept._database.rows("PRAGMA integrity_check") == [("ok",)]
    else:
        assert not path.exists()


def test_a_store_that_is_read_may_be_replaced(path, tmp_path):
    Store.open(path).close()
    Store.open(tmp_path / "other.sqlite").close()
    with Store.open(path, read_only=True) as store:
        (tmp_path / "other.sqlite").replace(path)
        assert [each.id for each in store.sessions()] == ["s1"]


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_a_log_that_another_process_removes_meanwhile_hinders_no_opening(path, monkeypatch, looks):
    log = log_of(path)
    left = iter(range(looks))
    stat = Path.stat

    def vanishing(file: Path, **options: bool) -> os.stat_result:
        if file != log:
            return stat(file, **options)
        if next(left, None) is None:
            raise FileNotFoundError(errno.ENOENT, "gone", str(file))
        return stat(path)

    monkeypatch.setattr(Path, "stat", vanishing)
    with Store.open(path) as store:
        assert len([*store.sessions()]) == 1


def test_a_transcript_that_is_listed_and_cannot_be_found_is_damage(path):
    with Store.open(path, read_only=True) as store:
        for look in (store.transcript_bodies, lambda keys: store.read_transcripts(keys, len)):
            with pytest.raises(StoreFailed, match="listed and cannot be found"):
                look(["t0", "t-nobody"])


# A file that is overwritten under an open store


def other_store(path: Path) -> Path:
    other = path.with_name("other.sqlite")
    with Store.open(other) as store:
        store.begin_session(session("another"), [configuration("some/model")])
        store.add_all(map(trial, range(TRIALS, 3 * TRIALS)), "another")
    return other


def older_copy(path: Path) -> Path:
    return path.with_name("older.sqlite")


def foreign_database(path: Path) -> Path:
    other = path.with_name("foreign.sqlite")
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE pad (filling TEXT)")
        connection.execute("INSERT INTO pad VALUES (?)", ("x" * 10 * path.stat().st_size,))
        connection.commit()
    return other


def zeros_over_the_header(path: Path) -> Path:
    other = path.with_name("zeros")
    other.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    return other


@pytest.mark.parametrize("source", [other_store, older_copy, foreign_database, zeros_over_the_header])
@pytest.mark.parametrize("in_log", [False, True], ids=["checkpointed", "in the log"])
def test_a_file_that_is_overwritten_in_place_is_noticed_or_its_log_mends_it(path, source, in_log) -> None:
    with Store.open(path) as store:
        store.begin_session(session("now"), [])
        older = older_copy(path)
        if source is older_copy:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copyfile(path, older)
        store.add_all([trial(1000)], "now")
        if not in_log:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.refuse_lost()
        store.refuse_lost()
        before = path.stat()
        shutil.copyfile(source(path), path)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000))
        assert path.stat().st_ino == before.st_ino

        try:
            store.refuse_lost()
        except StoreFailed as error:
            assert str(error).startswith(f"{path}: is damaged (")
            assert copies(path)
            return
    assert in_log
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*) FROM transcripts").fetchone() == (TRIALS + 1,)


def test_what_sessions_write_and_fold_in_side_by_side_is_no_loss(path) -> None:
    with Store.open(path) as store, Store.open(path) as another:
        store.begin_session(session("now"), [])
        for number in range(1000, 1020):
            (store, another)[number % 2].add_all([trial(number)], "now")
            if number % 5 == 0:
                with closing(sqlite3.connect(path)) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            store.refuse_lost()
            another.refuse_lost()
    assert not copies(path)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_damaged_schema_of_which_sqlite_speaks_in_bytes_that_are_no_text_is_named(tmp_path, read_only):
    path = tmp_path / "trials.sqlite"
    Store.open(path).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE TABL\xc3"))
    with pytest.raises(StoreLost, match="damaged"):
        Store.open(path, read_only=read_only).close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON, st.booleans())
def test_a_text_of_the_store_is_read_as_the_standard_library_reads_it(value, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert repr(read_json(Path("store"), "transcript", text)) == repr(json.loads(text))


@pytest.mark.parametrize("text", ['"\\ud800"', "[" * 500 + "]" * 500, '{"a": 1, "a": 2}', "-0", "1e999", "[-Infinity]"])
def test_also_where_a_stricter_reader_would_refuse(text):
    assert repr(read_json(Path("store"), "transcript", text)) == repr(json.loads(text))
