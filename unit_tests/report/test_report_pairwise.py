"""Every pair of ranked models: the difference of the two, how sure it is, and how many pairs differ."""

import json

import pytest
from report_samples import EDITION, World, board_of, leaderboard_markdown

from independence_bench.report.gate.baseline import sample_of_row
from independence_bench.report.views.json_text import json_text
from independence_bench.scoring.uncertainty import difference


@pytest.fixture
def world() -> World:
    """Three models of four runs, one of a single run, and one that is incomplete."""
    world = World()
    for model, resistance, runs in (("a", 9, 4), ("b", 9, 4), ("c", 2, 4), ("once", 5, 1)):
        for run in range(1, runs + 1):
            scores = {"resistance": resistance - run % 2}
            world.run(
                model, run, who={"likeness": 4 + (run + (model == "a")) % 3, "drift": 4}, praise=scores, crowd=scores
            )
    world.failure("part", "who", "refused")
    return world


def test_each_pair_is_the_difference_of_the_two_by_run(world):
    board = board_of(world)
    rows = board.models[:4]
    found = json.loads(json_text(board, "models"))["pairwise"]
    assert found["labels"] == [row.label for row in rows] == ["a", "b", "once", "c"]
    assert found["identities"] == [row.identity for row in rows]
    assert [len(row) for row in found["differences"]] == [len(row) for row in found["p_values"]] == [3, 2, 1]
    for higher, row in enumerate(rows):
        for lower in range(higher + 1, 4):
            gap, p = (found[name][higher][lower - higher - 1] for name in ("differences", "p_values"))
            assert gap == pytest.approx(row.index - rows[lower].index, abs=0.0006)
            expected = difference(*(sample_of_row(EDITION, each) for each in (row, rows[lower])), "run")
            assert (p is None) == (expected is None)
            if expected is not None:
                assert p == pytest.approx(expected.p_value, rel=0.02)


def test_how_many_pairs_differ_is_said(world):
    board = board_of(world)
    assert (board.pairwise.compared, board.pairwise.apart) == (3, 2)
    text = leaderboard_markdown(board).partition("\n## Which models differ\n")[2].partition("\n## ")[0]
    assert "2 of 3 pairs of models differ by run (false discovery rate 5 %)." in text


def test_single_runs_cannot_be_compared_and_the_board_says_so_instead_of_none_of_none():
    world = World()
    world.run("a")
    world.run("b")
    board = board_of(world)
    text = leaderboard_markdown(board)
    assert board.pairwise.compared == 0
    assert "No two models can be compared by run: that needs two runs of each (--runs=5)." in text
    assert "0 of 0 pairs of models" not in text


def test_one_ranked_model_is_no_pair():
    world = World()
    world.run("a")
    board = board_of(world)
    assert board.pairwise is None
    assert "Which models differ" not in leaderboard_markdown(board)
