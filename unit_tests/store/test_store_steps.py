"""The next schema is one more step: tried with one that adds a table and changes what is in another."""

import multiprocessing
import os
import signal
import sqlite3
import sys
from contextlib import closing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from store_samples import look, record, session, take_back, transcript
from written_forms import FORMS

from independence_bench.bad_input import BadInput
from independence_bench.store import Store, database, schema
from independence_bench.store.exporting import read_export
from independence_bench.store.schema import number_of
from independence_bench.store.store_tables import StoreTable
from independence_bench.store.table_rows import Key, Text
from independence_bench.trial import Usage

RELEASED, NUMBER = schema.STEPS, schema.SCHEMA
NOTES = StoreTable("notes", {"key": Key, "text": Text})
STEP = (*NOTES.statements, "UPDATE looks SET body = replace(body, 'G1', 'G2')")


@pytest.fixture
def path(tmp_path) -> Path:
    """A store of the newest schema."""
    path = tmp_path / "trials.sqlite"
    with Store.open(path) as store:
        store.begin_session(session(), [])
        store.look(look(1))
    return path


@pytest.fixture
def step(path, monkeypatch) -> None:
    """Register the step, after the store was made."""
    monkeypatch.setattr(schema, "STEPS", (*RELEASED, STEP))
    monkeypatch.setattr(schema, "SCHEMA", NUMBER + 1)
    monkeypatch.setattr(schema, "TABLES", (*schema.TABLES, NOTES))


def files(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return number_of(connection, "user_version")


def subjects(store: Store) -> list[str]:
    return [each.subject for each in store.looks("G1")]


def test_writing_brings_a_store_up_once(path, step):
    for _ in range(2):
        with Store.open(path) as store:
            assert subjects(store) == ["G2"]
            assert store._database.rows("SELECT count(*) FROM notes") == [(0,)]
    assert version(path) == NUMBER + 1
    assert files(path) == ["trials.sqlite"]


def test_reading_an_earlier_store_sees_the_step_and_changes_no_byte(path, step):
    before = path.read_bytes()
    with Store.open(path, read_only=True) as store:
        assert subjects(store) == ["G2"]
        with pytest.raises(BadInput, match="attempt to write a readonly database"):
            store.look(look(2))
        with Store.empty() as target, pytest.raises(BadInput, match="look G1: its subject is not that of the look"):
            target.merge([store])  # it reads the step's rows, too
    assert path.read_bytes() == before
    assert files(path) == ["trials.sqlite"]


def test_a_new_store_needs_no_step(tmp_path, step):
    with Store.open(tmp_path / "new.sqlite") as store:
        assert store._database.rows("SELECT count(*) FROM notes") == [(0,)]
    assert version(tmp_path / "new.sqlite") == NUMBER + 1


def test_a_store_that_does_not_come_out_of_a_step_as_it_should_stays_as_it_was(path, step, monkeypatch):
    monkeypatch.setattr(schema, "STEPS", (*RELEASED, ("CREATE TABLE notes (key TEXT PRIMARY KEY)",)))
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(BadInput, match=f"its table notes does not have the layout of schema {NUMBER + 1}"):
            Store.open(path, read_only=read_only)
    assert path.read_bytes() == before
    assert files(path) == ["trials.sqlite"]


def _look(path: Path, gate: Barrier) -> None:
    gate.wait()
    with Store.open(path) as store:
        store.look(look(os.getpid()))


@pytest.mark.skipif(sys.platform != "linux", reason="the step is registered in this process and its forks alone")
def test_of_several_processes_at_once_one_takes_the_step_and_none_leaves_a_log(path, step):
    fork = multiprocessing.get_context("fork")
    for count in range(1, 4):
        gate = fork.Barrier(3)
        processes = [fork.Process(target=_look, args=(path, gate)) for _ in range(3)]
        for process in processes:
            process.start()
        for process in processes:
            process.join(30)
        assert [process.exitcode for process in processes] == [0, 0, 0]
        assert files(path) == ["trials.sqlite"]
        with Store.open(path, read_only=True) as store:
            assert len(subjects(store)) == 1 + 3 * count


def test_two_that_close_a_store_at_the_same_moment_leave_no_log(path, monkeypatch):
    """The other is still there while we close, and leaves its log: what happens where both wait for each other."""
    other = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    monkeypatch.setattr(database.time, "sleep", lambda seconds: other.close())
    with Store.open(path):
        other.execute("SELECT count(*) FROM looks").fetchone()
    assert files(path) == ["trials.sqlite"]


def test_a_store_that_stays_in_use_is_closed_all_the_same(path):
    with Store.open(path), closing(sqlite3.connect(path)) as other:
        other.execute("SELECT count(*) FROM looks").fetchone()
        Store.open(path).close()
        assert "trials.sqlite-wal" in files(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_step_that_is_killed_midway_leaves_the_store_as_it_was(path, step, monkeypatch):
    def die_within() -> None:
        monkeypatch.setattr(schema, "agree", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        Store.open(path)

    process = multiprocessing.get_context("fork").Process(target=die_within)
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL
    assert version(path) == NUMBER
    with Store.open(path) as store:
        assert subjects(store) == ["G2"]


def stored_hash(store: Store) -> object:
    return store._database.rows("SELECT transcript_hash FROM transcripts")[0][0]


def test_a_call_written_as_text_in_an_earlier_store_is_read_for_its_message_and_has_no_verdict_yet(tmp_path):
    said = transcript(FORMS["bare"]("I stay."))
    path = tmp_path / "earlier.sqlite"
    with Store.open(path) as store:
        store.begin_session(session(), [])
        store.add_all([record("t1", said)], "s1")
    take_back(path, 5, f"UPDATE transcripts SET transcript_hash = '{said.former_hash}'")

    assert said.former_hash != said.hash
    with Store.open(path, read_only=True) as store:
        assert stored_hash(store) == said.hash
    with Store.open(path) as store:
        assert stored_hash(store) == said.hash
        assert store.transcript_body("t1") == said


def test_answers_of_an_earlier_store_that_reasoned_are_counted(tmp_path):
    thoughtful = transcript()
    reply = thoughtful.exchanges[0].reply.model_copy(update={"reasoning": None, "usage": Usage()})
    silent = thoughtful.model_copy(update={"exchanges": (thoughtful.exchanges[0].model_copy(update={"reply": reply}),)})
    path = tmp_path / "earlier.sqlite"
    with Store.open(path) as store:
        store.begin_session(session(), [])
        store.add_all([record("t1", silent)], "s1")
        store.add_all([record("t2", thoughtful)], "s1")
    take_back(path, 6)
    for read_only in (True, False):
        with Store.open(path, read_only=read_only) as store:
            assert [row.thought for row in store.trials_of(["C1"])] == [0, 1]


def test_an_export_of_an_earlier_version_with_such_a_call_is_taken(tmp_path):
    said = transcript(FORMS["Python"]("I stay."))
    with Store.empty() as source:
        source.begin_session(session(), [])
        source.add_all([record("t1", said)], "s1")
        with source._database.transaction() as connection:
            connection.execute("UPDATE transcripts SET transcript_hash = ?", (said.former_hash,))
        (tmp_path / "earlier.jsonl").write_text("".join(source.export_lines()))

    assert said.former_hash in (tmp_path / "earlier.jsonl").read_text()
    with Store.empty() as target:
        target.merge([Store(read_export(tmp_path / "earlier.jsonl"))])
        assert stored_hash(target) == said.hash
