"""Levels of looks: against published boundaries, and against a simulated walk that must cross as often as is allowed."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from independence_bench.scoring.uncertainty import Looks, Spending
from independence_bench.scoring.uncertainty.spending import look_levels

NORMAL = NormalDist()


class _OBrienFleming(Spending):
    def after(self, runs):
        return 2 - 2 * NORMAL.cdf(NORMAL.inv_cdf(1 - self.error / 2) / math.sqrt(runs / self.most))


class _Pocock(Spending):
    def after(self, runs):
        return self.error * math.log(1 + (math.e - 1) * runs / self.most)


@pytest.mark.parametrize(
    "spending, boundaries",
    [
        (_OBrienFleming(0.025, 5), [4.877, 3.357, 2.680, 2.290, 2.031]),
        (_Pocock(0.025, 5), [2.438, 2.427, 2.410, 2.397, 2.386]),
    ],
)
def test_the_boundaries_of_five_equal_looks_are_those_of_the_literature(spending, boundaries):
    found = [-NORMAL.inv_cdf(level) for level in look_levels(spending, range(1, 6))[0]]

    assert found == pytest.approx(boundaries, abs=0.003)


@pytest.mark.parametrize("spending", [Spending(0.1, 20), Spending(0.2, first=5)], ids=["planned", "open"])
@pytest.mark.parametrize("looks", [(3, 5, 8, 12, 20), tuple(range(2, 21))], ids=["few", "every run"])
def test_a_walk_has_crossed_by_each_look_as_often_as_may_have_been_spent(spending, looks):
    walks = np.random.default_rng(7).standard_normal((40_000, 20)).cumsum(axis=1)
    crossed = np.zeros(len(walks), dtype=bool)

    for runs, level in zip(looks, look_levels(spending, looks)[0], strict=True):
        crossed |= walks[:, runs - 1] / math.sqrt(runs) > -NORMAL.inv_cdf(level)
        allowed = spending.after(runs)
        assert crossed.mean() == pytest.approx(allowed, abs=4 * math.sqrt(allowed * (1 - allowed) / len(walks)))


def test_a_look_alone_spends_all_that_is_allowed_and_a_later_one_more_than_what_is_added():
    alone, later = look_levels(Spending(0.02, 20), [10])[0][0], look_levels(Spending(0.02, 20), [10, 20])[0][1]

    assert alone == pytest.approx(0.02 * 0.5, rel=1e-4)
    assert 0.02 - 0.02 * 0.5 < later < 0.02


def test_where_all_is_spent_or_these_runs_have_been_seen_a_look_has_no_level():
    looks = Looks(Spending(0.02, 20))

    assert [looks.look(runs) > 0 for runs in (5, 5, 3, 20, 25)] == [True, False, False, True, False]
    assert looks.level(30) == 0.0


def test_a_first_look_past_the_planned_end_has_the_level_of_the_end():
    assert look_levels(Spending(0.02, 20), [30])[0] == pytest.approx([0.02], rel=1e-4)


@pytest.mark.parametrize("first", [1, 5])
def test_a_single_look_is_judged_at_the_confidence_that_was_promised_and_leaves_half_for_extra_looks(first):
    spending = Spending.of(0.95, first)

    assert look_levels(spending, [first])[0] == pytest.approx([0.025], rel=1e-4)
    assert spending.after(2 * first) == pytest.approx(0.05 * 2 / 3)
    assert spending.after(10**6) < 0.05
    assert look_levels(spending, [first, 100])[0][1] > 0


def test_of_the_error_that_is_promised_declared_looks_plan_to_spend_only_a_part():
    assert 0 < Spending.of(0.95, 5, 20).error < 0.05 / 2
    assert Spending.of(0.9, 5, 20).error == pytest.approx(2 * Spending.of(0.95, 5, 20).error)
