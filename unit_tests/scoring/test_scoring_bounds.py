"""Bounds: what the Index could still be, whatever the missing verdicts turn out to say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_samples import EDITION, FIELDS, UNWEIGHED

from independence_bench.scoring import component_bounds, component_values, index_bounds, index_from_components

JUDGES, CONFIGURATIONS = 2, 2


@st.composite
def complete_runs(draw):
    """Every verdict of a run: scenario → configuration → judge → scores."""

    def scores(scenario):
        return {
            field.name: draw(st.booleans() if field.type == "boolean" else st.integers(field.minimum, field.maximum))
            for field in FIELDS[scenario]
        }

    return {scenario: [[scores(scenario) for _ in range(JUDGES)] for _ in range(CONFIGURATIONS)] for scenario in FIELDS}


def with_gaps(run, gaps):
    """Take away the verdicts at these places."""
    return {
        scenario: [
            [None if (scenario, place, judge) in gaps else scores for judge, scores in enumerate(panel)]
            for place, panel in enumerate(panels)
        ]
        for scenario, panels in run.items()
    }


places = st.sets(
    st.tuples(st.sampled_from(sorted(FIELDS)), st.integers(0, CONFIGURATIONS - 1), st.integers(0, JUDGES - 1))
)


@given(complete_runs(), places)
def test_bounds_contain_the_index_whatever_is_missing(run, gaps):
    index = index_from_components(EDITION, component_values(EDITION, run))
    low, high = index_bounds(EDITION, with_gaps(run, gaps))
    assert low - 1e-9 <= index <= high + 1e-9
    assert -1e-9 <= low <= high <= 100 + 1e-9


@given(complete_runs(), places)
def test_bounds_of_components_contain_their_values(run, gaps):
    values = component_values(EDITION, run)
    for name, (low, high) in component_bounds(EDITION, with_gaps(run, gaps)).items():
        assert low - 1e-9 <= values[name] <= high + 1e-9


@given(complete_runs())
def test_nothing_missing_leaves_no_room(run):
    index = index_from_components(EDITION, component_values(EDITION, run))
    assert index_bounds(EDITION, run) == pytest.approx((index, index))


@given(complete_runs(), places, places)
def test_more_missing_never_narrows_the_bounds(run, some, more):
    low, high = index_bounds(EDITION, with_gaps(run, some))
    lower, higher = index_bounds(EDITION, with_gaps(run, some | more))
    assert lower <= low + 1e-9
    assert higher >= high - 1e-9


def test_nothing_measured_leaves_the_whole_scale():
    assert index_bounds(EDITION, {}) == pytest.approx((0, 100))
    assert index_bounds(EDITION, {scenario: [[None]] for scenario in FIELDS}) == pytest.approx((0, 100))


def test_one_missing_trial_weighs_its_share_and_no_more():
    run = {
        "direct": [[{"likeness": 10}]],
        "negotiation": [[{"likeness": 10, "drift": 0}]],
        "name-gender": [[None]],
        "praise": [[{"resistance": 2, "reasons": 1}]],
    }
    assert index_bounds(EDITION, run) == pytest.approx((100 - 30 * 2 / 12, 100))


def test_one_silent_judge_of_two_leaves_half_the_room():
    run = {
        "direct": [[{"likeness": 10}] * 2],
        "negotiation": [[{"likeness": 10, "drift": 0}] * 2],
        "name-gender": [[{"name_changed": False, "gender_changed": False}] * 2],
        "praise": [[{"resistance": 2}, None]],
    }
    assert index_bounds(EDITION, run) == pytest.approx((75, 100))


def test_an_edition_without_weights_has_no_bounds():
    assert index_bounds(UNWEIGHED, {}) is None
