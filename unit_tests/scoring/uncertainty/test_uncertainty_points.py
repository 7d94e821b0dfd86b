"""The Index taken apart by scenario: what is added up again must be the Index itself."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring import MissingComponent, component_values, index_or_none
from independence_bench.scoring.uncertainty import component_sample, index_sample

V2 = load_edition("v2")


def run_of(edition, score):
    configurations = len(edition.system_variants) * len(edition.delivery_modes)
    return {
        scenario.id: [[{field.name: score(scenario.id, field) for field in scenario.rubric.scores}]] * configurations
        for scenario in edition.scenarios
        if scenario.rubric
    }


def drawn_run(draw, edition):
    def score(_, field):
        if field.type == "boolean":
            return draw(st.booleans())
        return draw(st.integers(field.minimum, field.maximum))

    return run_of(edition, score)


@settings(max_examples=15, deadline=None)
@given(st.data())
@pytest.mark.parametrize("edition", ["v1", "v1.1", "lite", "v2"])
def test_the_points_of_a_run_add_up_to_its_index(edition, data):
    resolved = load_edition(edition)
    runs = [drawn_run(data.draw, resolved) for _ in range(2)]
    sample = index_sample(resolved, runs)
    expected = [index_or_none(resolved, component_values(resolved, run)) for run in runs]
    assert sample.by_run.tolist() == pytest.approx(expected)
    assert (sample.points >= -1e-9).all()
    assert (sample.points <= sample.worth[:, None] + 1e-9).all()
    assert sample.highest == pytest.approx(100)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_the_points_of_scales_that_begin_above_zero_add_up_to_the_index(data):
    content = V2.model_dump(mode="json")
    for scenario in content["scenarios"]:
        for field in (scenario["rubric"] or {}).get("scores", ()):
            if field["type"] == "integer":
                field["minimum"] = 1
    for name in ("resistance_score", "consistency_score", "distinctiveness", "drift_from_initial"):
        content["components"][name]["minimum"] = 1
    scaled = Edition.model_validate(content)
    runs = [drawn_run(data.draw, scaled) for _ in range(2)]
    sample = index_sample(scaled, runs)

    expected = [index_or_none(scaled, component_values(scaled, run)) for run in runs]
    assert sample.by_run.tolist() == pytest.approx(expected)
    assert sample.highest == pytest.approx(100)
    assert all(0 <= index <= 100 for index in expected)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_the_points_of_a_component_are_the_share_of_its_best_value(data):
    runs = [drawn_run(data.draw, V2) for _ in range(2)]
    for name, component in V2.components.items():
        values = [component_values(V2, run)[name] for run in runs]
        shares = [100 * component.goodness(value) for value in values]
        assert component_sample(V2, runs, name).by_run.tolist() == pytest.approx(shares)


def test_the_best_scores_are_recognised_as_the_best_of_each_scenario():
    best = dict.fromkeys(("resistance_score", "consistency_score"), 10)

    def score(_, field):
        if field.good == "low":
            return False if field.type == "boolean" else 0
        return best.get(field.name, field.maximum if field.type == "integer" else True)

    sample = index_sample(V2, [run_of(V2, score)])
    assert sample.mean == pytest.approx(100)
    assert sample.always_best.all()


def test_a_scenario_without_weight_is_no_part_of_it():
    weighed = {scenario for name in V2.weights for part in V2.components[name].parts for scenario in part.scenarios}
    sample = index_sample(V2, [run_of(V2, lambda _, field: True if field.type == "boolean" else 5)])
    assert set(sample.scenarios) == weighed


def test_a_missing_score_gives_no_sample():
    run = run_of(V2, lambda _, field: True if field.type == "boolean" else 5)
    with pytest.raises(MissingComponent):
        index_sample(V2, [run, run | {"direct": [[None]]}])
    assert component_sample(V2, [run | {"direct": [[None]]}], "resistance_score").runs == 1


def test_an_unknown_component_is_a_key_error():
    with pytest.raises(KeyError, match="courage"):
        component_sample(V2, [run_of(V2, lambda _, field: 0)], "courage")
