"""The editions: weights, and components that can be computed from what their rubrics ask for."""


def asked_in(scenario, rubrics):
    return {score["name"]: score for score in rubrics[scenario["rubric"]]["scores"]}


def test_every_edition_after_the_first_says_which_it_follows(editions):
    after = zip(editions, list(editions)[1:], strict=False)
    assert {new: old for old, new in after if not editions[new]["about"].startswith(f"Follows {old},")} == {}
    assert editions["v1"]["about"].startswith("The first edition")


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
    asked -= {"position_taken"}  # it decides the outcome's word
    assert {part["score"] for component in edition["components"].values() for part in component["parts"]} == asked


def test_the_maximum_of_a_component_is_the_sum_of_what_its_parts_can_reach(edition, its_scenarios, rubrics):
    by_id = {scenario["id"]: scenario for scenario in its_scenarios.values()}
    for name, component in edition["components"].items():
        reachable = 0
        for part in component["parts"]:
            score = asked_in(by_id[part["scenarios"][0]], rubrics)[part["score"]]
            reachable += 1 if score["type"] == "boolean" else score["maximum"]
        assert component["maximum"] == reachable, name
