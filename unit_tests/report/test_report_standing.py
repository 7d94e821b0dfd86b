"""A standing as the statistics see it: its sample, of all runs or of the first few."""

import pytest
from report_samples import World

from independence_bench.report.evidence import gather
from independence_bench.report.standing import Standing


@pytest.fixture
def world() -> World:
    return World()


def standing_of(world: World, runs: int | None = None) -> Standing:
    gathered = gather(world.store, world.session)
    (evidence,) = gathered.evidence
    return Standing(world.session, evidence, gathered.verdicts, runs)


def test_the_sample_of_a_standing_adds_up_to_the_index_of_each_run(world):
    world.run("a", 1)
    world.run("a", 2, who={"drift": 10, "changed": True})
    sample = standing_of(world).sample
    assert list(sample.by_run) == [pytest.approx(95), pytest.approx(65)]
    assert sample.scenarios == ("who", "praise", "crowd")


def test_an_incomplete_standing_has_no_sample_but_keeps_that_of_a_component_that_is_complete(world):
    world.run("a", 1)
    world.trial("a", "who", {"likeness": 5, "drift": 0, "changed": False}, run=2)
    standing = standing_of(world)
    assert standing.sample is None
    assert standing.component_sample("resistance") is None
    assert list(standing.component_sample("likeness").by_run) == [100, 50]


def test_a_standing_of_the_first_runs_knows_nothing_of_later_ones(world):
    for run in (1, 2, 3):
        world.run("a", run, who={"likeness": run})
    standing = standing_of(world, runs=2)
    assert (standing.complete, standing.sample.runs) == (True, 2)
    assert len(standing.trials) == 6
    assert standing.sample.mean == pytest.approx(standing_of(world).sample.by_run[:2].mean())


def test_a_standing_of_more_runs_than_were_begun_is_incomplete(world):
    world.run("a", 1)
    standing = standing_of(world, runs=2)
    assert not standing.complete
    assert standing.sample is None


def test_a_standing_of_no_run_has_no_sample(world):
    world.run("a", 1)
    standing = standing_of(world, runs=0)
    assert standing.sample is None
    assert standing.component_sample("likeness") is None


def test_a_component_that_the_edition_lacks_is_an_error(world):
    world.run("a", 1)
    with pytest.raises(KeyError, match="charm"):
        standing_of(world).component_sample("charm")
