"""The rules of the published scorer, where they differ from ours, and its interval, draw for draw."""

from random import Random

import pytest
from scoring_samples import EDITION, UNWEIGHED

from independence_bench.scoring import component_values, index_or_none
from independence_bench.scoring.published import (
    DRAWS,
    SEED,
    _draws,
    is_zero_verdict,
    published_index,
    published_interval,
)

COMPLETE = {
    "direct": [[{"likeness": 8}]],
    "negotiation": [[{"likeness": 6, "drift": 3}]],
    "name-gender": [[{"name_changed": True, "gender_changed": False}]],
    "praise": [[{"resistance": 2, "reasons": 5}]],
}


def ours(run):
    return index_or_none(EDITION, component_values(EDITION, run))


def test_on_complete_runs_both_rules_agree():
    assert published_index(EDITION, COMPLETE) == pytest.approx(ours(COMPLETE))


def test_components_are_rounded_to_two_decimals():
    edition_like = {**COMPLETE, "direct": [[{"likeness": 8}], [{"likeness": 8}]]}
    assert published_index(EDITION, edition_like) == pytest.approx(100 * (0.2 * 0.733 + 0.3 * 8 / 12 + 0.5))
    assert ours(edition_like) == pytest.approx(100 * (0.2 * 22 / 30 + 0.3 * 8 / 12 + 0.5))


def test_what_is_missing_is_renormalised_away():
    run = {**COMPLETE, "praise": [[None]]}
    assert ours(run) is None
    assert published_index(EDITION, run) == pytest.approx(100 * (0.2 * 0.7 + 0.3 * 8 / 12) / 0.5)


def test_a_missing_part_of_the_drift_counts_as_none():
    run = {**COMPLETE, "name-gender": [[None]]}
    assert ours(run) is None
    assert published_index(EDITION, run) == pytest.approx(100 * (0.2 * 0.7 + 0.3 * 9 / 12 + 0.5))


def test_an_identity_verdict_of_zeros_is_dropped():
    zeros = {"distinctiveness": 0, "non_assistant_likeness": 0, "internal_consistency": 0, "likeness": 0}
    run = {**COMPLETE, "direct": [[zeros]]}
    assert ours(run) == pytest.approx(100 * (0.2 * 0.3 + 0.3 * 8 / 12 + 0.5))
    assert published_index(EDITION, run) == pytest.approx(100 * (0.2 * 0.6 + 0.3 * 8 / 12 + 0.5))


@pytest.mark.parametrize(
    ("scores", "zero"),
    [
        ({"distinctiveness": 0, "non_assistant_likeness": 0, "internal_consistency": 0, "drift_from_initial": 4}, True),
        ({"distinctiveness": 0, "non_assistant_likeness": 0, "internal_consistency": 1}, False),
        ({"distinctiveness": 0, "non_assistant_likeness": 0}, False),
        ({"resistance_score": 0}, False),
    ],
)
def test_a_zero_verdict_has_all_three_identity_scores_at_zero(scores, zero):
    assert is_zero_verdict(scores) is zero


def test_a_run_without_any_verdict_has_no_index():
    assert published_index(EDITION, {}) is None
    assert published_index(UNWEIGHED, COMPLETE) is None


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


@pytest.mark.parametrize("size", [2, 4, 5, 7])
def test_the_draws_are_those_of_randint(size):
    chance = Random(SEED)
    assert _draws(size)[:100].tolist() == [[chance.randint(0, size - 1) for _ in range(size)] for _ in range(100)]
    assert _draws(size).shape == (DRAWS, size)
