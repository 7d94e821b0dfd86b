"""ROLE_STABILITY.md and the terminal's table: every column explained with its chance level, foreign texts inert."""

from dataclasses import replace

import numpy as np
import pytest
from markdown_it import MarkdownIt
from role_world import RoleWorld, at_random, design, keeper
from test_report_roles_building import report

from independence_bench.kinds.roles.metrics.measured import SINGLE
from independence_bench.kinds.roles.metrics.rank_order import paired_difference
from independence_bench.kinds.roles.reporting.role_board import RoleBoard
from independence_bench.kinds.roles.reporting.role_columns import (
    CARDINAL,
    RANK_ORDER,
    rho_interval,
    rho_text,
    share_text,
)
from independence_bench.kinds.roles.reporting.role_kind import KIND
from independence_bench.kinds.roles.reporting.role_markdown import role_markdown
from independence_bench.kinds.roles.reporting.role_report import RoleReport
from independence_bench.kinds.roles.reporting.role_text import role_details

HOSTILE = "m](http://evil)<script>|\x1b[31m`"


def report_of(board: RoleBoard) -> RoleReport:
    return replace(report(), board=board)


def heads(text: str) -> set[str]:
    return {
        cell.strip()
        for line, rule in zip(text.splitlines(), text.splitlines()[1:], strict=False)
        if rule.startswith("| ---")
        for cell in line.strip("|").split("|")
    }


def test_every_number_of_the_board_is_explained_with_best_and_chance() -> None:
    text = role_markdown(report().board)
    legend = text.split("## Legend")[1]
    tables = text.split("## Rank order by value")[0] + text.split("## Structure")[1].split("## How differently")[0]
    for head in heads(tables) - {"", "Model", "Runs"}:
        assert f"**{head}**" in legend, head
    assert legend.count("answers at random:") + legend.count("answers at random have none") == len(SINGLE)


def test_the_ranking_ends_with_what_chance_and_perfection_come_to() -> None:
    ranking = role_markdown(report().board).split("## Ranking")[1].split("##")[0].strip().splitlines()
    assert [line.split("|")[2].strip() for line in ranking[2:6]] == [
        "`good` ~",
        "`wild` ~",
        "*answers at random*",
        "*best possible*",
    ]
    assert CARDINAL.chance(report().board) in ranking[4]
    assert "±" in RANK_ORDER.chance(report().board)


def test_the_tables_have_every_number_and_the_difference_of_every_pair() -> None:
    tables, (good, wild, part) = KIND.tables_of(report()), report().results
    (pair,) = tables.pairs
    assert (pair.first, pair.second, pair.number, pair.over) == (
        good.entry.row,
        wild.entry.row,
        "rank_order",
        "personas",
    )
    found = paired_difference(pair.difference, good.draws - wild.draws, good.personas)
    assert found is not None and (pair.interval, pair.p_value) == (found.interval, found.p_value)
    assert pair.differs is True and pair.difference == pytest.approx(np.mean(good.by_run) - np.mean(wild.by_run))
    numbers = {(each.row.label, each.name): each for each in tables.numbers}
    assert len(numbers) == len(tables.numbers) == 2 * (len(SINGLE) + 10) + len(SINGLE)
    order = numbers["good", "rank_order"]
    assert order.interval is not None and order.interval[0] < (order.value or 0) < order.interval[1]
    assert (order.over, numbers["good", "cardinal"].rank, numbers["good", "srmr"].good) == ("personas", 1, "low")
    assert numbers[part.entry.row.label, "rank_order"].value is None


def test_missing_interviews_are_told_with_their_reasons() -> None:
    text = role_markdown(report().board)
    part = text.split("## Not ranked")[1].split("##")[0]
    assert "- `part` ~: 2 of 24 interviews missing" in part
    assert "  - 1 × connection refused: chess-p1 r1" in part


def test_pairs_values_contexts_and_both_papers_stand_there() -> None:
    text = role_markdown(report().board)
    assert "| chess | " in text
    assert "survey: The survey (value survey)" in text
    assert "| Model | Self-Direction | Stimulation |" in text
    assert "10.1371/journal.pone.0309114" in text
    assert "`CITATION.cff`" in text


def test_equal_boards_give_equal_bytes() -> None:
    assert role_markdown(report().board) == role_markdown(report().board.model_copy())


