"""Cardinal, Ordinal and diversity against the published tables."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from roles_samples import DATA, drawn, leaderboard, oracle

from independence_bench.kinds.roles.metrics import ranking
from independence_bench.kinds.roles.metrics.answers import population_from
from independence_bench.kinds.roles.metrics.factor_fit import means
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation
from independence_bench.kinds.roles.metrics.rank_correlation import Array

pytestmark = pytest.mark.filterwarnings("error")


def table(name: str) -> tuple[list[str], Array]:
    with (DATA / "ranking" / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    models = [row.pop("model") for row in rows]
    return models, np.array([[float(number) for number in row.values()] for row in rows])


def test_cardinal_is_the_mean_of_the_published_columns() -> None:
    models, columns = table("table72.csv")
    for model, row in zip(models, columns, strict=True):
        parts = (row[:36].mean(), 1 - row[36:45].mean(), row[45:54].mean(), 1 - row[54:63].mean(), 1 - row[63:].mean())
        expected = float(leaderboard()[model]["Cardinal (Score)"])
        assert ranking.cardinal(*parts) == pytest.approx(expected, abs=1e-4)
        assert ranking.cardinal(*parts) == pytest.approx(row.mean())


def test_cardinal_equals_all_35_published_rows_within_a_thousandth() -> None:
    rows = oracle("ranking/seed_table.json")["models"]
    assert len(rows) == 35
    for row in rows:
        found = ranking.cardinal(row["ro"], row["stress"], row["cfi"], row["srmr"], row["rmsea"])
        assert found == pytest.approx(row["cardinal"], abs=1e-3)


def test_ordinal_is_the_mean_win_rate_over_the_published_columns() -> None:
    models, columns = table("table72.csv")
    _, wins = table("table72_win.csv")
    found = ranking.ordinal(columns)
    assert found == pytest.approx(wins.mean(axis=1))
    assert dict(zip(models, found, strict=True)) == pytest.approx(
        {model: float(row["Ordinal (Win rate)"]) for model, row in leaderboard().items()}
    )


def test_diversity_equals_the_published_one_with_and_without_truncation() -> None:
    _, columns = table("table72.csv")
    expected = json.loads((DATA / "ranking" / "expected_diversity.json").read_text())["cardinal"]
    assert ranking.diversity(columns, truncated=True) == pytest.approx(expected["W"], abs=1e-9)
    assert ranking.diversity(columns) == pytest.approx(0.262897, abs=1e-6)
    assert ranking.max_mrc(columns) == pytest.approx(expected["max_MRC"], abs=1e-9)


def test_columns_that_agree_have_no_diversity_and_opposite_ones_the_most() -> None:
    agreeing = np.array([[1.0, 10.0, 3.0], [2.0, 20.0, 4.0], [3.0, 30.0, 5.0]])
    assert ranking.diversity(agreeing) == pytest.approx(0)
    assert ranking.max_mrc(agreeing) == 0
    assert ranking.ordinal(agreeing) == pytest.approx([0, 0.5, 1])
    opposed = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])
    assert ranking.diversity(opposed) == pytest.approx(1)
    assert ranking.max_mrc(opposed) == 1


def test_ties_are_no_wins() -> None:
    assert ranking.ordinal(np.array([[1.0], [1.0], [0.0]])) == pytest.approx([0.5, 0.5, 0])


def test_one_model_or_no_column_cannot_be_ranked() -> None:
    for nothing in (np.ones((1, 5)), np.ones((3, 0))):
        assert np.isnan(ranking.ordinal(nothing)).all()
        assert np.isnan(ranking.diversity(nothing))
        assert np.isnan(ranking.max_mrc(nothing))


def test_chance_is_0_and_perfection_1_on_the_rescaled_cardinal() -> None:
    assert ranking.above_chance(0.242, 0.242) == 0
    assert ranking.above_chance(1.0, 0.242) == 1


def test_columns_turn_every_measure_so_that_more_is_better() -> None:
    measured = MeasuredPopulation(population_from(drawn(), Path("made-up")), resamples=2)
    fits = means([*measured.structure["c1"].values()])
    found = measured.columns
    assert found["rank_order/c0/c1"] == pytest.approx(measured.orders.overall)
    assert found["1-stress/c1"] == pytest.approx(1 - measured.stress[1])
    assert [found[f"{name}/c1"] for name in ("cfi", "1-srmr", "1-rmsea")] == [fits.cfi, 1 - fits.srmr, 1 - fits.rmsea]
    assert len(found) == 1 + 2 * 4
