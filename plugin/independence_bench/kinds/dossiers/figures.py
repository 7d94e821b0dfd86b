"""The figures of one line of a table: two values, and the sizes of its corrections. Pure.

Generator 3. The value that can be corrected is drawn first, and everything else as a share of it, by one law whichever
way the correction goes: so its figures alone do not show its direction. Differences vary far more than the distance by
which a correction exceeds or misses them: so its size alone hardly shows whether it turns the line.
"""

from typing import NamedTuple

from independence_bench.kinds.dossiers.case import Margin
from independence_bench.kinds.dossiers.counterbalance import lot
from independence_bench.kinds.dossiers.matter import StandardRow

WHOLE = 1000
"""The shares below are in thousandths of the value that can be corrected."""
APART = (80, 700)  # difference of the two values: at least two steps
BEYOND = (20, 60)  # by how much more than the difference a correction changes the value, where it turns the line
SHORT = (10, 30)  # by how much less ``weaken`` changes it
NAMED_MARGINS: tuple[tuple[int, Margin], ...] = ((270, "narrow"), (480, "clear"))


class TableLine(NamedTuple):
    """One standard's line."""

    values: tuple[int, int]  # of each option
    change: int  # by how much a correction changes one of them, up or down: more than their difference
    weakening: int  # by how much ``weaken`` changes it: less than their difference
    margin: Margin


def draw_line(row: StandardRow, favourite: int, *, corrects_favoured: bool, seed: tuple[str | int, ...]) -> TableLine:
    """Return a line in which one option is favoured, and that option's value or the other's can be corrected."""
    low, high = (end // row.step for end in row.scale)
    steps = low + lot(high - low + 1, *seed, "value")
    apart, beyond, short = (
        least + lot(most - least + 1, *seed, name)
        for name, (least, most) in (("apart", APART), ("beyond", BEYOND), ("short", SHORT))
    )
    difference, over, under = (max(1, round(share * steps / WHOLE)) for share in (apart, beyond, short))
    greater = corrects_favoured == row.up
    one, two = steps * row.step, (steps - difference if greater else steps + difference) * row.step
    return TableLine(
        values=(one, two) if corrects_favoured == (favourite == 0) else (two, one),
        change=(difference + over) * row.step,
        weakening=(difference - under) * row.step,
        margin=next((name for most, name in NAMED_MARGINS if apart < most), "wide"),
    )
