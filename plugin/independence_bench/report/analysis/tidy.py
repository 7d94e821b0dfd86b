"""The form of a tidy table: named columns with a type, a unit and a meaning, and a record for each row. Declares none.

Downloads of the viewer, exports, the Python API and the reference are made of these declarations.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from sys import maxsize
from typing import Any, Generic, Literal, TypeVar

from independence_bench.bad_input import BadInput
from independence_bench.kinds import telling
from independence_bench.report.analysis.difficulty import ScenarioDifficulty
from independence_bench.report.analysis.kind_tables import KindTables
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.ranked import Ranked, ranked_models
from independence_bench.report.analysis.section import Measurements
from independence_bench.safe_text import safe_text
from independence_bench.store import Configuration, Session, Store

ColumnType = Literal["text", "count", "number", "truth", "time"]
"""``count`` is a whole number, ``truth`` is true or false, ``time`` is ISO 8601 in UTC. Any value may be missing."""
Plain = str | int | float | bool | None
"""A value of a cell."""
Row = TypeVar("Row")


@dataclass(frozen=True)
class BoardRecords:
    """One leaderboard with the trials that it was made of: what tidy tables are filled from."""

    store: Store
    session: Session
    board: Leaderboard
    entries: Sequence[Ranked]
    """In the order of ``board.models``, with the same rows."""
    most_paired: int | None = None
    """Only pairs of so many models, the highest ones, are listed; None: all."""
    known: object = None
    """What the session's kind has made its report of already; spares making it again."""

    @classmethod
    def of(cls, store: Store, session: Session, board: Leaderboard | None = None) -> "BoardRecords":
        """Gather the trials behind a session's leaderboard, which is built unless it is given."""
        board = board or build_leaderboard(store, session)
        by_row = {(row.identity, row.configuration): row for row in board.models}
        results = ranked_models(store, session).entries
        entries = [Ranked(by_row[each.row.identity, each.row.configuration], each.result) for each in results]
        return cls(store, session, board, entries)

    @cached_property
    def measurements(self) -> Measurements:
        """The input of an analysis."""
        return Measurements(self.store, self.session, self.entries, self.board.confidence)

    @cached_property
    def facts(self) -> Mapping[str, Configuration]:
        """What is known of every model configuration, by its digest."""
        return {stored.facts.configuration: stored.facts for stored in self.store.configurations()}

    @cached_property
    def of_kind(self) -> KindTables:
        """The rows that the session's kind gives; none where its numbers cannot be computed."""
        try:
            found = telling(self.session.edition.kind).tables(self)
        except BadInput:
            return KindTables()
        chosen = {entry.row.identity for entry in self.entries}
        return KindTables(
            [each for each in found.numbers if each.row.identity in chosen],
            [each for each in found.pairs if {each.first.identity, each.second.identity} <= chosen],
        )

    @cached_property
    def items(self) -> Sequence[ScenarioDifficulty]:
        """The scenarios as items of a test; none where nothing of a single scenario enters a number."""
        if self.board.difficulty:
            return self.board.difficulty
        try:
            return telling(self.session.edition.kind).items(self.store, self.session).scenarios
        except BadInput:
            return ()


@dataclass(frozen=True, slots=True)
class TidyColumn(Generic[Row]):
    """One column."""

    name: str
    type: ColumnType
    meaning: str
    """What it says and how it is computed; ends without a full stop."""
    of: Callable[[Row], Plain]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class TidyTable(Generic[Row]):
    """One table: a row says one thing, a cell has one plain value."""

    name: str
    meaning: str
    """What one row is."""
    own: Sequence[TidyColumn[Row]]
    rows: Callable[[BoardRecords], Iterable[Row]]

    @property
    def columns(self) -> list[TidyColumn[Any]]:
        """All columns: first those that say which leaderboard a row belongs to."""
        return [*SHARED, *self.own]

    @property
    def names(self) -> list[str]:
        """The names of all columns."""
        return [column.name for column in self.columns]

    def records(self, source: BoardRecords) -> Iterator[dict[str, Plain]]:
        """Yield every row as column → value. Control characters in texts are escaped."""
        shared = {column.name: column.of(source) for column in SHARED}
        own = [(column.name, column.of) for column in self.own]
        for row in self.rows(source):
            record = shared.copy()
            for name, of in own:
                value = of(row)
                record[name] = safe_text(value, maxsize) if isinstance(value, str) else value
            yield record


SHARED: tuple[TidyColumn[BoardRecords], ...] = (
    TidyColumn("edition", "text", "the edition", lambda source: source.board.edition),
    TidyColumn(
        "experimental",
        "truth",
        "nobody should cite numbers of this edition yet",
        lambda source: source.board.experimental,
    ),
    TidyColumn(
        "texts",
        "text",
        "digest of all that the edition says; rows with other texts are not comparable",
        lambda source: source.board.texts,
    ),
    TidyColumn(
        "judges",
        "text",
        "the judges, separated by spaced semicolons; empty where nobody judges",
        lambda source: safe_text("; ".join(source.board.judges), maxsize),
    ),
    TidyColumn(
        "updated_at", "time", "when the newest record of the leaderboard was made", lambda source: source.board.updated
    ),
)
"""The columns that every table begins with."""


Column = TidyColumn[Any]
POINTS, DOLLARS, SHARE = "points", "US dollars", "0 to 1"
"""Units."""

MODEL: tuple[Column, ...] = (
    TidyColumn(
        "model", "text", "identity: digest of the model configuration; joins the tables", lambda each: each.row.identity
    ),
    TidyColumn("label", "text", "label of the model", lambda each: each.row.label),
    TidyColumn(
        "configuration",
        "text",
        "variant+delivery outside the edition's own set; missing within it",
        lambda each: each.row.configuration,
    ),
)
"""The columns that name a model, in every table about one."""
