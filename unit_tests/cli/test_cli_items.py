"""The command ``items``: every scenario of a store as an item, as text, CSV and JSON."""

import csv
import io
import json

import pytest
from cli_samples import CATALOGUE, EDITION, configuration, fill, measured, session

from independence_bench.kinds.edition_files import load_edition
from independence_bench.store import Store


def test_scenarios_are_printed_the_hardest_first(tell, store):
    told = tell("items")
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("Scenarios of edition small, judged by judge/one\n")
    assert told.out.index("\ncreativity") < told.out.index("\nsocial-proof")
    assert "| creativity |" in tell("items", "--format=markdown").out.replace("`", "")


def test_csv_and_json_hold_every_field(tell, store):
    rows = list(csv.DictReader(io.StringIO(tell("items", "--format=csv").out)))
    found = json.loads(tell("items", "--format=json").out)
    first, second = found["scenarios"]
    assert found["models"] == 2
    assert (
        [row["scenario"] for row in rows] == [first["scenario"], second["scenario"]] == ["creativity", "social-proof"]
    )
    assert float(rows[0]["difficulty"]) == first["difficulty"]
    assert rows[0]["discrimination"] == "" and rows[0].keys() >= first.keys() - {"discriminations"}


@pytest.mark.parametrize(
    ("kind", "words"), [(None, "holds no trial of edition small"), ("roles", "it has no Index to which items give")]
)
def test_where_there_is_no_item_it_says_so(tell, folder, kind, words):
    begun = session()
    if kind:
        begun = begun.model_copy(update={"edition": load_edition("roles-mini", CATALOGUE), "cells": ()})
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
