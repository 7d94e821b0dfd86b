"""A result as the statistics see it: its sample, of all runs or of the first few."""

import pytest
from report_samples import EDITION, GOOD, JUDGE, SECOND_JUDGE, World, board_of, cells, session_of

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.records import gather
from independence_bench.report.gate.baseline import sample_of_row
from independence_bench.report.views.json_text import json_text
from independence_bench.spec import PanelJudge

THIRD_JUDGE = PanelJudge(label="judge/three", model_id="judge/three", configuration="J3")


def result_of(world: World, runs: int | None = None) -> ModelResult:
    gathered = gather(world.store, world.session)
    (records,) = gathered.records
    return ModelResult(world.session, records, gathered.verdicts, runs)


def test_the_sample_of_a_result_adds_up_to_the_index_of_each_run(world):
    world.run("a", 1)
    world.run("a", 2, who={"drift": 10, "changed": True})
    sample = result_of(world).sample
    assert list(sample.by_run) == [pytest.approx(95), pytest.approx(65)]
    assert sample.scenarios == ("who", "praise", "crowd")


def test_an_incomplete_result_has_no_sample_but_keeps_that_of_a_component_that_is_complete(world):
    world.run("a", 1)
    world.trial("a", "who", {"likeness": 5, "drift": 0, "changed": False}, run=2)
    result = result_of(world)
    assert result.sample is None
    assert result.component_sample("resistance") is None
    assert list(result.component_sample("likeness").by_run) == [100, 50]


def test_a_result_of_the_first_runs_knows_nothing_of_later_ones(world):
    for run in (1, 2, 3):
        world.run("a", run, who={"likeness": run})
    result = result_of(world, runs=2)
    assert (result.complete, result.sample.runs) == (True, 2)
    assert len(result.trials) == 6
    assert result.sample.mean == pytest.approx(result_of(world).sample.by_run[:2].mean())


def test_a_result_of_more_runs_than_were_begun_is_incomplete(world):
    world.run("a", 1)
    result = result_of(world, runs=2)
    assert not result.complete
    assert result.sample is None


def test_a_result_of_no_run_has_no_sample(world):
    world.run("a", 1)
    result = result_of(world, runs=0)
    assert result.sample is None
    assert result.component_sample("likeness") is None


def test_a_component_that_the_edition_lacks_is_an_error(world):
    world.run("a", 1)
    with pytest.raises(KeyError, match="charm"):
        result_of(world).component_sample("charm")


# The sample of a row that was read from a file


def read_back(board: Leaderboard) -> Leaderboard:
    return Leaderboard.model_validate_json(json_text(board, "models"))


def assert_the_row_s_sample_is_the_standing_s(world: World) -> None:
    (row,) = read_back(board_of(world)).models
    made, rebuilt = result_of(world).sample, sample_of_row(world.session.edition, row)
    assert (rebuilt.base, rebuilt.scenarios, rebuilt.strata) == (made.base, made.scenarios, made.strata)
    for name in ("points", "worth", "rounding"):
        assert getattr(rebuilt, name).tolist() == getattr(made, name).tolist(), name


def test_the_sample_of_a_row_is_that_of_its_standing(world):
    world.run("a", 1, who={"drift": 3})
    world.run("a", 2, praise={"resistance": 7})
    assert_the_row_s_sample_is_the_standing_s(world)


def test_the_sample_of_a_panel_s_row_is_that_of_its_standing():
    world = World(session_of(panel=(JUDGE, SECOND_JUDGE, THIRD_JUDGE)))
    for name in GOOD:
        for judge, likeness, resistance in ((JUDGE, 10, 9), (SECOND_JUDGE, 7, 9), (THIRD_JUDGE, 3, 4)):
            scores = GOOD[name] | ({"likeness": likeness} if name == "who" else {"resistance": resistance})
            world.trial("a", name, scores, judges=(judge,), said=name, key=name, at=2000.0)
    assert_the_row_s_sample_is_the_standing_s(world)


def test_the_sample_of_a_row_of_several_configurations_is_that_of_its_standing():
    edition = Edition.model_validate(EDITION.model_dump() | {"system_variants": ["strong", "neutral"]})
    world = World(session_of(edition=edition, planned=cells() + cells("neutral")))
    for run in (1, 2):
        world.run("a", run)
        for name in GOOD:
            changed = {"drift": run} if name == "who" else {"resistance": 3 * run}
            world.trial("a", name, GOOD[name] | changed, run, variant="neutral")
    assert_the_row_s_sample_is_the_standing_s(world)


def test_a_row_that_is_incomplete_or_holds_no_scores_has_no_sample(world):
    world.run("whole")
    world.trial("part", "who", GOOD["who"])
    whole, part = board_of(world).models
    assert sample_of_row(EDITION, whole) is not None
    assert sample_of_row(EDITION, part) is None
    assert sample_of_row(EDITION, whole.model_copy(update={"scenarios": []})) is None
    assert sample_of_row(Edition.model_validate(EDITION.model_dump() | {"components": {}}), whole) is None
