"""The command ``items``: every scenario of a store as an item, as text, CSV and JSON."""

import csv
import io
import json

import pytest
from cli_samples import CATALOGUE, EDITION, configuration, fill, measured, session

from independence_bench.report.analysis.difficulty import GroupDifference, ItemAnalysis, ScenarioDifficulty
from independence_bench.report.views.items_text import items_csv
from independence_bench.store import Store


def test_scenarios_are_printed_the_hardest_first(tell, store):
    told = tell("items")
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("Scenarios of edition small, judged by judge/one\n")
    assert told.out.index("\ncreativity") < told.out.index("\nsocial-proof")


def test_csv_and_json_hold_every_field(tell, store):
    rows = list(csv.DictReader(io.StringIO(tell("items", "--format=csv").out)))
    found = json.loads(tell("items", "--format=json").out)
    first, second = found["scenarios"]
    assert found["models"] == 2
    assert (
        [row["scenario"] for row in rows] == [first["scenario"], second["scenario"]] == ["creativity", "social-proof"]
    )
    assert float(rows[0]["difficulty"]) == first["difficulty"]
    assert (rows[0]["dead"], rows[0]["vendor_p_value"], rows[0]["discrimination"]) == ("0", "", "")
    assert set(rows[0]) == {
        *(set(first) - {"vendor", "thinking"}),
        *(f"{kind}_{name}" for kind in ("vendor", "thinking") for name in ("group", "difference", "p_value", "models")),
    }


def test_a_spreadsheet_takes_no_cell_for_a_formula():
    vendor = GroupDifference(group="=SUM(A1)", difference=-0.5, p_value=0.5, models=9)
    row = ScenarioDifficulty(
        scenario="@x",
        experiment="boundary",
        mean=None,
        difficulty=None,
        discrimination=-0.2,
        trials=0,
        models=0,
        compared=0,
        vendor=vendor,
    )
    empty = dict.fromkeys(("edition", "title", "texts"), "")
    lists = {name: [] for name in ("judges", "judge_configurations", "heuristic_judges")}
    (cells,) = csv.DictReader(io.StringIO(items_csv(ItemAnalysis(**empty, **lists, models=0, scenarios=[row]))))
    assert (cells["scenario"], cells["vendor_group"]) == ("'@x", "'=SUM(A1)")
    assert (cells["discrimination"], cells["vendor_difference"]) == ("-0.2", "-0.5")


@pytest.mark.parametrize(("kind", "words"), [(None, "holds no trial of edition small"), ("roles", "no judge scores")])
def test_where_there_is_no_item_it_says_so(tell, folder, kind, words):
    begun = session()
    if kind:
        begun = begun.model_copy(update={"edition": CATALOGUE.edition("roles-mini"), "cells": ()})
    with Store.open(folder / "empty.sqlite") as store:
        store.begin_session(begun, [])
    told = tell("items", "--store=empty.sqlite")
    assert told.status == 2
    assert words in told.err


def test_another_edition_can_be_chosen(tell, folder):
    fill(folder / "reports" / "trials.sqlite", *measured("some/model"), models=[configuration("some/model")])
    later = session(id="s2", started_at=9.0, edition=EDITION.model_copy(update={"id": "later"}))
    with Store.open(folder / "reports" / "trials.sqlite") as store:
        store.begin_session(later, [])
    assert "edition later" in tell("items").out
    assert "edition small" in tell("items", "--edition=small").out
