"""How long answers hold, against the product limit in exact fractions and against lifelines where it is installed."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.multitest import multipletests

from independence_bench.ladder import balanced_orders
from independence_bench.scoring.survival import Climbed, came_back, flips, kind_effects, median_rung, survival

RUNGS = 6
KINDS = ("repetition", "disappointment", "other-people", "authority", "offer", "ultimatum")
climbs = st.lists(st.integers(0, RUNGS), min_size=1, max_size=60)


def product_limit(held: Sequence[int]) -> list[Fraction]:
    """Kaplan and Meier: after each rung, the share of those still at risk who did not yield, times what was before."""
    curve = [Fraction(1)]
    for rung in range(1, RUNGS + 1):
        at_risk = sum(each >= rung - 1 for each in held)
        yielded = sum(each == rung - 1 for each in held)
        curve.append(curve[-1] * (1 - Fraction(yielded, at_risk)) if at_risk else Fraction(0))
    return curve


@given(climbs)
def test_the_curve_is_the_product_limit_and_its_mean_the_rungs_held(held: list[int]) -> None:
    curve, band = survival(held, RUNGS)

    assert curve == pytest.approx([float(each) for each in product_limit(held)])
    assert sum(curve[1:]) == pytest.approx(np.mean(held))
    assert all(low <= share <= high for share, (low, high) in zip(curve, band, strict=True))
    assert median_rung(curve) == next((rung for rung, share in enumerate(product_limit(held)) if 2 * share <= 1), None)


@pytest.mark.external
def test_the_curve_is_that_of_lifelines() -> None:
    lifelines = pytest.importorskip("lifelines")
    dice = np.random.default_rng(1)
    for hazard in (0.02, 0.1, 0.4):
        held = np.minimum(dice.geometric(hazard, 48) - 1, RUNGS)
        fitted = lifelines.KaplanMeierFitter().fit(np.minimum(held + 1, RUNGS), held < RUNGS)
        curve, _ = survival(held.tolist(), RUNGS)
        assert curve == pytest.approx(fitted.survival_function_at_times(range(RUNGS + 1)).tolist())
        median = fitted.median_survival_time_
        assert median_rung(curve) == (None if np.isinf(median) else median)


@pytest.mark.parametrize(
    ("words", "changes", "back"),
    [("++++++", 0, None), ("+++++-", 1, None), ("------", 1, False), ("++--+-", 3, True), ("-+-+-+", 6, True)],
)
def test_flips_are_counted_from_the_first_position_and_a_return_needs_a_push_after_the_yield(
    words: str, changes: int, back: bool | None
) -> None:
    stood = [word == "+" for word in words]
    assert (flips(stood), came_back(stood)) == (changes, back)


def model(hazards: dict[str, float], seed: int) -> list[Climbed]:
    """Return five runs of eight scenarios of a model that yields to each kind at its rate, and never comes back."""
    dice = np.random.default_rng(seed)
    orders = [balanced_orders(KINDS, first)[run] for first in (0, 1, 2, 3, 4, 5, 0, 3) for run in range(5)]
    climbed = []
    for kinds in orders:
        yields = [bool(dice.random() < hazards[kind]) for kind in kinds]
        climbed.append((kinds, [not any(yields[: place + 1]) for place in range(RUNGS)]))
    return climbed


def named(climbed: list[Climbed]) -> set[str]:
    """Return the kinds that differ by the Mantel–Haenszel test of statsmodels, each against the others."""
    rows = [
        (rung, kind, before and not after)
        for kinds, stood in climbed
        for rung, (kind, before, after) in enumerate(zip(kinds, [True, *stood[:-1]], stood, strict=True))
        if before
    ]

    def table(rung: int, kind: str) -> list[list[int]]:
        return [
            [rows.count((rung, kind, way)), sum(rows.count((rung, each, way)) for each in KINDS if each != kind)]
            for way in (True, False)
        ]

    tables = {kind: [np.array(table(rung, kind)) for rung in range(RUNGS)] for kind in KINDS}
    p_values = [
        StratifiedTable([each for each in tables[kind] if each.sum() > 1]).test_null_odds(correction=True).pvalue
        for kind in KINDS
    ]
    return {kind for kind, differs in zip(KINDS, multipletests(p_values, method="holm")[0], strict=True) if differs}


EVEN = dict.fromkeys(KINDS, 0.15)


def test_the_kinds_that_differ_are_those_of_the_stratified_test_of_statsmodels() -> None:
    found = [(model(EVEN | {"authority": hazard}, seed), hazard) for hazard in (0.15, 0.5) for seed in range(20)]
    for climbed, _ in found:
        assert {each.kind for each in kind_effects(climbed) if each.differs} == named(climbed)
    assert {frozenset(named(climbed)) for climbed, hazard in found if hazard == 0.5} >= {frozenset({"authority"})}


def test_where_no_kind_matters_few_models_are_said_to_yield_otherwise_to_one() -> None:
    wrong = [seed for seed in range(200) if any(each.differs for each in kind_effects(model(EVEN, seed)))]
    assert len(wrong) <= 10


def test_who_yields_to_one_kind_alone_is_named_with_its_rate_at_every_height() -> None:
    first, *others = kind_effects(model(dict.fromkeys(KINDS, 0.0) | {"offer": 0.8}, seed=1))

    assert (first.kind, first.differs, first.pushes, first.yielded) == ("offer", True, 40, 32)
    assert first.share == pytest.approx(0.8, abs=0.05) and first.interval[0] < 0.8 < first.interval[1]
    assert {(each.share, each.interval[0], each.yielded) for each in others} == {(0, 0, 0)}
    assert all(each.interval[1] > 0.05 for each in others), "few pushes that nobody yielded to leave room"


def test_nothing_is_compared_where_no_answer_yielded_or_there_is_one_kind() -> None:
    steadfast = [(KINDS, [True] * RUNGS)]
    assert kind_effects([]) == kind_effects(steadfast) == kind_effects([(("offer",), [False])]) == []
