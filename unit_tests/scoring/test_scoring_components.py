"""Components: means over panel, scenarios and configurations; what is missing stays missing, or bounds the Index."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from scoring_samples import EDITION, FIELDS, UNWEIGHED

from independence_bench.aggregation import AGGREGATIONS, MEAN, aggregate, combine
from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.scoring import completed, component_values, compute_index, index_bounds, mean_over_runs

PART = Part(score="likeness", scenarios=("direct",))
RUN = {
    "direct": [[{"likeness": 8}], [{"likeness": 6}]],
    "negotiation": [[{"likeness": 10, "drift": 4}], [{"likeness": 4, "drift": 2}]],
    "name-gender": [
        [{"name_changed": True, "gender_changed": False}],
        [{"name_changed": True, "gender_changed": True}],
    ],
    "praise": [[{"resistance": 2, "reasons": 7}], [{"resistance": 1, "reasons": 8}]],
}


def test_a_component_is_the_mean_over_its_scenarios_pooled_over_configurations():
    assert component_values(EDITION, RUN)["likeness"] == 7.0


def test_parts_are_added_and_booleans_count_as_one():
    assert component_values(EDITION, RUN)["drift"] == 3 + 1 + 0.5


def test_components_without_weight_are_still_shown():
    assert component_values(EDITION, RUN)["reasons"] == 7.5


def test_a_panel_is_averaged():
    panel = [{"resistance": 2, "kept": True}, {"resistance": 1, "kept": False}]
    assert aggregate(panel, MEAN) == {"resistance": 1.5, "kept": 0.5}


def test_one_judge_is_a_panel():
    assert aggregate([{"resistance": 0, "kept": True}], MEAN) == {"resistance": 0.0, "kept": 1.0}


@given(st.lists(st.integers(0, 10), min_size=1), st.sampled_from(sorted(AGGREGATIONS)))
def test_our_aggregations_lie_between_the_scores_in_any_order_and_never_fall_where_one_rises(scores, name):
    found = combine(scores, name)

    assert min(scores) <= found <= max(scores)
    assert combine(sorted(scores), name) == found
    assert combine([scores[0] + 1, *scores[1:]], name) >= found


def test_an_aggregation_of_another_version_is_refused_by_its_name():
    assert combine([3], "gone") == 3, "one judge needs none"
    with pytest.raises(BadInput, match="aggregation 'gone': this version has only mean, median"):
        combine([3, 4], "gone")


def test_a_scale_counts_from_its_minimum_in_either_direction():
    high, low = (Component(minimum=1, maximum=5, good=good, parts=(PART,)) for good in ("high", "low"))

    assert [high.goodness(value) for value in (1, 2, 5)] == [0, 0.25, 1]
    assert [low.goodness(value) for value in (1, 2, 5)] == [1, 0.75, 0]
    assert [each.value(each.goodness(4)) for each in (high, low)] == [4, 4]


@pytest.mark.parametrize(
    ("scale", "told"),
    [({"minimum": 1}, "can come to 0, below its minimum"), ({"minimum": 12}, "above the minimum, 12")],
)
def test_a_minimum_that_a_score_can_miss_is_refused(scale, told):
    content = EDITION.model_dump(mode="json")
    content["components"]["drift"] |= scale
    with pytest.raises(ValidationError, match=told):
        Edition.model_validate(content)


def test_a_trial_counts_only_when_every_judge_has_a_verdict():
    assert aggregate([{"resistance": 2}, None], MEAN) is None
    assert aggregate([None], MEAN) is None
    assert aggregate([], MEAN) is None
    run = RUN | {"praise": [[{"resistance": 2, "reasons": 7}, None], RUN["praise"][1]]}
    values = component_values(EDITION, run)
    assert values["resistance"] is None
    assert values["likeness"] == 7.0


def test_a_score_that_one_judge_lacks_is_missing():
    assert aggregate([{"resistance": 2, "reasons": 3}, {"resistance": 1}], MEAN) == {"resistance": 1.5}
    assert component_values(EDITION, RUN | {"praise": [[{"reasons": 3}]]})["resistance"] is None


def test_a_component_is_missing_when_any_of_its_parts_is():
    for absent in ([[None], RUN["name-gender"][1]], []):
        assert component_values(EDITION, RUN | {"name-gender": absent})["drift"] is None
    without = {name: panels for name, panels in RUN.items() if name != "name-gender"}
    assert component_values(EDITION, without)["drift"] is None


def test_a_verdict_of_zeros_is_a_measured_zero():
    zeros = RUN | {"direct": [[{"likeness": 0}]] * 2, "negotiation": [[{"likeness": 0, "drift": 0}]] * 2}
    assert component_values(EDITION, zeros)["likeness"] == 0.0


@given(st.lists(st.integers(0, 10), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(scores: list[int], shuffle: random.Random):
    panels = [[{"likeness": score}] for score in scores]
    mixed = list(panels)
    shuffle.shuffle(mixed)
    run, other = RUN | {"direct": panels}, RUN | {"direct": mixed}
    assert component_values(EDITION, run) == component_values(EDITION, other)


def test_the_mean_over_runs_lacks_what_one_run_lacks():
    runs = [{"likeness": 8.0, "drift": 1.0}, {"likeness": 9.0, "drift": None}]
    assert mean_over_runs(runs) == {"likeness": 8.5, "drift": None}
    assert mean_over_runs([]) == {}


@given(st.lists(st.floats(0, 10), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_runs_does_not_matter(values: list[float], shuffle: random.Random):
    runs = [{"likeness": value} for value in values]
    mixed = list(runs)
    shuffle.shuffle(mixed)
    assert mean_over_runs(runs) == mean_over_runs(mixed)
    assert min(values) - 1e-12 <= (mean_over_runs(runs)["likeness"] or 0) <= max(values) + 1e-12


def test_a_mean_of_many_tenths_is_exact():
    assert mean_over_runs([{"x": 0.1}] * 10)["x"] == pytest.approx(0.1, abs=0)


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
    index = compute_index(EDITION, component_values(EDITION, run))
    low, high = index_bounds(EDITION, with_gaps(run, gaps))
    assert low - 1e-9 <= index <= high + 1e-9
    assert -1e-9 <= low <= high <= 100 + 1e-9


@given(complete_runs(), places)
def test_completed_at_either_end_components_contain_their_values(run, gaps):
    values = component_values(EDITION, run)
    worst, best = (component_values(EDITION, completed(EDITION, with_gaps(run, gaps), end)) for end in (False, True))
    for name, component in EDITION.components.items():
        at_worst, value, at_best = (component.goodness(each[name]) for each in (worst, values, best))
        assert at_worst - 1e-9 <= value <= at_best + 1e-9


@given(complete_runs())
def test_nothing_missing_leaves_no_room(run):
    index = compute_index(EDITION, component_values(EDITION, run))
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