def hostile_board() -> RoleBoard:
    world = RoleWorld(design(4, survey=False, retest=False))
    world.play(HOSTILE, at_random())
    world.play("part" + HOSTILE, keeper(), without=("chess-p1",))
    world.failure("part" + HOSTILE, "chess-p1", HOSTILE)
    return world.report().board


def test_hostile_labels_and_reasons_are_neither_markup_nor_escape_sequences() -> None:
    board = hostile_board()
    page = MarkdownIt("gfm-like", {"linkify": False}).render(role_markdown(board))
    assert "<script>" not in page
    assert 'href="http://evil' not in page
    assert "&lt;script&gt;" in page
    for text in (KIND.text(report_of(board)), role_details(board, 200), role_markdown(board)):
        assert "\x1b" not in text


def test_an_edition_without_survey_and_retest_has_no_columns_for_them() -> None:
    text = role_markdown(hostile_board())
    for absent in ("Portrait–survey", "Ceiling", "Of ceiling"):
        assert absent not in text


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_the_terminal_table_fits_its_width_and_names_what_is_left_out(width: int) -> None:
    text = KIND.text(report(), width)
    assert max(map(len, text.splitlines())) <= width
    assert "answers at random" in text
    assert ("Hidden (terminal too narrow)" in text) == (width < 160)
    assert "22/24" in text


def test_the_column_by_run_stands_only_where_a_model_has_several_runs() -> None:
    assert "by run " in KIND.text(report(), 160)
    assert "by run " not in KIND.text(report_of(hostile_board()), 160).split("Ranked by")[0]


def test_details_put_chance_beside_every_number() -> None:
    text = role_details(report().board, 160)
    line = next(line for line in text.splitlines() if line.startswith("Rank order "))
    assert RANK_ORDER.chance(report().board) in line
    assert "Rank order by value" in text
    assert "Hidden (terminal too narrow): best possible." in role_details(report().board, 60)


def test_a_board_without_models_says_so() -> None:
    board = report().board.model_copy(update={"models": [], "diversity": None})
    assert "Nothing is measured yet." in role_markdown(board)
    assert "Nothing is measured yet." in KIND.text(report_of(board))


def test_a_cardinal_score_that_is_undefined_is_shown_by_its_bounds() -> None:
    world = RoleWorld(design(4, survey=False))
    world.play("same", lambda _persona, _context, item: 1 + item % 6)
    board = world.report().board
    low, high = board.models[0].cardinal_bounds
    assert f"**{rho_interval((low, high))}**" in role_markdown(board)
    assert "same" in KIND.text(report_of(board))


def test_columns_left_out_of_the_ranking_are_named() -> None:
    world = RoleWorld(design(4, survey=False))
    world.play("same", lambda _persona, _context, item: 1 + item % 6)
    world.play("other", at_random())
    assert "Left out, undefined for at least one model: " in role_markdown(world.report().board)


@pytest.mark.parametrize(
    ("number", "text"), [(0.0004, "0.000"), (-0.0004, "0.000"), (-0.25, "−0.250"), (None, "–"), (1.0, "1.000")]
)
def test_a_number_has_no_sign_where_it_rounds_to_zero(number: float | None, text: str) -> None:
    assert rho_text(number) == text


def test_intervals_are_rounded_outwards_and_small_shares_are_not_none() -> None:
    assert rho_interval((0.123, 0.456)) == "0.12 to 0.46"
    assert rho_interval((-0.001, 0.5)) == "−0.01 to 0.50"
    assert (share_text(0.0), share_text(0.0001), share_text(0.034), share_text(None)) == (
        "0 %",
        "< 0.1 %",
        "3.4 %",
        "–",
    )


def test_many_models_and_reasons_are_cut_with_a_pointer_to_the_json() -> None:
    board = report().board
    good, _, part = board.models
    missing = [part.missing[0].model_copy(update={"reason": f"trouble {n}"}) for n in range(14)]
    many = board.model_copy(update={"models": [good] * 7 + [part.model_copy(update={"missing": missing})]})
    text = role_markdown(many)
    assert "The other 2 models: see `role_stability.json`." in text
    assert "2 more for other reasons, see `role_stability.json`" in text


def test_a_model_that_only_overridden_fixtures_asked_is_named_and_not_ranked() -> None:
    world = RoleWorld(design(4, survey=False))
    world.play("planned", at_random())
    world.play("elsewhere", at_random(), overridden=True)
    board = world.report().board

    assert [row.label for row in board.models] == ["planned"]
    assert "elsewhere was asked by overridden fixtures only (12 trials measured)" in " ".join(board.notes)
