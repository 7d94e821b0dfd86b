"""The sentence above a board: who is first, and how sure that is. Made by rules."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from independence_bench.counted import counted
from independence_bench.report.analysis.row import LeaderboardRow


class Piece(NamedTuple):
    """Words of the sentence; strong ones are a number or a name to remember."""

    words: str
    strong: bool = False


def answer(ranked: Sequence[LeaderboardRow], names: Mapping[str, object]) -> Iterator[Piece]:
    """Yield who could be first and how many tiers are sure."""
    several = [row for row in ranked if len(row.runs) > 1]
    single = len(ranked) - len(several)
    first = [row for row in several if row.rank_interval and row.rank_interval[0] == 1]
    if len(ranked) < 2:
        yield Piece("One model is ranked: there is no order yet." if ranked else "No model is ranked yet.")
        return
    if not several:
        yield Piece("No one can say who is first: every model ran only once.")
        return
    if len(several) == 1:
        yield Piece("No one can say who is first: only one model has several runs.")
        return
    if len(first) == 1:
        if single:
            yield Piece("Of the models with several runs, ")
        yield Piece(str(names[first[0].identity]), strong=True)
        yield Piece(" is first, and no other could be.")
    else:
        yield Piece("No one can say who is first: ")
        yield Piece(str(len(first)), strong=True)
        yield Piece(" models could be.")
    if single:
        yield Piece(f" {counted(single, 'more model')} ran only once.")
    sure = len({row.tier for row in ranked} - {None})
    yield Piece(" What is sure: " if sure > 1 else " No model is significantly worse than the first of them.")
    if sure > 1:
        yield Piece(f"{sure} tiers", strong=True)
        yield Piece(".")
