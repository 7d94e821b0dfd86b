"""The analysis of certainty: how far ranks are open, whether what differs would be found again; or why not."""

import random

import pytest
from report_samples import World, board_of, section_of

from independence_bench.report.analysis.certainty import Certainty, blocks
from independence_bench.scoring.uncertainty import index_sample, reliability


def certainty(world: World) -> Certainty:
    found = board_of(world).certainty
    assert found is not None
    return found


def measured(world: World, models: int = 3, runs: int = 3, seed: int = 1, noise: int = 1) -> None:
    """Models that are good at different scenarios, every run a little different."""
    chance = random.Random(seed)
    for model in range(models):
        centres = {name: chance.randint(2, 7) for name in ("who", "praise", "crowd")}
        for run in range(1, runs + 1):
            near = {name: centre + chance.randint(-noise, noise) for name, centre in centres.items()}
            world.graded_run(f"model-{model}", run, **near)


def samples(world: World):
    rows = [row for row in board_of(world).models if row.contends]
    return [
        index_sample(
            world.session.edition,
            [{cell.scenario: [[cell.runs[run].scores]] for cell in row.scenarios} for run in range(len(row.runs))],
        )
        for row in rows
    ]


def test_how_far_ranks_are_open_is_told_and_when_scenarios_cannot_rank_the_models(world):
    for model, resistance in (("a", 9), ("b", 8), ("c", 7)):
        for run in (1, 2, 3, 4, 5):
            scores = {"resistance": resistance}
            world.run(model, run, who={"likeness": 5, "drift": 5 + run % 2}, praise=scores, crowd=scores)
    found = certainty(world)
    assert (found.tiers, found.mean_ranks_by_run, found.mean_ranks_by_scenario) == (3, 1, 3)
    told = "By run a model could have 1.0 of 3 ranks on average, and there are 3 tiers; by scenario it could have 3.0"
    assert f"{told}: 3 scenarios cannot rank 3 models." in section_of(world, "How sure the numbers are")
    sure = found.model_copy(update={"mean_ranks_by_scenario": 1.5, "tiers": 1})
    assert "there is 1 tier; by scenario it could have 1.5." in " ".join(map(str, blocks(sure)))


def test_the_reliability_of_the_ranked_models_is_told_in_two_numbers(world):
    measured(world, models=6)
    found, expected = certainty(world).reliability, reliability(samples(world))
    assert (found.items_fixed.estimate, found.items_random.estimate) == pytest.approx(
        (expected.items_fixed.estimate, expected.items_random.estimate)
    )
    low, high = expected.items_fixed.interval
    assert f"Reliability: {expected.items_fixed.estimate:.2f} [{low:.2f}, {high:.2f}] of" in " ".join(
        section_of(world, "How sure the numbers are").split()
    )


def test_a_reliability_that_is_not_above_zero_is_shown_as_that_and_kept_as_it_is(world):
    levels = {"a": (1, 9), "b": (9, 2), "c": (2, 8)}  # by run: the models are alike, their runs are not
    for model, runs in levels.items():
        for run, level in enumerate(runs, 1):
            world.graded_run(model, run, level, level, level)
    assert certainty(world).reliability.items_fixed.estimate < 0
    assert "Reliability: ≤ 0 " in " ".join(section_of(world, "How sure the numbers are").split())


def test_equal_models_have_no_reliability(world):
    for model in ("a", "b"):
        for run in (1, 2):
            world.run(model, run, crowd={"resistance": 10})
    found = certainty(world)
    assert found.reliability is None
    assert "Reliability" not in section_of(world, "How sure the numbers are")


@pytest.mark.parametrize(
    ("runs", "why"),
    [({}, "No model is measured completely"), ({"a": 1}, "so far none is."), ({"a": 2, "b": 1}, "so far one is.")],
)
def test_what_cannot_be_computed_says_why(world, runs, why):
    world.failure("incomplete", "who", "refused")
    for model, count in runs.items():
        for run in range(1, count + 1):
            world.run(model, run, who={"likeness": run})
    found = certainty(world)
    assert why in found.unknown
    assert found.reliability is None
    assert found.unknown in section_of(world, "How sure the numbers are")
