"""The analysis of reliability: the field, its top, experiments and components; and what is said of it."""

import random

import pytest
from report_samples import World, leaderboard_markdown

from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.reliability import ReliabilityPart


@pytest.fixture
def world() -> World:
    return World()


def measured(world: World, models: int, runs: int = 2, spread: int = 3) -> None:
    chance = random.Random(4)
    for place in range(models):
        level = chance.randint(5 - spread, 5 + spread)
        for run in range(1, runs + 1):
            near = {name: min(10, max(0, level + chance.randint(-2, 2))) for name in ("who", "praise", "crowd")}
            world.graded_run(f"m{place}", run, **near)


def parts(world: World) -> dict[str, ReliabilityPart]:
    found = build_leaderboard(world.store, world.session).reliability
    assert found is not None
    return {part.part: part for part in found.parts}


def section(world: World) -> str:
    text = leaderboard_markdown(build_leaderboard(world.store, world.session))
    return text.split("\n## Reliability\n")[1].split("\n## ")[0]


def test_the_field_its_top_every_experiment_and_every_weighed_component_have_theirs(world):
    measured(world, models=12)
    found = parts(world)
    assert list(found) == ["all models", "top 10", "identity", "boundary", "likeness", "drift", "resistance"]
    assert [found[name].models for name in ("all models", "top 10", "identity")] == [12, 10, 12]
    assert [found[name].scenarios for name in ("all models", "identity", "boundary")] == [3, 1, 2]
    assert found["identity"].items_random is None  # a single scenario
    whole = found["all models"]
    assert 0 < whole.model_share < 1
    assert whole.items_fixed.interval[0] < whole.items_fixed.estimate < whole.items_fixed.interval[1]


def test_it_says_how_far_apart_two_models_change_places(world):
    measured(world, models=12)
    whole = parts(world)["all models"]
    text = section(world)
    assert (
        f"Two models that are {whole.items_fixed.one_in_four:.1f} points apart change places in one of four "
        "repetitions of the same scenarios" in text
    )
    assert "The top is chosen by the Index that it is then measured by" in text


def test_what_is_not_above_zero_is_shown_as_that_and_kept_as_it_is(world):
    measured(world, models=6, spread=0)
    found = parts(world)
    least = min(each.items_fixed.estimate for each in found.values())
    assert least < 0
    assert "| ≤ 0 " in section(world)
    assert "≤ 0: the models differ by no more than chance would have them differ" in section(world)


def test_below_two_models_with_two_runs_there_is_no_such_section(world):
    measured(world, models=4, runs=1)
    board = build_leaderboard(world.store, world.session)
    assert board.reliability is None
    assert "## Reliability" not in leaderboard_markdown(board)
    world.run("alone", 1)
    world.run("alone", 2)
    assert build_leaderboard(world.store, world.session).reliability is None
