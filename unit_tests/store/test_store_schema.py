"""What a file may be that claims to be a store: its tables are ours to the last column, or it is refused."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from store_dump import TABLES, dump
from store_samples import configuration, judge_check, look, record, session, transcript, verdict

from independence_bench.bad_input import BadInput
from independence_bench.store import Store, schema
from independence_bench.store.recovery import recover


def fill(path: Path, answer: str = "no") -> None:
    with Store.open(path) as store:
        said = transcript(answer)
        store.begin_session(session(), [configuration("some/model")])
        store.add_all([record("t1", said, (verdict(said, f"v-{answer}"),))], "s1")
        store.look(look())
        store.add_judge_check(judge_check())


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def columns(path: Path, table: str) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]


HOSTILE_NAMES = (
    'scores) VALUES ((SELECT 1), "x") ON CONFLICT (key) DO UPDATE SET scores = \'{"resistance":10}\' --',
    "key) SELECT * FROM verdicts --",
    "x; DROP TABLE verdicts; --",
    'a"b',
    "a'b",
    "a`b]",
    "?1",
    "rowid",
    "",
    "\N{SNOWMAN}\x1b[31m",
)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_column_with_a_name_that_is_not_ours_is_refused_and_its_name_runs_nowhere(tmp_path, table, name):
    source, target = tmp_path / "source.sqlite", tmp_path / "target.sqlite"
    fill(source, "yes")
    fill(target)
    quoted = '"' + name.replace('"', '""') + '"'
    change(source, f"ALTER TABLE {table} ADD COLUMN {quoted} TEXT DEFAULT 'x'")
    with Store.open(target) as store:
        before = dump(store)
        with (
            pytest.raises(BadInput, match=rf"source\.sqlite: .*table {table} .*"),
            Store.open(source, read_only=True) as foreign,
        ):
            store.merge([foreign])
        assert dump(store) == before


IN_ITS_PLACE = {
    "a view": ("ALTER TABLE {table} RENAME TO theirs", "CREATE VIEW {table} AS SELECT {names} FROM theirs"),
    "a table without its key": (
        "ALTER TABLE {table} RENAME TO theirs",
        "CREATE TABLE {table} AS SELECT {names} FROM theirs",
    ),
    "a generated column": (
        "ALTER TABLE {table} RENAME TO theirs",
        "CREATE TABLE {table} ({others}, {last} TEXT GENERATED ALWAYS AS (upper({first})))",
    ),
    "a virtual table": ("DROP TABLE {table}", "CREATE VIRTUAL TABLE {table} USING fts5({names})"),
    "nothing": ("DROP TABLE {table}",),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("statements", IN_ITS_PLACE.values(), ids=IN_ITS_PLACE)
def test_what_poses_as_a_table_is_refused(tmp_path, table, statements):
    path = tmp_path / "trials.sqlite"
    fill(path)
    first, *middle, last = columns(path, table)
    words = {"table": table, "names": ", ".join([first, *middle, last]), "others": ", ".join([first, *middle])}
    change(path, *(statement.format(**words, first=first, last=last) for statement in statements))
    for read_only in (False, True):
        with pytest.raises(BadInput, match=rf"table {table} .*does not have the layout"):
            Store.open(path, read_only=read_only)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_trigger_is_refused_for_it_would_run_with_every_row_that_is_written(tmp_path, read_only):
    path = tmp_path / "trials.sqlite"
    fill(path)
    change(path, "CREATE TRIGGER theirs AFTER INSERT ON looks BEGIN UPDATE verdicts SET scores = '{}'; END")
    with pytest.raises(BadInput, match="a trigger"):
        Store.open(path, read_only=read_only)


@pytest.mark.parametrize(
    "index",
    [
        "UNIQUE INDEX theirs ON transcripts ((1))",
        "UNIQUE INDEX theirs ON transcripts (session)",
        "INDEX theirs ON transcripts (abs(run))",
        "INDEX theirs ON transcripts (run) WHERE run > 3",
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_an_index_that_could_refuse_a_row_is_refused(tmp_path, index, read_only):
    path = tmp_path / "trials.sqlite"
    fill(path)
    change(path, f"CREATE {index}")
    with pytest.raises(BadInput, match="table transcripts does not have the layout"):
        Store.open(path, read_only=read_only)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("label TEXT NOT NULL,", "label TEXT NOT NULL CHECK (0),"),
        ("label TEXT NOT NULL,", "label TEXT NOT NULL UNIQUE,"),
        ("label TEXT NOT NULL,", "label TEXT NOT NULL REFERENCES x (y),"),
        ("label TEXT NOT NULL,", "label TEXT COLLATE NOCASE NOT NULL,"),
        ("label TEXT NOT NULL,", "label TEXT NOT NULL DEFAULT '--' CHECK (0),"),
        (" WITHOUT ROWID", ""),
    ],
)
def test_a_table_with_a_constraint_of_somebody_else_is_refused(tmp_path, before, after):
    path = tmp_path / "trials.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for statement in (each for table in schema.TABLES for each in table.statements):
            connection.execute(statement.replace(before, after) if " configurations " in statement else statement)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {schema.SCHEMA}")
    with pytest.raises(BadInput, match="table configurations does not have the layout"):
        Store.open(path)


def test_tables_views_and_indices_of_the_readers_own_do_no_harm(tmp_path):
    path = tmp_path / "trials.sqlite"
    fill(path)
    change(
        path,
        "CREATE TABLE notes (text TEXT)",
        "CREATE VIEW costs AS SELECT sum(cost_usd) FROM transcripts",
        "CREATE INDEX by_cost ON transcripts (cost_usd)",
    )
    with Store.open(path) as store, Store.empty() as target:
        assert target.merge([store]).new["transcripts"] == 1


@pytest.mark.parametrize("number", [0, schema.SCHEMA + 1, 99])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_of_another_schema_is_refused_with_what_to_do_and_left_as_it_is(tmp_path, read_only, number):
    path = tmp_path / "trials.sqlite"
    fill(path)
    change(path, f"PRAGMA user_version = {number}")
    before = path.read_bytes()
    refusal = (
        rf"trials\.sqlite: was written by another version .*its schema is {number}, this version reads schema 1\); use "
        "the version that wrote it, or measure again into another store with --store"
    )
    with pytest.raises(BadInput, match=refusal):
        Store.open(path, read_only=read_only)
    assert path.read_bytes() == before
    with Store(recover(path).database) as saved:
        assert list(saved.transcripts(["t1"])) == ["t1"]
