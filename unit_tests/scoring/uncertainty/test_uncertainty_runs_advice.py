"""Runs that are advised decide as often as is promised, cost the least, and are of the side that is to blame."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm

from independence_bench.scoring.uncertainty import Interval
from independence_bench.scoring.uncertainty.planning import Runs
from independence_bench.scoring.uncertainty.runs_advice import SURE, RunsAdvice

SD = 4.0


def advice(estimate: float, mark: float, now: Runs, prices=(1.0, 1.0), most: int = 100) -> RunsAdvice:
    """A drop whose spread is known: of one run, 4 points on both sides."""

    def ends(confidence: float, runs: Runs) -> Interval:
        half = norm.ppf((1 + confidence) / 2) * error(runs)
        return Interval(estimate - half, estimate + half)

    return RunsAdvice(mark, now, ends, lambda runs: 0.95, most, prices)


def error(runs: Runs) -> float:
    return SD * sqrt(1 / runs.model + (1 / runs.baseline if runs.baseline else 0))


@pytest.mark.parametrize(
    "estimate, mark, now", [(-1.5, 3.0, Runs(20, 3)), (4.0, 8.0, Runs(5, 5)), (80.0, 77.0, Runs(5, 0))]
)
def test_advice_that_is_followed_once_decides_in_nine_of_ten_cases(estimate, mark, now):
    found = advice(estimate, mark, now)
    best = found.cheapest()
    chance = np.random.default_rng(1)
    # The mean of more runs is the present one and that of the new runs, weighed by their information.
    later, now_ = error(best) ** 2, error(now) ** 2
    new = chance.normal(estimate, sqrt(later / (1 - later / now_)), 40_000)
    seen = estimate * later / now_ + new * (1 - later / now_)
    half = 1.96 * sqrt(later)

    decided = np.mean((seen + half <= mark) | (seen - half > mark))

    assert decided == pytest.approx(found.chance(best), abs=0.01)
    assert SURE - 0.01 < decided < 0.96


def test_the_side_with_fewer_runs_is_to_blame_and_advised():
    few = advice(4.4, 8.0, Runs(20, 3))

    assert few.baseline_share == pytest.approx(20 / 23, abs=0.01)
    for found, less in ((few, 1), (advice(4.4, 8.0, Runs(3, 20)), 0)):
        more = [then - before for then, before in zip(found.cheapest(), found.now, strict=True)]
        assert more[less] > 3 * more[1 - less]


@pytest.mark.parametrize("prices, grows", [((1.0, 10.0), 0), ((10.0, 1.0), 1)])
def test_where_either_side_would_do_money_decides(prices, grows):
    def ends(confidence: float, runs: Runs) -> Interval:
        half = norm.ppf((1 + confidence) / 2) * 8 / sqrt(sum(runs))
        return Interval(4 - half, 4 + half)

    best = RunsAdvice(8.0, Runs(5, 5), ends, lambda runs: 0.95, 100, prices).cheapest()

    assert best[grows] > 5 == best[1 - grows]


def test_too_close_to_the_mark_nothing_is_advised():
    assert advice(2.9, 3.0, Runs(5, 5)).cheapest() is None
    assert advice(4.0, 8.0, Runs(5, 5), most=6).cheapest() is None
