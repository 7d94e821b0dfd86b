"""Tidy tables: one declaration for downloads, exports, the Python API and the reference."""

import csv
import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from test_report_site import world_of, written

from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.analysis.tidy_tables import ALL_TABLES, TABLES
from independence_bench.report.views.tidy_text import csv_text, records_json
from independence_bench.trial import Failure

REFERENCE = Path(__file__).parents[2] / "docs" / "reference.md"
PYTHON = {"text": str, "count": int, "number": (int, float), "truth": bool, "time": str}


@pytest.fixture(scope="module")
def source() -> BoardRecords:
    world = world_of("ash/one", "beech/two", "@cedar", hostile=True)
    world.know("doubtful", "doubtful")
    world.trial("doubtful", "who", None, failures=(Failure(kind="empty", message="=no"),))
    session = world.session
    return BoardRecords.of(world.store, session, build_leaderboard(world.store, session))


def test_every_value_has_the_declared_type_and_every_column_is_filled_somewhere(source):
    for table in ALL_TABLES.values():
        rows = list(table.records(source))
        assert bool(rows) is (table.name != "numbers"), table.name  # of the other kinds
        for column in table.columns:
            values = [row[column.name] for row in rows if row[column.name] is not None]
            kinds = PYTHON[column.type]
            assert all(isinstance(value, kinds) for value in values), (table.name, column.name)
            assert column.type == "truth" or not any(isinstance(value, bool) for value in values), column.name


def test_an_unranked_model_has_the_bounds_of_its_index_in_plain_columns(source):
    rows = {row["label"]: row for row in TABLES["models"].records(source)}
    lost = rows["doubtful"]
    assert lost["rank_low"] is None and lost["index"] is None
    assert 0 <= lost["index_low"] < lost["index_high"] <= 100
    sure = rows["ash/one"]
    assert sure["index_low"] == sure["index"] == sure["index_high"]
    assert sure["by_run_low"] <= sure["index"] <= sure["by_run_high"]


def test_each_pair_of_ranked_models_is_there_once_with_the_higher_first(source):
    ranked = [row.label for row in source.board.models if row.contends]
    pairs = list(TABLES["pairs"].records(source))
    assert len(pairs) == len(ranked) * (len(ranked) - 1) // 2
    assert all(pair["difference"] >= 0 and pair["low"] <= pair["difference"] <= pair["high"] for pair in pairs)
    assert {(pair["number"], pair["over"]) for pair in pairs} == {("index", "runs")}


def test_tables_join_by_model_and_by_trial(source):
    models = {row["model"] for row in TABLES["models"].records(source)}
    trials = {row["trial"] for row in TABLES["trials"].records(source)}
    verdicts = list(TABLES["verdicts"].records(source))
    assert verdicts and all(row["model"] in models and row["trial"] in trials for row in verdicts)


def test_csv_and_json_say_the_same_and_hold_no_formula(source):
    table = TABLES["models"]
    rows = list(csv.DictReader(io.StringIO(csv_text(table.names, table.records(source)))))
    records = json.loads(records_json(table.records(source)))
    assert [row["model"].removeprefix("'") for row in rows] == [record["model"] for record in records]
    assert "'@cedar" in {row["label"] for row in rows} and "@cedar" in {record["label"] for record in records}
    assert {row["mostly_ceiling"] for row in rows} <= {"true", "false"}
    assert float(rows[0]["index"]) == records[0]["index"]


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_a_text_that_some_spreadsheet_takes_for_a_formula_begins_with_a_quote(sign):
    assert csv_text(["a"], [{"a": f"{sign}1+1"}, {"a": f"1{sign}1"}, {"a": -2.5}]) == f"a\n'{sign}1+1\n1{sign}1\n-2.5\n"


def test_the_site_offers_every_table_and_all_of_them_at_once(tmp_path):
    folder = written(tmp_path, world_of("ash/one", "beech/two", hostile=True))
    page = (folder / "data.html").read_text("utf-8")
    for name in TABLES:
        for ending in ("csv", "json"):
            assert f'href="downloads/{name}.{ending}"' in page
            assert (folder / "downloads" / f"{name}.{ending}").is_file()
    with ZipFile(folder / "downloads" / "independence-bench-tables.zip") as archive:
        assert set(archive.namelist()) == {*(f"{name}.csv" for name in TABLES), "columns.csv"}
        assert archive.read("models.csv") == (folder / "downloads" / "models.csv").read_bytes()
    described = list(csv.DictReader((folder / "downloads" / "columns.csv").read_text("utf-8").splitlines()))
    assert {row["table"] for row in described} == set(TABLES)


def test_pandas_reads_typed_frames(tmp_path):
    pandas = pytest.importorskip("pandas")
    folder = written(tmp_path, world_of("ash/one", "beech/two"))
    for read, ending in ((pandas.read_csv, "csv"), (pandas.read_json, "json")):
        models = read(folder / "downloads" / f"models.{ending}")
        assert models["index"].dtype == float and models["mostly_ceiling"].dtype == bool
        assert models["runs"].dtype == int and set(models["label"]) == {"ash/one", "beech/two"}
        trials = read(folder / "downloads" / f"trials.{ending}")
        assert trials["measured"].dtype == bool and trials["share"].between(0, 1).all()


def test_the_reference_names_every_table():
    text = REFERENCE.read_text("utf-8").partition("\n## Tables\n")[2].partition("\n## ")[0]
    assert [name for name in ALL_TABLES if f"`{name}`" not in text] == []
