from itertools import combinations
from statistics import fmean, pstdev

import numpy as np
import pytest

from independence_bench.kinds.roles.design import VALUES
from independence_bench.offline.simulated_models.questionnaire import OfferedItem
from independence_bench.offline.simulated_models.values import FACET, VALUE, held, quantile

PEOPLE = [f"person {number}" for number in range(400)]


def correlation(one: OfferedItem, other: OfferedItem) -> float:
    return float(np.corrcoef([held(who, one) for who in PEOPLE], [held(who, other) for who in PEOPLE])[0, 1])


def item(value: str | None, number: int = 1) -> OfferedItem:
    return OfferedItem(f"{value}/{number}", value)


def test_who_is_asked_again_holds_the_same_dear():
    assert held("one", item("Power")) == held("one", item("Power")) != held("two", item("Power"))


def test_items_vary_about_nothing_with_the_stated_spread():
    for one in (item("Power"), item(None)):
        drawn = [held(who, one) for who in PEOPLE]
        assert fmean(drawn) == pytest.approx(0, abs=0.15)
        assert pstdev(drawn) ** 2 == pytest.approx(VALUE**2 + FACET**2, rel=0.2)


def test_neighbours_on_the_circle_go_together_and_opposites_apart():
    def apart(one: str, other: str) -> int:
        steps = abs(VALUES.index(one) - VALUES.index(other))
        return min(steps, 10 - steps)

    by_distance = {steps: [] for steps in range(1, 6)}
    for one, other in combinations(VALUES, 2):
        by_distance[apart(one, other)].append(correlation(item(one), item(other)))
    means = [fmean(found) for found in by_distance.values()]
    assert means == sorted(means, reverse=True)
    assert means[0] > 0.35
    assert means[-1] < -0.4


def test_two_items_of_one_value_go_together_and_items_of_no_value_with_nothing():
    assert correlation(item("Hedonism"), item("Hedonism", 2)) > 0.75
    assert abs(correlation(item(None), item(None, 2))) < 0.15
    assert abs(correlation(item(None), item("Hedonism"))) < 0.15


def test_a_quantile_is_the_share_below():
    assert (quantile(0), round(quantile(1.96), 3)) == (0.5, 0.975)
