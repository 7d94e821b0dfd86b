"""Stores of an earlier schema: written to, they are migrated with a copy beside them; read, they stay as they are."""

import multiprocessing
import os
import signal
import sqlite3
import stat
import sys
from contextlib import closing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from schema_1 import make_schema_1
from store_dump import TABLES, count, dump
from store_samples import judge_check, look, session

from independence_bench.bad_input import BadInput
from independence_bench.store import Store, migrations, schema
from independence_bench.store.migrations import Migration
from independence_bench.store.statements import number_of

NEW = ("looks", "judge_checks")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "trials.sqlite"
    make_schema_1(path)
    return path


def files(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return number_of(connection, "user_version")


def rows(path: Path, tables: tuple[str, ...]) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as connection:
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


OLD = tuple(table for table in TABLES if table not in NEW)


def test_writing_migrates_a_store_and_keeps_a_copy_of_it(path):
    before = rows(path, OLD)
    with Store.open(path) as store:
        assert store.newest_session() == session()
        assert store.look(look()) == 1
        store.add_judge_check(judge_check())
    copy = path.with_name("trials.sqlite.schema1.bak")
    assert files(path) == ["trials.sqlite", copy.name]
    assert (version(path), version(copy)) == (2, 1)
    assert rows(path, OLD) == rows(copy, OLD) == before
    assert len(before["transcripts"]) == len(before["verdicts"]) == len(before["sessions"]) == 1


def test_a_migrated_store_is_laid_out_as_a_new_one(path, tmp_path):
    Store.open(path).close()
    Store.open(tmp_path / "new.sqlite").close()

    def layout(file: Path) -> set[tuple[str, tuple[str, ...]]]:
        with closing(sqlite3.connect(file)) as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL")]
            facts = {
                name: connection.execute(f"SELECT * FROM pragma_table_info('{name}')").fetchall()
                or connection.execute(f"SELECT * FROM pragma_index_info('{name}')").fetchall()
                for name in names
            }
        return {(name, tuple(map(str, row))) for name, row in facts.items()}

    assert layout(path) == layout(tmp_path / "new.sqlite")


def test_a_store_is_migrated_once(path):
    Store.open(path).close()
    Store.open(path).close()
    assert files(path) == ["trials.sqlite", "trials.sqlite.schema1.bak"]


def test_a_copy_that_stands_there_already_is_left_alone(path):
    path.with_name("trials.sqlite.schema1.bak").write_text("mine")
    Store.open(path).close()
    assert path.with_name("trials.sqlite.schema1.bak").read_text() == "mine"
    assert version(path.with_name("trials.sqlite.schema1.2.bak")) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_the_copy_is_for_those_who_may_read_the_store(path):
    path.chmod(0o600)
    Store.open(path).close()
    assert stat.S_IMODE(path.with_name("trials.sqlite.schema1.bak").stat().st_mode) == 0o600


def test_reading_an_older_store_changes_no_byte_and_finds_nothing_where_tables_are_missing(path):
    before = path.read_bytes()
    with Store.open(path, read_only=True) as store:
        assert store.newest_session() == session()
        assert (store.looks("G1"), store.judge_checks(["J1"])) == ([], {})
        assert '"look":0,"judge_check":0' in list(store.export_lines(["C1"]))[-1]
        with pytest.raises(BadInput, match=r"trials\.sqlite: cannot be used \(attempt to write a readonly database\)"):
            store.look(look())
    assert path.read_bytes() == before
    assert files(path) == ["trials.sqlite"]


def test_an_older_store_in_a_write_protected_folder_can_be_read(path):
    path.with_name("trials.sqlite-shm").symlink_to("nowhere")  # never followed: as in a write-protected folder
    with Store.open(path, read_only=True) as store:
        assert store.looks("G1") == []


def test_an_older_store_can_be_merged_as_it_is(path):
    before = path.read_bytes()
    with Store.open(path, read_only=True) as older, Store.empty() as target:
        target.merge([older])
        assert dump(target) == dump(older)
        assert count(target, "verdicts") == 1
    assert path.read_bytes() == before


def test_the_next_migration_is_one_more_entry_in_the_list(path, monkeypatch):
    Store.open(path).close()
    step = Migration(
        writing="ALTER TABLE looks ADD COLUMN place INTEGER;\n",
        reading="CREATE TEMPORARY VIEW looks AS SELECT *, NULL AS place FROM main.looks;\n",
    )
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, step))
    monkeypatch.setattr(schema, "SCHEMA", 3)
    with Store.open(path, read_only=True) as store:
        assert store._database.rows("SELECT count(place) FROM looks") == [(0,)]
    with Store.open(path) as store:
        store.look(look())
        assert store._database.rows("SELECT place FROM looks") == [(None,)]
    assert version(path) == 3
    assert version(path.with_name("trials.sqlite.schema2.bak")) == 2


def _migrate(path: Path, gate: Barrier) -> None:
    gate.wait()
    with Store.open(path) as store:
        store.look(look(os.getpid()))


def test_of_several_processes_that_migrate_at_once_one_does_and_the_others_find_it_done(path):
    spawn = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    gate = spawn.Barrier(3)
    processes = [spawn.Process(target=_migrate, args=(path, gate)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert files(path) == ["trials.sqlite", "trials.sqlite.schema1.bak"]
    assert version(path.with_name("trials.sqlite.schema1.bak")) == 1
    with Store.open(path, read_only=True) as store:
        assert len(store.looks("G1")) == 3


def _die_within(path: Path, place: str) -> None:
    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    if place == "copy":
        migrations._settle = die
    else:
        broken = Migration(writing=f"{migrations.MIGRATIONS[0].writing}SELECT die();\n", reading="")
        migrations.MIGRATIONS = (broken,)
        run_all = migrations.run_all

        def run(connection: sqlite3.Connection, statements: str) -> None:
            connection.create_function("die", 0, die)
            run_all(connection, statements)

        migrations.run_all = run
    Store.open(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("place", ["copy", "statements"])
def test_a_migration_that_is_killed_midway_leaves_the_store_as_it_was(path, place):
    before = rows(path, OLD)
    process = multiprocessing.get_context("fork").Process(target=_die_within, args=(path, place))
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL
    assert version(path) == 1
    assert rows(path, OLD) == before
    with Store.open(path) as store:
        assert store.look(look()) == 1
    assert version(path) == 2
    assert version(path.with_name("trials.sqlite.schema1.bak")) == 1
    assert not path.with_name(".trials.sqlite.schema1.tmp").exists()


def test_a_migration_whose_copy_cannot_be_written_is_refused_and_changes_nothing(path, monkeypatch):
    def full(file: Path) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(migrations, "_settle", full)
    with pytest.raises(BadInput, match=r"trials\.sqlite: cannot be written \(database or disk is full\)"):
        Store.open(path)
    monkeypatch.undo()
    assert version(path) == 1
    assert files(path) == ["trials.sqlite"]


def test_a_store_that_somebody_else_has_just_migrated_is_left_as_it_is(path):
    Store.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrations.migrate(connection, path)
        assert not connection.in_transaction
    assert files(path) == ["trials.sqlite", "trials.sqlite.schema1.bak"]
