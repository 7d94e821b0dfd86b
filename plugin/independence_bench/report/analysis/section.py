"""The form of an analysis: one question about the measured models, answered as data and as blocks. Answers none."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.blocks import Block, Bullets, Column, Table, paragraph
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Pairs

Result = TypeVar("Result")


@dataclass(frozen=True)
class Measurements:
    """The input of an analysis."""

    store: Store
    session: Session
    entries: Sequence[Ranked]  # in the leaderboard's order

    @property
    def own(self) -> list[Ranked]:
        """Those within the edition's own configurations."""
        return [entry for entry in self.entries if entry.own]

    @property
    def ranked(self) -> list[Ranked]:
        """Those in the running for a rank."""
        return [each for each in self.entries if each.contends]

    @cached_property
    def pairs(self) -> "Pairs":
        """All pairs of :attr:`ranked`, by run."""
        from independence_bench.scoring.uncertainty import pairs_of  # late: numpy

        return pairs_of(tuple(sample for each in self.entries if (sample := each.ranked_sample) is not None), "run")


@dataclass(frozen=True, slots=True)
class Analysis(Generic[Result]):
    """One section of every report of the leaderboard, and its field in leaderboard.json.

    No view names one: terminal, page, viewer and tidy tables go through those that a leaderboard has.
    """

    field: str
    heading: str
    compute: Callable[[Measurements], Result]  # returns an empty value or None where there is nothing to report
    blocks: Callable[[Any], Iterator[Block[Any]]]  # takes what was computed, if it is not empty
    page: str = "analyses.html"  # page of the viewer that ends in it
    early: bool = False  # LEADERBOARD.md shows it right below the ranking, others folded further down


LEADERBOARD_FILE = "leaderboard.json"
ROWS_SHOWN = 15  # rows of a table or list of an analysis outside the viewer


def shortened(blocks: Iterable[Block[Any]]) -> Iterator[Block[Any]]:
    """Yield the blocks, long tables and lists cut: a page of a hundred models is still read."""
    for block in blocks:
        if isinstance(block, Table) and (more := len(block.rows) - ROWS_SHOWN) > 0:
            yield Table(block.columns, block.rows[:ROWS_SHOWN])
        elif isinstance(block, Bullets) and (more := len(block.items) - ROWS_SHOWN) > 0:
            yield Bullets(block.items[:ROWS_SHOWN])
        else:
            yield block
            continue
        yield paragraph(f"{more} more are in `{LEADERBOARD_FILE}`.")


def captioned(caption: str, columns: Sequence[Column[Result]], rows: Sequence[Result]) -> Iterator[Block[Any]]:
    """Yield a table below its caption; nothing without any rows."""
    if rows:
        yield paragraph(caption)
        yield Table(columns, rows)


@cache
def page_words() -> Any:
    """Return what the page says around the tables of analyses, by their fields."""
    return packaged_yaml(__package__, "index_page.yaml")
