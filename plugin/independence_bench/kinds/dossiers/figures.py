"""The figures of one line of a table: two values, and the size of a correction. Pure.

Generator 2. The value that can be corrected is drawn first, and everything else as a share of it, by one law whichever
way the correction goes: so its figures alone say nothing of what it does to the comparison. Logarithms are of decimals,
which are the same on every machine.
"""

from decimal import Context, Decimal
from typing import NamedTuple

from independence_bench.kinds.dossiers.case import Margin
from independence_bench.kinds.dossiers.counterbalance import lot
from independence_bench.kinds.dossiers.matter import StandardRow

APART = (Decimal("0.06"), Decimal("0.30"))
"""Difference of the two values as a share of the one that can be corrected: twice the margin, .03 to .15."""
TURNS = (Decimal("1.3"), Decimal("3.5"))  # size of a correction in such differences
MOST = Decimal("0.8")  # largest correction as a share of the value
NAMED_MARGINS: tuple[tuple[Decimal, Margin], ...] = ((Decimal("0.1"), "narrow"), (Decimal("0.18"), "clear"))
_DRAWS = 1 << 30
_EXACT = Context(prec=28)


class TableLine(NamedTuple):
    """One standard's line."""

    values: tuple[int, int]  # of each option
    change: int  # by how much a correction changes one of them, up or down: more than their difference
    margin: Margin


def draw_line(row: StandardRow, favourite: int, *, corrects_favoured: bool, seed: tuple[str | int, ...]) -> TableLine:
    """Return a line in which one option is favoured, and that option's value or the other's can be corrected."""
    low, high = (Decimal(end // row.step) for end in row.scale)
    steps = int(_log_uniform(low, high, *seed, "value").to_integral_value())
    attempt = 0
    while True:
        apart = _log_uniform(*APART, *seed, "apart", attempt)
        change = apart * _log_uniform(*TURNS, *seed, "turns", attempt)
        if change <= MOST:
            break
        attempt += 1
    difference = max(1, int((apart * steps).to_integral_value()))
    greater = corrects_favoured == row.up
    other = steps - difference if greater else steps + difference
    one, two = steps * row.step, other * row.step
    return TableLine(
        values=(one, two) if corrects_favoured == (favourite == 0) else (two, one),
        change=max(difference + 1, int((change * steps).to_integral_value())) * row.step,
        margin=next((name for most, name in NAMED_MARGINS if apart < most), "wide"),
    )


def _log_uniform(low: Decimal, high: Decimal, *parts: str | int) -> Decimal:
    share = _EXACT.divide(Decimal(lot(_DRAWS, *parts)), Decimal(_DRAWS))
    return _EXACT.multiply(low, _EXACT.exp(_EXACT.multiply(share, _EXACT.ln(_EXACT.divide(high, low)))))
