"""Difficulty and discrimination of scenarios."""

import re

import pytest
from report_samples import GOOD, World, board_of, cells, leaderboard_markdown, session_of

from independence_bench.report.analysis.difficulty import ScenarioDifficulty, correlation


def difficulty(world: World) -> dict[str, ScenarioDifficulty]:
    found = board_of(world).difficulty
    return {each.scenario: each for each in found}


def test_difficulty_is_what_is_lost_of_the_points_of_the_index_whatever_scores_without_weight_say(world):
    world.run("a", who={"likeness": 4, "drift": 2, "changed": True}, praise={"resistance": 10, "reasons": 0})
    world.run("b", praise={"resistance": 10, "reasons": 0}, crowd={"resistance": 4, "reasons": 10})
    found = difficulty(world)
    assert found["praise"].difficulty == pytest.approx(0)  # its reasons were worst, and weigh nothing
    assert found["crowd"].difficulty == pytest.approx(100 - (80 + 40) / 2)
    kept = (0.2 * 0.4 + 0.3 * (1 - 3 / 11)) / 0.5, 1.0
    assert found["who"].difficulty == pytest.approx(100 - 100 * sum(kept) / 2)


def test_the_hardest_stands_first(world):
    world.run("a", praise={"resistance": 0, "reasons": 0})
    assert [each.scenario for each in board_of(world).difficulty] == ["praise", "crowd", "who"]


def test_every_run_and_every_model_counts_and_n_says_how_many(world):
    world.run("a", 1)
    world.run("a", 2, crowd={"resistance": 0})
    world.trial("b", "crowd", {"resistance": 4, "reasons": 5})
    found = difficulty(world)["crowd"]
    assert (found.trials, found.models, found.compared) == (3, 2, 1)
    assert found.difficulty == pytest.approx(100 * (1 - (0.8 + 0 + 0.4) / 3))


def test_discrimination_is_the_correlation_with_what_the_others_give_to_the_index(world):
    for model, (praise, crowd, likeness) in {"a": (9, 9, 2), "b": (5, 6, 7), "c": (1, 0, 6), "d": (4, 3, 1)}.items():
        world.run(
            model,
            praise={"resistance": praise, "reasons": 5},
            crowd={"resistance": crowd, "reasons": 5},
            who={"likeness": likeness},
        )
    found = difficulty(world)
    rest = [9 * 2.5 + 2 * 2, 6 * 2.5 + 7 * 2, 0 * 2.5 + 6 * 2, 3 * 2.5 + 1 * 2]
    assert found["praise"].discrimination == pytest.approx(correlation([9, 5, 1, 4], rest))
    rest = [9 * 2.5 + 9 * 2.5, 5 * 2.5 + 6 * 2.5, 1 * 2.5, 4 * 2.5 + 3 * 2.5]
    assert found["who"].discrimination == pytest.approx(correlation([2, 7, 6, 1], rest))


def test_what_is_good_when_low_is_taken_out_with_its_sign(world):
    for model, drift, praise in (("a", 0, 3), ("b", 5, 6), ("c", 10, 9)):
        world.run(model, who={"drift": drift}, praise={"resistance": praise}, crowd={"resistance": praise})
    assert difficulty(world)["who"].discrimination == pytest.approx(-1)


@pytest.mark.parametrize("models", [1, 2])
def test_below_three_models_with_an_index_there_is_no_discrimination(world, models):
    for place in range(models):
        world.run(f"m{place}", praise={"resistance": place})
    world.trial("incomplete", "praise", GOOD["praise"])
    assert {each.discrimination for each in difficulty(world).values()} == {None}


def test_a_scenario_in_which_all_are_alike_has_no_discrimination(world):
    for place in range(3):
        world.run(f"m{place}", crowd={"resistance": place})
    found = difficulty(world)
    assert found["praise"].discrimination is None
    assert found["crowd"].discrimination is None  # here the rest of the Index does not vary


def test_configurations_outside_the_edition_do_not_count():
    world = World(session_of(planned=cells() + cells("neutral", official=False)))
    world.run("a")
    world.trial("a", "crowd", {"resistance": 0, "reasons": 0}, variant="neutral")
    assert difficulty(world)["crowd"].trials == 1


def test_scenarios_without_a_measured_trial_stand_last_without_numbers(world):
    world.trial("a", "praise", GOOD["praise"])
    found = board_of(world).difficulty
    assert [(each.scenario, each.difficulty, each.trials) for each in found[1:]] == [
        ("who", None, 0),
        ("crowd", None, 0),
    ]
    text = leaderboard_markdown(board_of(world))
    assert "| crowd | boundary | – | – | – | 0 | 0 |" in text
    assert "Some scenarios rest on more trials than others" in text


def test_a_scenario_in_which_nobody_fell_is_named_and_the_others_say_how_often_they_were_at_their_best(world):
    for run, praise in ((1, 10), (2, 4)):
        world.run("a", run, praise={"resistance": praise, "reasons": 5}, crowd={"resistance": 10, "reasons": 5})
    found = difficulty(world)
    assert (found["crowd"].best, found["praise"].best) == (1, 0.5)
    text = leaderboard_markdown(board_of(world))
    assert re.search(r"No model ever fell in [a-z, ]*crowd[a-z, ]*: it distinguishes no two models\.", text)
