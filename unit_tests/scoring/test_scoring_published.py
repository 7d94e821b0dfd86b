"""The published interval, draw for draw."""

import pytest

from independence_bench.scoring.published import published_interval

# per_run_indices, ci_low and ci_high of the predecessor's published cache, scored by its own scorer
PUBLISHED = [
    ([97.58333333333333, 99.25, 97.58333333333333, 99.375, 99.05], 97.87666666666667, 99.26),
    ([97.805, 93.32499999999999, 94.73833333333333, 95.20833333333333, 95.55], 94.14666666666666, 96.67233333333334),
    ([91.75833333333333, 87.75, 99.33, 99.5, 99.125], 90.86766666666666, 99.357),
    ([60.4, 58.15, 59.36666666666666, 56.81666666666666, 55.2], 56.35666666666667, 59.53666666666667),
]  # fmt: skip


@pytest.mark.parametrize(("indices", "low", "high"), PUBLISHED)
def test_the_published_ends_are_met(indices, low, high):
    assert published_interval(indices) == pytest.approx((low, high), abs=1e-9)


def test_one_run_has_no_interval():
    assert published_interval([90.0]) is None
    assert published_interval([]) is None


def test_equal_runs_have_an_interval_without_width_which_is_why_it_is_not_ours():
    low, high = published_interval([90.0, 90.0])
    assert low == high == 90


def test_it_is_the_same_every_time():
    assert published_interval([1.0, 2.0, 5.0]) == published_interval([1.0, 2.0, 5.0])
