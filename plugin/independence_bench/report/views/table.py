"""Plain-text tables that fit a width: long texts are cut in the middle, the widest first, and where
that is not enough the least important columns go.

Knows nothing of what the cells mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from tabulate import tabulate

GAP = 2
"""Blanks between two columns of tabulate's plain format."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column, top to bottom."""

    head: str
    """May have several lines."""
    cells: Sequence[str]
    right: bool = True
    """Aligned to the right, as numbers are."""
    least: int | None = None
    """Width down to which its cells may be cut; None is never cut."""
    importance: float = inf
    """Columns of least importance are left out first; infinite is never left out."""

    @property
    def width(self) -> int:
        """Width in characters."""
        return max(map(len, [*self.head.split("\n"), *self.cells]))

    def cut(self, width: int) -> "Column":
        """Return the column with cells of at most this width, or itself where it is no wider."""
        if self.width <= width:
            return self
        cells = [shortened(cell, width) for cell in self.cells]
        return Column(self.head, cells, self.right, self.least, self.importance)


def fitted(columns: Sequence[Column], width: int) -> tuple[str, list[str]]:
    """Return a table of at most this width, if the columns that must stay allow it, and the heads left out."""
    kept = list(columns)
    while _narrowest(kept) > width and any(column.importance < inf for column in kept):
        kept.remove(min(reversed(kept), key=lambda column: column.importance))
    widths = [column.width for column in kept]
    while sum(widths) + GAP * (len(kept) - 1) > width:
        elastic = [place for place, column in enumerate(kept) if widths[place] > (column.least or inf)]
        if not elastic:
            break
        widths[max(elastic, key=lambda place: (widths[place], place))] -= 1
    kept = [column.cut(narrowed) for column, narrowed in zip(kept, widths, strict=True)]
    left_out = [column.head for column in columns if not any(column.head == other.head for other in kept)]
    text = tabulate(
        list(zip(*(_lines(column, kept) for column in kept), strict=True)),
        tablefmt="plain",
        colalign=["right" if column.right else "left" for column in kept],
        disable_numparse=True,
    )
    return text, left_out


def shortened(text: str, width: int) -> str:
    """Return text of at most this width, cut in the middle: what tells two labels apart often stands at the end."""
    if len(text) <= width:
        return text
    tail = (width - 1) * 2 // 5
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def _lines(column: Column, beside: Sequence[Column]) -> list[str]:
    """Return head, rule and cells. tabulate's own heads would take two blanks more per column."""
    height = max(each.head.count("\n") for each in beside) + 1
    head = column.head.split("\n")
    return [*head, *[""] * (height - len(head)), "-" * column.width, *column.cells]


def _narrowest(columns: Sequence[Column]) -> int:
    widths = [column.width if column.least is None else min(column.width, column.least) for column in columns]
    return sum(widths) + GAP * (len(columns) - 1)
