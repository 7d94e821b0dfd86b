"""The board of role stability: ranks, means over runs, intervals, what is left out, its page, text, tables and JSON."""

from functools import cache

import numpy as np
import pytest
from role_world import RoleWorld, at_random, design, interview, keeper

from independence_bench.kinds.roles.metrics.rank_order import run_interval
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_kind import KIND
from independence_bench.kinds.roles.reporting.role_numbers import NUMBERS, ORDER
from independence_bench.kinds.roles.reporting.role_numbers import at_random as chance_text
from independence_bench.kinds.roles.reporting.role_results import RoleReport
from independence_bench.report.views.json_text import json_text

pytestmark = pytest.mark.slow

HOSTILE = "m](http://evil)<script>|\x1b[31m`"


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


def alike(**others) -> RoleReport:
    world = RoleWorld(design(4, survey=False))
    world.play("same", lambda _persona, _context, item: 1 + item % 6)
    for label, score in others.items():
        world.play(label, score)
    return world.report()


def test_models_are_ranked_by_rank_order_and_incomplete_ones_stand_last() -> None:
    assert [(row.label, row.rank, row.tier) for row in report().board.models] == [
        ("good", 1, 1),
        ("wild", 2, 2),
        ("part", None, None),
    ]
    assert row("good").rank_interval == (1, 1)
    assert row("good").ordinal > row("wild").ordinal


def test_a_model_with_a_missing_interview_has_no_number_but_its_reasons() -> None:
    part = row("part")
    assert (part.numbers, part.by_run, part.answers, part.ends("rank_order")) == ({}, [], None, None)
    assert (part.measured, part.planned) == (22, 24)
    assert part.cost_usd is not None  # the failed attempt counts
    page = KIND.markdown(report()).split("## Not ranked")[1].split("##")[0]
    assert "- `part` ~: 2 of 24 interviews missing" in page
    assert "  - 1 × connection refused: chess-p1 r1" in page
    text = KIND.text(report(), 80)
    assert "6 personas in 3 contexts" in text and "22/24" in text


def test_several_runs_are_averaged_and_have_an_interval_by_run() -> None:
    good, wild = row("good"), row("wild")
    orders = [run.number("rank_order") for run in good.by_run]
    assert good.number("rank_order") == pytest.approx(sum(orders) / 2)
    assert good.interval_by_run == pytest.approx(run_interval(orders))
    low, high = good.ends("rank_order")
    assert low < good.number("rank_order") < high
    assert wild.interval_by_run is None
    assert wild.ends("rank_order") == wild.by_run[0].ends("rank_order")


def test_every_pair_of_contexts_is_on_the_board_and_the_retest_is_apart() -> None:
    pairs = {(pair.first, pair.second): pair for pair in row("good").pairs}
    assert set(pairs) == {("none", "chess"), ("none", "survey"), ("chess", "survey")}
    assert pairs["none", "survey"].kind == "portrait_survey"
    mean = sum(pair.rank_order for pair in pairs.values()) / 3
    assert row("good").number("rank_order") == pytest.approx(mean)
    assert row("good").number("ceiling") > 0.5


def test_a_share_of_a_ceiling_that_could_be_chance_is_not_given() -> None:
    assert row("good").number("share_of_ceiling") == pytest.approx(1, abs=0.2)
    assert row("wild").number("share_of_ceiling") is None


def test_chance_is_that_of_this_very_design_and_beside_every_number() -> None:
    chance, good = report().board.chance, row("good")
    assert chance.populations == 4
    assert abs(chance.mean.rank_order) < 0.3
    level = chance.mean.cardinal
    assert good.number("cardinal_above_chance") == pytest.approx((good.number("cardinal") - level) / (1 - level))
    line = next(line for line in KIND.details(report(), 160).splitlines() if line.startswith("Rank order "))
    assert chance_text(chance, ORDER) in line and "±" in line


def test_answers_and_tokens_are_counted_over_all_runs() -> None:
    good = row("good")
    assert good.answers.items == 2 * 6 * (3 * 20 + 21)
    assert good.answers.at_once == sum(run.answers.at_once for run in good.by_run)
    assert good.prompt_tokens == 10 * good.answers.items
    assert (good.number("unparsed_share"), row("part").number("unparsed_share")) == (0, None)


