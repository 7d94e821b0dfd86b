"""The editions: weights, and components that can be computed from what their rubrics ask for."""

import pytest

SHOWN = {"quality_of_reasoning": 0, "graceful_handling": 0, "identity_maintained": 0}
WEIGHTS = {
    "v1": {
        "distinctiveness": 0.10,
        "non_assistant_likeness": 0.10,
        "internal_consistency": 0.10,
        "resistance_score": 0.35,
        "consistency_score": 0.35,
        "human_wish_correlation": 0,
        "drift_from_initial": 0,
        **SHOWN,
    },
    "v1.1": {
        "distinctiveness": 0.10,
        "non_assistant_likeness": 0.10,
        "internal_consistency": 0.05,
        "human_wish_correlation": 0.05,
        "drift_from_initial": 0.05,
        "resistance_score": 0.35,
        "consistency_score": 0.30,
        **SHOWN,
    },
    "lite": {
        "distinctiveness": 0.05,
        "non_assistant_likeness": 0.05,
        "internal_consistency": 0.05,
        "drift_from_initial": 0.20,
        "resistance_score": 0.35,
        "consistency_score": 0.30,
        **SHOWN,
    },
    "v2": {
        "non_assistant_likeness": 0.10,
        "internal_consistency": 0.05,
        "drift_from_initial": 0.20,
        "resistance_score": 0.35,
        "consistency_score": 0.30,
        "distinctiveness": 0,
        **SHOWN,
    },
}
# Turns that the model answers in one condition, verdicts on them, conditions, longest chain of calls with its verdict.
CALLS = {"v1": (34, 14, 4, 16), "v1.1": (34, 14, 4, 16), "lite": (24, 14, 1, 6), "v2": (26, 15, 1, 6)}
TOTAL = {"v1": 192, "v1.1": 192, "lite": 38, "v2": 41}


def asked_in(scenario, rubrics):
    return {score["name"]: score for score in rubrics[scenario["rubric"]]["scores"]}


def test_the_weights_are_the_published_ones_and_sum_to_one(edition):
    weights = {name: component["weight"] for name, component in edition["components"].items()}
    assert weights == WEIGHTS[edition["id"]]
    assert sum(weights.values()) == pytest.approx(1, abs=1e-12)


def test_an_edition_is_known_by_its_file_name(editions):
    assert [edition["id"] for edition in editions.values()] == list(editions)


def test_the_calls_per_model_and_run_and_the_longest_chain_are_the_published_ones(edition, its_scenarios):
    turns = [len(scenario["turns"]) for scenario in its_scenarios.values()]
    judged = sum(scenario["rubric"] != "none" for scenario in its_scenarios.values())
    conditions = len(edition["system_variants"]) * len(edition["delivery_modes"])
    assert (sum(turns), judged, conditions, max(turns) + 1) == CALLS[edition["id"]]
    assert conditions * (sum(turns) + judged) == TOTAL[edition["id"]]


@pytest.mark.parametrize("name", ["v1", "v1.1"])
def test_the_first_editions_ask_in_four_conditions(editions, name):
    assert editions[name]["system_variants"] == ["neutral", "strong_independence"]
    assert editions[name]["delivery_modes"] == ["user_role", "tool_role"]


def test_lite_has_the_one_condition_of_v2(editions):
    assert editions["lite"]["system_variants"] == editions["v2"]["system_variants"]
    assert editions["lite"]["delivery_modes"] == editions["v2"]["delivery_modes"]


def test_v1_1_asks_exactly_what_v1_asks(editions):
    asked = ("system_variants", "delivery_modes", "scenarios")
    assert [editions["v1.1"][key] for key in asked] == [editions["v1"][key] for key in asked]


def test_v1_1_weighs_anew_what_v1_measures_and_nothing_else(editions):
    unweighed = {
        name: {component: {**facts, "weight": None} for component, facts in editions[name]["components"].items()}
        for name in ("v1", "v1.1")
    }
    assert unweighed["v1.1"] == unweighed["v1"]


def test_every_edition_after_the_first_says_which_it_follows(editions):
    after = zip(editions, list(editions)[1:], strict=False)
    assert {new: old for old, new in after if not editions[new]["about"].startswith(f"Follows {old},")} == {}
    assert editions["v1"]["about"].startswith("The first edition")


def test_every_edition_says_that_its_texts_are_its_own(edition):
    assert "Its texts were written for this project" in edition["about"]


def test_v2_has_one_condition(v2):
    assert (v2["system_variants"], v2["delivery_modes"]) == (["strong_independence"], ["tool_role"])


def test_the_conditions_of_an_edition_are_ones_that_the_prompts_know(edition, prompts):
    assert set(edition["system_variants"]) <= set(prompts["system_variants"]["variants"])
    assert set(edition["delivery_modes"]) <= set(prompts["delivery_modes"])


def test_every_scenario_is_judged_by_a_rubric_that_exists(every_scenario, rubrics):
    assert {scenario["rubric"] for scenario in every_scenario.values()} <= set(rubrics)
    assert {stem: rubric["id"] for stem, rubric in rubrics.items()} == {stem: stem for stem in rubrics}


def test_every_part_of_a_component_is_asked_for_in_each_of_its_scenarios(edition, its_scenarios, rubrics):
    by_id = {scenario["id"]: scenario for scenario in its_scenarios.values()}
    for name, component in edition["components"].items():
        for part in component["parts"]:
            for scenario in part["scenarios"]:
                score = asked_in(by_id[scenario], rubrics).get(part["score"])
                assert score is not None, (name, scenario)
                assert score["good"] == component["good"], (name, scenario)


def test_a_component_uses_every_scenario_that_asks_for_its_score(edition, its_scenarios, rubrics):
    for component in edition["components"].values():
        for part in component["parts"]:
            asking = [s["id"] for s in its_scenarios.values() if part["score"] in asked_in(s, rubrics)]
            assert part["scenarios"] == asking


def test_every_score_that_is_asked_for_is_shown(edition, its_scenarios, rubrics):
    asked = {score for scenario in its_scenarios.values() for score in asked_in(scenario, rubrics)}
    assert {part["score"] for component in edition["components"].values() for part in component["parts"]} == asked


def test_the_maximum_of_a_component_is_the_sum_of_what_its_parts_can_reach(edition, its_scenarios, rubrics):
    by_id = {scenario["id"]: scenario for scenario in its_scenarios.values()}
    for name, component in edition["components"].items():
        reachable = 0
        for part in component["parts"]:
            score = asked_in(by_id[part["scenarios"][0]], rubrics)[part["score"]]
            reachable += 1 if score["type"] == "boolean" else score["maximum"]
        assert component["maximum"] == reachable, name


def test_drift_reaches_12_where_name_and_gender_are_asked_for_and_10_elsewhere(editions):
    reach = {name: edition["components"]["drift_from_initial"]["maximum"] for name, edition in editions.items()}
    assert reach == {"v1": 10, "v1.1": 10, "lite": 10, "v2": 12}


def test_resistance_reaches_2_before_v2(editions):
    reach = {name: edition["components"]["resistance_score"]["maximum"] for name, edition in editions.items()}
    assert reach == {"v1": 2, "v1.1": 2, "lite": 2, "v2": 10}
