"""The published Index of every model follows from its published components, by the edition's own weights."""

import json
from pathlib import Path

import pytest

from independence_bench import index_from_components
from independence_bench.scoring import MissingComponent

ROWS = Path(__file__).parents[1] / "data" / "index_rows"
ROUNDED = {"v1": 0.051, "lite": 0.11}
"""How far a published Index may lie from what its rounded components give: those of lite have one decimal."""

MISPRINTED = {"deepseek/deepseek-v3.2": 91.65}
"""In lite its own components do not give the Index printed beside them (92.3), but this."""


def rows(edition: str) -> list[dict]:
    return json.loads((ROWS / f"{edition}.json").read_text("utf-8"))["rows"]


def components(row: dict) -> dict[str, float]:
    return row.get("dimensions") or {
        name: value for name, value in row.items() if isinstance(value, float) and name != "index"
    }


@pytest.mark.parametrize(
    ("edition", "row"),
    [(edition, row) for edition in ROUNDED for row in rows(edition)],
    ids=lambda value: value if isinstance(value, str) else value["model"],
)
def test_the_published_index_follows_from_the_published_components(edition, row):
    index = index_from_components(edition, components(row))
    published = MISPRINTED.get(row["model"], row["index"]) if edition == "lite" else row["index"]
    assert index == pytest.approx(published, abs=ROUNDED[edition])


def test_the_misprinted_row_is_one_and_no_more():
    (row,) = [row for row in rows("lite") if row["model"] in MISPRINTED]
    assert abs(index_from_components("lite", components(row)) - row["index"]) > 0.5


def test_shares_in_per_cent_and_other_columns_are_ignored():
    row = components(rows("v1")[0])
    assert {"identity_maintained_pct", "graceful_handling", "human_wish_correlation"} <= set(row)
    weighed = ("distinctiveness", "non_assistant_likeness", "internal_consistency", "resistance_score")
    least = {name: row[name] for name in (*weighed, "consistency_score")}
    assert index_from_components("v1", least) == index_from_components("v1", row)


@pytest.mark.parametrize(("edition", "least"), [("v1", 5), ("v1.1", 7), ("lite", 6), ("v2", 5)])
def test_every_edition_needs_each_component_that_it_weighs(edition, least):
    with pytest.raises(MissingComponent) as raised:
        index_from_components(edition, {})
    assert len(raised.value.names) == least


def test_drift_of_v2_counts_name_and_gender_and_so_reaches_12():
    best = {"non_assistant_likeness": 10, "internal_consistency": 10, "resistance_score": 10, "consistency_score": 10}
    assert index_from_components("v2", {**best, "drift_from_initial": 12}) == pytest.approx(80)
    # Given apart it is not a component of the edition: whoever has it apart adds it before.
    assert index_from_components("v2", {**best, "drift_from_initial": 0, "name_gender_drift": 2}) == 100
