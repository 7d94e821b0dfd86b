"""What is sure of a board, on boards of which it would say something false."""

import pytest
from report_samples import World, board_of

from independence_bench.kinds.index.reporting.index_view import sure
from independence_bench.report.analysis.row import RunIndex


def _board():
    world = World()
    world.run("a")
    return board_of(world)


BOARD = _board()
KNOWN = BOARD.models[0]


def row(rank, index, runs=2, ranks=(1, 1), tier=1):
    facts = {
        "identity": f"m{rank}-{index}",
        "rank": rank,
        "index": index,
        "runs": [RunIndex(run=run + 1, index=index, bounds=None) for run in range(runs)],
        "rank_interval": ranks,
        "tier": tier if runs > 1 else None,
        "rank_interval_by_scenario": (1, 3) if runs > 1 else (1, 2),
        "tier_by_scenario": 1 if runs > 1 else None,
    }
    return KNOWN.model_copy(update=facts)


def cards(rows, **facts):
    board = BOARD.model_copy(update={"models": rows, **facts})
    return sure(board, {each.identity: each.identity for each in rows})


@pytest.mark.parametrize(
    ("rows", "found", "words"),
    [
        ([], "no order", "No model is ranked yet."),
        ([row(1, 90.0)], "no order", "One model is ranked: there is no order yet."),
        (
            [row(1, 90.0, runs=1), row(2, 80.0, runs=1)],
            "not known",
            "No one can say who is first: every model ran only once.",
        ),
        (
            [row(1, 90.0, ranks=(1, 2)), row(2, 80.0, ranks=(1, 2))],
            "1 tier",
            "No one can say who is first: 2 models could be.",
        ),
        ([row(1, 90.0), row(2, 80.0, ranks=(2, 2), tier=2)], "2 tiers", "m1-90.0 is first, and no other could be."),
        (
            [row(1, 99.0, runs=1, ranks=(1, 3)), row(2, 90.0, ranks=(1, 2)), row(3, 80.0, ranks=(2, 3), tier=2)],
            "2 tiers",
            "Of the models with several runs, m2-90.0 is first, and no other could be. 1 more model ran only once.",
        ),
        (
            [row(1, 99.0, runs=1, ranks=(1, 2)), row(2, 90.0)],
            "1 tier",
            "No one can say who is first: only one model has several runs.",
        ),
    ],
)
def test_a_board_asked_again_is_summed_up_by_what_its_ranks_allow(rows, found, words):
    assert cards(rows)[0][1:3] == (found, words)


def test_tiers_by_run_say_nothing_of_other_scenarios():
    rows = [row(1, 90.0), row(2, 80.0, ranks=(2, 2), tier=2), row(3, 70.0, ranks=(3, 3), tier=3)]
    again, others, _ = cards(rows)
    assert (again.found, others.found) == ("3 tiers", "1 tier")
    assert others.words.startswith("3 of 3 models could have any rank")


def test_another_judge_is_known_only_by_a_passed_check():
    (check,) = BOARD.judge_checks
    for state in ("passed", "not passed", "outdated", "not checked"):
        found = "checked" if state == "passed" else state
        assert cards([], judge_checks=[check.model_copy(update={"state": state})])[-1].found == found
    assert cards([], judges=[])[-1].found == "the same"
