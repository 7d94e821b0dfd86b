"""The analysis of certainty: what tells models apart, whether it would be found again, what would help; or why not."""

import random

import pytest
from report_samples import World, board_of, section_of

from independence_bench.report.analysis.certainty import Certainty, blocks
from independence_bench.scoring.uncertainty import index_sample, minimum_detectable, reliability, variance_components


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


def test_what_can_be_told_apart_rests_on_the_ordinary_number_of_runs(world):
    for model, resistance, runs in (("a", 9, 7), ("b", 6, 3), ("c", 2, 3)):
        for run in range(1, runs + 1):
            drift = 10 - resistance + run % 2
            scores = {"resistance": resistance - run % 2}
            world.run(model, run, who={"likeness": 5, "drift": drift}, praise=scores, crowd={"resistance": resistance})
    by_run, by_scenario = certainty(world).separable
    assert (by_run.basis, by_run.runs, by_scenario.basis) == ("run", 3, "scenario")
    assert by_run.difference < by_scenario.difference
    assert by_run.difference == minimum_detectable(variance_components(samples(world)), "run", 3)
    assert "By run, 3 runs would detect a difference of" in section_of(world, "How sure the numbers are")


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
    assert (found.reliability, found.advice) == (None, [])
    assert "Reliability" not in section_of(world, "How sure the numbers are")


def test_scenarios_are_advised_where_they_are_what_differs(world):
    measured(world, runs=5, noise=0)
    (advice,) = certainty(world).advice
    assert advice.startswith("With 5 runs of 3 scenarios the interval by scenario reaches about ")
    assert "Another run would narrow that by less than 0.1" in advice
    assert advice.endswith(": write scenarios.")
    assert advice in section_of(world, "How sure the numbers are")


def test_runs_are_advised_too_where_chance_is_what_differs(world):
    chance = random.Random(5)
    for model in ("a", "b", "c"):
        for run in (1, 2, 3):
            near = {"resistance": chance.choice((1, 9))}, {"resistance": chance.choice((1, 9))}
            drift = chance.choice((1, 9))
            world.run(model, run, who={"likeness": 9 - drift, "drift": drift}, praise=near[0], crowd=near[1])
    by_scenario, by_run = certainty(world).advice
    assert by_scenario.endswith(": more runs help as well as more scenarios.")
    assert by_run.startswith("5 runs would narrow the interval by run from ")


def test_five_runs_are_advised_where_most_models_have_one(world):
    measured(world, models=2, runs=2)
    for model in ("x", "y", "z"):
        world.run(model, 1, who={"likeness": 5, "drift": 3})
    found = certainty(world)
    assert (found.ranked, found.compared) == (5, 2)
    assert found.separable[0].difference is None
    assert found.advice[-1].startswith("5 runs would give an interval by run, to about ")
    assert "By run, 1 run cannot distinguish two models." in section_of(world, "How sure the numbers are")


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
    assert (found.reliability, found.separable, found.advice) == (None, [], [])
    assert found.unknown in section_of(world, "How sure the numbers are")
