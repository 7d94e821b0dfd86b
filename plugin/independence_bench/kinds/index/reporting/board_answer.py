"""The sentence above a board: who is first, how sure that is, and what the order rests on. Made by rules."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.report.analysis.ranked import places
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


def moved_by(
    edition: Edition, ranked: Sequence[LeaderboardRow], without: Sequence[Sequence[float | None]]
) -> Iterator[Piece]:
    """Yield by how many places leaving a scenario out moves a model; ``without``: Indices by ranked model and scenario.

    Nothing where no scenario moves the median model.
    """
    now = places([row.index for row in ranked])
    found = []
    for place, scenario in enumerate(edition.scenarios):
        other = places([own[place] for own in without])
        moves = [abs(a - b) for a, b in zip(now, other, strict=True) if a is not None and b is not None]
        found.append((median(moves) if moves else 0.0, scenario.title or scenario.id))
    found.sort(key=lambda each: -each[0])
    if len(found) < 2 or found[0][0] < 1:
        return
    (most, title), (second, _), *_ = found
    yield Piece(" Without ")
    yield Piece(title, strong=True)
    yield Piece(
        f" the typical model moves {most:g} {'place' if most == 1 else 'places'} in the order by Index; for every "
        f"other scenario, {f'{second:g} or fewer' if second else 'none'}."
    )
