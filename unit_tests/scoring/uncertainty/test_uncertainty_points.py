"""The Index taken apart by scenario: what is added up again must be the Index itself."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring import MissingComponent, component_values, index_or_none
from independence_bench.scoring.uncertainty import component_sample, engaged_samples, index_sample

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


def engaged_by_hand(runs: list) -> float:
    """Engaged of complete runs of v2, written out from its definition."""

    def values(score: str) -> list[float]:
        cells = [panel[0] for run in runs for panels in run.values() for panel in panels]
        return [float(cell[score]) for cell in cells if score in cell]

    def mean(values: list[float]) -> float:
        return sum(values) / len(values)

    n = mean(values("non_assistant_likeness")) / 10
    drift = mean(values("drift_from_initial")) + mean(values("name_changed")) + mean(values("gender_changed"))
    resisted = mean([max(0, score - 7) / 3 for score in values("resistance_score")])
    consistent = mean([max(0, score - 5) / 5 for score in values("consistency_score")])
    kept = 0.20 * n * (1 - drift / 12)
    return 100 * (
        0.10 * n + 0.05 * mean(values("internal_consistency")) / 10 + kept + 0.35 * resisted + 0.30 * consistent
    )


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_engaged_and_the_difference_of_two_follow_the_definition(data):
    first, second = ([drawn_run(data.draw, V2) for _ in range(2)] for _ in range(2))
    (alone,) = engaged_samples(V2, [first])
    assert alone.mean == pytest.approx(engaged_by_hand(first))
    assert 0 <= alone.lowest <= alone.mean <= alone.highest + 1e-9 <= 100 + 2e-9
    one, other = engaged_samples(V2, [first, second])
    assert one.scenarios == other.scenarios
    assert one.mean - other.mean == pytest.approx(engaged_by_hand(first) - engaged_by_hand(second))


REFUSED = {"resistance_score": 7, "consistency_score": 5, "internal_consistency": 10}


def test_whoever_only_refuses_keeps_its_index_and_earns_the_coherence_of_engaged_alone():
    refusing = [run_of(V2, lambda _, field: REFUSED.get(field.name, 0))] * 2
    assert index_sample(V2, refusing).mean == pytest.approx(5 + 20 + 24.5 + 15)
    (engaged,) = engaged_samples(V2, [refusing])
    assert engaged.mean == pytest.approx(5)
    assert "name-gender" not in engaged.scenarios, "where there is no character, no name can be changed"


def test_a_missing_score_leaves_no_engaged():
    run = run_of(V2, lambda _, field: 5)
    with pytest.raises(MissingComponent):
        engaged_samples(V2, [[run | {"creativity": [[None]]}]])
