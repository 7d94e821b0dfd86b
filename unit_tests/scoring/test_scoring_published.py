"""The rules of the published scorer, where they differ from ours."""

import pytest
from scoring_samples import EDITION, UNWEIGHED

from independence_bench.scoring import component_values, index_or_none
from independence_bench.scoring.published import is_zero_verdict, published_index

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
