"""Intervals, rank intervals and tiers on the rows: as scoring gives them, and none where the Index is none."""

import pytest
from report_samples import EDITION, GOOD, World, board_of, cells, session_of

from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.formatting import shown_interval, shown_ranks
from independence_bench.report.gate.baseline import sample_of_row
from independence_bench.scoring.uncertainty import ceiling_share, interval, rank_intervals


@pytest.fixture
def world() -> World:
    return World(session_of(planned=cells() + cells("neutral", "user_role", official=False)))


def rows_of(world: World) -> dict[tuple[str, str | None], LeaderboardRow]:
    return {(row.label, row.configuration): row for row in board_of(world).models}


def middling(world: World, model: str, runs: int, resistance: int = 5) -> None:
    for run in range(1, runs + 1):
        scores = {"resistance": resistance + run % 2}
        world.run(model, run, who={"likeness": 3 + run % 3, "drift": 4}, praise=scores, crowd=scores)


def test_the_intervals_of_a_row_are_those_of_its_sample(world):
    middling(world, "a", 3)
    row = rows_of(world)["a", None]
    sample = sample_of_row(EDITION, row)
    assert row.interval_by_run == interval(sample, "run")
    assert row.interval_by_scenario == interval(sample, "scenario")
    assert row.interval_by_run[0] < row.index < row.interval_by_run[1]
    assert (row.ceiling_share, row.mostly_ceiling) == (0.0, False)
    assert board_of(world).confidence == 0.95


def test_a_single_run_has_no_interval_by_run_but_one_by_scenario_and_possible_ranks(world):
    middling(world, "a", 1)
    middling(world, "b", 1, 2)
    row = rows_of(world)["a", None]
    assert row.interval_by_run is None
    assert row.interval_by_scenario[0] < row.index < row.interval_by_scenario[1]
    assert (row.rank, row.rank_interval, row.tier) == (None, (1, 2), None)
    assert row.tier_by_scenario == 1


def test_runs_that_were_best_in_everything_have_width_and_are_said_to_be_mostly_ceiling(world):
    for run in (1, 2, 3, 4, 5):
        world.run("a", run, crowd={"resistance": 10})
    row = rows_of(world)["a", None]
    assert (row.index, row.ceiling_share, row.mostly_ceiling) == (100, 1, True)
    assert row.interval_by_run[0] < 87
    assert row.interval_by_run[1] == 100
    assert row.ceiling_share == ceiling_share(sample_of_row(EDITION, row))


def test_rank_intervals_and_tiers_are_those_of_the_ranked_rows_in_their_order(world):
    for model, resistance in (("low", 1), ("middle", 5), ("high", 8)):
        middling(world, model, 5, resistance)
    world.trial("incomplete", "who", GOOD["who"])
    board = board_of(world)
    rows, samples = board.models[:3], [sample_of_row(EDITION, row) for row in board.models[:3]]
    by_run, by_scenario = rank_intervals(samples, "run"), rank_intervals(samples, "scenario")
    assert [(*row.rank_interval, row.tier) for row in rows] == [tuple(each) for each in by_run]
    assert [(*row.rank_interval_by_scenario, row.tier_by_scenario) for row in rows] == [*map(tuple, by_scenario)]
    assert by_run != by_scenario
    assert [row.label for row in board.models[:3]] == ["high", "middle", "low"]


def test_an_incomplete_row_has_bounds_and_nothing_else(world):
    middling(world, "whole", 2)
    middling(world, "part", 1)
    world.trial("part", "who", GOOD["who"], run=2)
    row = rows_of(world)["part", None]
    assert row.bounds is not None
    assert (row.interval_by_run, row.interval_by_scenario, row.ceiling_share) == (None, None, None)
    assert (row.rank_interval, row.tier, row.mostly_ceiling) == (None, None, False)


def test_another_configuration_has_intervals_and_no_rank(world):
    middling(world, "a", 2)
    for run, name in ((run, name) for run in (1, 2) for name in GOOD):
        world.trial("a", name, GOOD[name], run, variant="neutral", delivery="user_role")
    row = rows_of(world)["a", "neutral+user_role"]
    assert row.interval_by_run is not None
    assert row.interval_by_scenario is not None
    assert (row.rank_interval, row.tier) == (None, None)
    assert rows_of(world)["a", None].rank_interval == (1, 1)


def test_a_single_scenario_has_no_interval_by_scenario_and_tells_ranks_apart_by_run_alone():
    part = Part(score="likeness", scenarios=("who",))
    components = {"likeness": Component(weight=1, maximum=10, parts=(part,)).model_dump()}
    edition = Edition.model_validate(
        EDITION.model_dump() | {"scenarios": [EDITION.scenarios[0].model_dump()], "components": components}
    )
    world = World(session_of(edition=edition))
    for run in (1, 2):
        world.trial("a", "who", {"likeness": 8 + run}, run)
        world.trial("b", "who", {"likeness": run}, run)
    row = rows_of(world)["a", None]
    assert row.interval_by_run is not None
    assert row.interval_by_scenario is None
    assert (row.rank_interval, row.tier) == ((1, 1), 1)
    assert (row.rank_interval_by_scenario, row.tier_by_scenario) == ((1, 2), None)
    assert board_of(world).certainty.unknown is None


def test_intervals_are_rounded_outwards_and_ranks_are_short():
    assert shown_interval((71.26, 78.01)) == "71.2–78.1"
    assert shown_interval((71.2, 78.0), mostly_ceiling=True) == "^71.2–78.0"
    assert shown_interval(None, mostly_ceiling=True) == "–"
    assert [shown_ranks(ranks) for ranks in ((1, 4), (2, 2), None)] == ["1–4", "2", "–"]
