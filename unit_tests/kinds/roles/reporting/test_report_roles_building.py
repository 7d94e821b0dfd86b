"""The leaderboard of role stability: ranks, means over runs, intervals, what is left out, and its JSON."""

from functools import cache

import pytest
from role_world import RoleWorld, at_random, design, interview, keeper

from independence_bench.kinds.roles.metrics.rank_order import run_interval
from independence_bench.kinds.roles.reporting.role_board import AnswerCounts, RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_report import RoleReport
from independence_bench.report.views.json_text import json_text

pytestmark = pytest.mark.slow


@cache
def report() -> RoleReport:
    """A keeper with two runs, a model that answers at random, and one that is not complete."""
    world = RoleWorld()
    world.play("good", keeper(noise=0.4))
    world.play("good", keeper(noise=0.5), 2)
    world.play("wild", at_random(), model_id="offline/wild")
    world.play("part", keeper(), without=("chess-p1", "again-p3"))
    world.failure("part", "chess-p1", "connection refused")
    return world.report()


def row(label: str) -> RoleRow:
    return next(row for row in report().board.models if row.label == label)


def test_models_are_ranked_by_the_cardinal_score_and_incomplete_ones_stand_last() -> None:
    assert [(row.label, row.rank) for row in report().board.models] == [("good", 1), ("wild", 2), ("part", None)]
    assert row("good").numbers.cardinal > row("wild").numbers.cardinal
    assert row("good").ordinal > row("wild").ordinal


def test_a_model_with_a_missing_interview_has_no_number_but_its_reasons() -> None:
    part = row("part")
    assert (part.numbers, part.runs, part.answers, part.rank_order_interval) == (None, [], None, None)
    assert (part.measured, part.planned) == (22, 24)
    assert {(missing.scenario, missing.reason) for missing in part.missing} == {
        ("chess-p1", "connection refused"),
        ("again-p3", "not asked yet"),
    }
    assert part.cost_usd is not None  # the failed attempt counts


def test_several_runs_are_averaged_and_have_an_interval_by_run() -> None:
    good = row("good")
    orders = [run.numbers.rank_order for run in good.runs]
    assert good.numbers.rank_order == pytest.approx(sum(orders) / 2)
    assert good.rank_order_interval_by_run == pytest.approx(run_interval(orders))
    low, high = good.rank_order_interval
    assert low < good.numbers.rank_order < high
    assert row("wild").rank_order_interval_by_run is None
    assert row("wild").rank_order_interval == row("wild").runs[0].rank_order_interval


def test_every_pair_of_contexts_stands_there_and_the_retest_is_apart() -> None:
    pairs = {(pair.first, pair.second): pair for pair in row("good").pairs}
    assert set(pairs) == {("none", "chess"), ("none", "survey"), ("chess", "survey")}
    assert pairs["none", "survey"].kind == "portrait_survey"
    mean = sum(pair.rank_order for pair in pairs.values()) / 3
    assert row("good").numbers.rank_order == pytest.approx(mean)
    assert row("good").numbers.ceiling > 0.5


def test_a_share_of_a_ceiling_that_could_be_chance_is_not_given() -> None:
    assert row("good").numbers.share_of_ceiling == pytest.approx(1, abs=0.2)
    assert row("wild").numbers.share_of_ceiling is None


def test_chance_is_that_of_this_very_design() -> None:
    chance = report().board.chance
    assert chance.populations == 4
    assert abs(chance.mean.rank_order) < 0.3
    assert row("good").cardinal_above_chance == pytest.approx(
        (row("good").numbers.cardinal - chance.mean.cardinal) / (1 - chance.mean.cardinal)
    )


def test_answers_and_tokens_are_counted_over_all_runs() -> None:
    good = row("good")
    assert good.answers.items == 2 * 6 * (3 * 20 + 21)
    assert good.answers.at_once == sum(run.answers.at_once for run in good.runs)
    assert good.prompt_tokens == 10 * good.answers.items
    assert AnswerCounts().unparsed_share is None


def test_notes_say_what_a_reader_must_know() -> None:
    notes = " ".join(report().board.notes)
    assert "are not comparable with those that others have published" in notes
    assert "programs that come with the benchmark" in notes
    assert "With 6 personas" in notes
    assert "A single run has no interval by run" in notes


def test_much_that_could_not_be_read_is_said() -> None:
    world = RoleWorld(design(4, survey=False, retest=False))
    silent = [
        exchange.model_copy(update={"reply": exchange.reply.model_copy(update={"answer": "no"})})
        for exchange in interview(world.roles.questionnaires[0], lambda _: 3)
    ]
    world.play("m", at_random(), said={"none-p0": silent})
    board = world.report().board
    assert board.models[0].answers.unparsed_share == pytest.approx(1 / 8)
    assert any("m left 12 % of the items unparsed" in note for note in board.notes)


@pytest.mark.usefixtures("analysed_afresh")
def test_the_board_survives_its_json_and_equal_stores_give_equal_bytes() -> None:
    board = report().board
    text = json_text(board, "models")
    assert RoleBoard.model_validate_json(text) == board
    assert json_text(report.__wrapped__().board, "models") == text


def test_a_population_that_answers_alike_is_undefined_and_still_has_bounds() -> None:
    world = RoleWorld(design(4, survey=False))
    world.play("same", lambda _persona, _context, item: 1 + item % 6)
    (same,) = world.report().board.models
    assert same.numbers.rank_order is None
    assert same.numbers.cardinal is None
    assert same.rank is None
    assert same.cardinal_bounds[0] < same.cardinal_bounds[1]
    assert [pair.rank_order for pair in same.pairs] == [None]


def test_an_empty_store_has_an_empty_board() -> None:
    world = RoleWorld(design(3, survey=False, retest=False))
    board = world.report().board
    assert (board.models, board.diversity, board.updated) == ([], None, None)
