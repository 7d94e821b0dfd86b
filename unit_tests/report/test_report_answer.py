"""The sentence above a board, on boards of which it would say something false."""

import pytest
from report_samples import World, board_of

from independence_bench.kinds.index.reporting.index_view import answer
from independence_bench.report.analysis.row import RunIndex


def _known():
    world = World()
    world.run("a")
    return board_of(world).models[0]


KNOWN = _known()


def row(rank, index, runs=2, ranks=(1, 1), tier=1):
    facts = {
        "identity": f"m{rank}-{index}",
        "rank": rank,
        "index": index,
        "runs": [RunIndex(run=run + 1, index=index, bounds=None) for run in range(runs)],
        "rank_interval": ranks,
        "tier": tier if runs > 1 else None,
    }
    return KNOWN.model_copy(update=facts)


def said(rows) -> str:
    return "".join(piece.words for piece in answer(rows, {each.identity: each.identity for each in rows}))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "No model is ranked yet."),
        ([row(1, 90.0)], "One model is ranked: there is no order yet."),
        ([row(1, 90.0, runs=1), row(2, 80.0, runs=1)], "No one can say who is first: every model ran only once."),
        (
            [row(1, 90.0, ranks=(1, 2)), row(2, 80.0, ranks=(1, 2))],
            "No one can say who is first: 2 models could be. No model is significantly worse than the first of them.",
        ),
        (
            [row(1, 90.0), row(2, 80.0, ranks=(2, 2), tier=2)],
            "m1-90.0 is first, and no other could be. What is sure: 2 tiers.",
        ),
        (
            [row(1, 99.0, runs=1, ranks=(1, 3)), row(2, 90.0, ranks=(1, 2)), row(3, 80.0, ranks=(2, 3), tier=2)],
            "Of the models with several runs, m2-90.0 is first, and no other could be. 1 more model ran only once."
            " What is sure: 2 tiers.",
        ),
        (
            [row(1, 99.0, runs=1, ranks=(1, 2)), row(2, 90.0)],
            "No one can say who is first: only one model has several runs.",
        ),
    ],
)
def test_a_board_is_summed_up_by_what_its_ranks_allow(rows, words):
    assert said(rows) == words