def test_notes_say_what_a_reader_must_know() -> None:
    notes = " ".join(report().board.notes)
    for words in (
        "are not comparable with those that others have published",
        "programs that come with the benchmark",
        "With 6 personas",
        "A single run has no interval by run",
    ):
        assert words in notes


def test_a_note_names_a_model_of_which_much_could_not_be_read() -> None:
    world = RoleWorld(design(4, survey=False, retest=False))
    silent = [
        exchange.model_copy(update={"reply": exchange.reply.model_copy(update={"answer": "no"})})
        for exchange in interview(world.roles.questionnaires[0], lambda _: 3)
    ]
    world.play("m", at_random(), said={"none-p0": silent})
    board = world.report().board
    assert board.models[0].number("unparsed_share") == pytest.approx(1 / 8)
    assert any("m left 12 % of the items unparsed" in note for note in board.notes)


def test_the_board_survives_its_json() -> None:
    board = report().board
    assert RoleBoard.model_validate_json(json_text(board, "models")) == board


def test_a_population_that_answers_alike_has_no_rank_and_still_has_bounds() -> None:
    (same,) = alike().board.models
    assert (same.number("rank_order"), same.number("cardinal"), same.rank) == (None, None, None)
    assert same.cardinal_bounds[0] < same.cardinal_bounds[1]
    assert [pair.rank_order for pair in same.pairs] == [None]
    assert "all personas answer alike" in KIND.text(alike())


def test_columns_that_a_model_lacks_are_left_out_of_the_ordinal_score_and_named() -> None:
    assert "Left out, undefined for at least one model: " in KIND.markdown(alike(other=at_random()))


def test_an_empty_store_has_an_empty_board_that_says_so() -> None:
    report = RoleWorld(design(3, survey=False, retest=False)).report()
    assert (report.board.models, report.board.diversity, report.board.updated) == ([], None, None)
    for text in (KIND.markdown(report), KIND.text(report)):
        assert "Nothing is measured yet." in text


def test_every_number_is_explained_and_both_papers_are_named() -> None:
    page = KIND.markdown(report())
    legend = page.split("## Legend")[1]
    assert all(f"**{number.head}**: " in legend for number in NUMBERS.values() if number.means)
    assert "10.1371/journal.pone.0309114" in page and "`CITATION.cff`" in page
    assert all(f"| {number.head} |" in page.split("## All numbers")[1] for number in NUMBERS.values())


def test_an_edition_without_survey_and_retest_has_no_numbers_of_them() -> None:
    world = RoleWorld(design(4, survey=False, retest=False))
    world.play("m", at_random())
    numbers = KIND.markdown(world.report()).split("## All numbers")[1].split("##")[0]
    assert "Ipsative" in numbers
    assert not any(absent in numbers for absent in ("Portrait–survey", "Ceiling", "Of ceiling"))


def test_the_tables_have_every_number_and_the_difference_of_every_pair() -> None:
    tables, (good, wild, part) = KIND.tables_of(report()), report().results
    (pair,) = tables.pairs
    assert (pair.first, pair.second, pair.number, pair.over) == (
        good.entry.row,
        wild.entry.row,
        "rank_order",
        "personas",
    )
    alone = KIND.pairs([wild, good]).difference(1, 0)
    assert alone is not None and (pair.interval, pair.p_value) == (alone.interval, alone.p_value)
    assert pair.differs is True and pair.difference == pytest.approx(np.mean(good.by_run) - np.mean(wild.by_run))
    numbers = {(each.row.label, each.name): each for each in tables.numbers}
    assert len(numbers) == 3 * len(NUMBERS)
    order = numbers["good", "rank_order"]
    assert order.interval is not None and order.interval[0] < (order.value or 0) < order.interval[1]
    assert (order.over, order.rank, numbers["good", "srmr"].good) == ("personas", 1, "low")
    assert numbers["good", "rank_order_Power"].value is not None
    assert numbers[part.entry.row.label, "rank_order"].value is None
