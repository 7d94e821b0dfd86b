"""Difficulty and discrimination of scenarios."""

import pytest
from report_samples import GOOD, World, cells, leaderboard_markdown, session_of

from independence_bench.report.analysis.difficulty import DIFFICULTY, GroupDifference, ScenarioDifficulty, correlation
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.blocks import Table


@pytest.fixture
def world() -> World:
    return World()


def difficulty(world: World) -> dict[str, ScenarioDifficulty]:
    found = build_leaderboard(world.store, world.session).difficulty
    return {each.scenario: each for each in found}


def test_the_mean_is_of_all_scores_as_shares_of_their_best(world):
    world.run("a", who={"likeness": 4, "drift": 2, "changed": True}, praise={"resistance": 7, "reasons": 5})
    found = difficulty(world)
    assert found["who"].mean == pytest.approx((0.4 + 0.8 + 0) / 3)
    assert found["praise"].mean == pytest.approx(0.6)
    assert (found["who"].trials, found["who"].models) == (1, 1)


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
    assert [each.scenario for each in build_leaderboard(world.store, world.session).difficulty] == [
        "praise",
        "crowd",
        "who",
    ]


def test_every_run_and_every_model_counts_and_n_says_how_many(world):
    world.run("a", 1)
    world.run("a", 2, crowd={"resistance": 0})
    world.trial("b", "crowd", {"resistance": 4, "reasons": 5})
    found = difficulty(world)["crowd"]
    assert (found.trials, found.models, found.compared) == (3, 2, 1)
    assert found.mean == pytest.approx((0.65 + 0.25 + 0.45) / 3)


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
    found = build_leaderboard(world.store, world.session).difficulty
    assert [(each.scenario, each.mean, each.trials) for each in found[1:]] == [("who", None, 0), ("crowd", None, 0)]
    text = leaderboard_markdown(build_leaderboard(world.store, world.session))
    assert "| crowd | boundary | – | – | – | – | – | – | – | – | 0 | 0 |" in text
    assert "Some scenarios rest on more trials than others" in text


def test_an_empty_store_has_no_such_section(world):
    assert build_leaderboard(world.store, world.session).difficulty == []
    assert "Scenario difficulty" not in leaderboard_markdown(build_leaderboard(world.store, world.session))


def graded(world: World, models: int = 12, *, thinkers_lose: int = 0) -> None:
    """Models of two vendors, half of them thinking, that differ everywhere; nobody falls in "crowd"."""
    for place in range(models):
        thinks, level = place % 2 == 0, 3 + place // 2
        world.know(f"m{place}", f"m{place}", vendor="a" if place % 3 else "b")
        for run in (1, 2):
            scores = {
                "who": {"likeness": level, "drift": 9 - level + run % 2},
                "praise": {"resistance": level - thinkers_lose * thinks, "reasons": 5},
                "crowd": {"resistance": 10, "reasons": 5},
            }
            for scenario, found in scores.items():
                world.trial(f"m{place}", scenario, GOOD[scenario] | found, run, thinks=thinks)


def test_a_scenario_in_which_nobody_fell_is_dead_and_the_others_say_how_often_they_were_at_their_best(world):
    graded(world)
    found = difficulty(world)
    assert (found["crowd"].best, found["crowd"].dead, found["crowd"].information) == (1, True, None)
    assert (found["praise"].best, found["praise"].dead) == (0, False)
    text = leaderboard_markdown(build_leaderboard(world.store, world.session))
    assert "No model ever fell in crowd: it distinguishes no two models." in text


def test_information_follows_from_the_discrimination_from_ten_models_on(world):
    graded(world, thinkers_lose=2)
    found = difficulty(world)["praise"]
    r = found.discrimination
    assert found.information == pytest.approx(r * r / (1 - r * r))
    few = World()
    graded(few, models=9)
    assert difficulty(few)["praise"].information is None


def test_models_that_think_and_fall_in_one_scenario_alone_are_named(world):
    graded(world, thinkers_lose=3)
    found = difficulty(world)
    assert found["praise"].thinking.p_value < 0.05
    assert found["praise"].vendor.p_value > 0.05
    assert found["crowd"].thinking is None  # nothing differs where nobody falls
    text = leaderboard_markdown(build_leaderboard(world.store, world.session))
    assert "By thinking (3 models or more), models that are equal elsewhere differ in " in text
    assert "By vendor (3 models or more), models that are equal elsewhere differ in no scenario" in text


def test_a_page_shows_of_a_scenario_only_the_groups_that_differ_significantly(world):
    graded(world, thinkers_lose=3)
    (table,) = (block for block in DIFFICULTY.blocks([*difficulty(world).values()]) if isinstance(block, Table))
    columns = {column.head: column for column in table.columns}
    (praise,) = (row for row in table.rows if row.scenario == "praise")
    assert columns["By vendor"].page(praise) == "–" != columns["By vendor"].cell(praise)
    assert columns["By thinking"].page(praise) == columns["By thinking"].cell(praise)
    assert [columns["Dead"].page(row) for row in table.rows if row.dead] == ["yes"]
    assert {columns["Dead"].page(row) for row in table.rows if not row.dead} == {"–"}


def test_who_serves_a_model_is_not_its_vendor(world):
    for place in range(12):
        world.know(f"m{place}", f"openrouter/m{place}" if place % 2 else f"maker/m{place}")
        for run in (1, 2):
            scores = GOOD["praise"] | {"resistance": place % 2 * 5 + run}
            world.trial(f"m{place}", "praise", scores, run)
            world.trial(f"m{place}", "who", GOOD["who"] | {"likeness": place // 2}, run)
            world.trial(f"m{place}", "crowd", GOOD["crowd"], run)
    assert difficulty(world)["praise"].vendor is None


@pytest.mark.parametrize(("p_value", "shown"), [(0.0004, "(p < 0.001)"), (0.013, "(p = 0.013)")])
def test_no_p_value_is_written_as_zero(p_value, shown):
    assert GroupDifference(group="z-ai", difference=-1.5, p_value=p_value, models=9).words == f"z-ai −1.5 SD {shown}"


def test_what_nothing_is_known_of_is_not_tested(world):
    for place in range(8):
        world.run(f"m{place}", praise={"resistance": place}, crowd={"resistance": (3 * place) % 8})
    assert difficulty(world)["praise"].thinking is None
