"""The form of the tidy tables that downloads, exports, the Python API and the reference are made of."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from operator import itemgetter
from sys import maxsize
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeVar, cast

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kind_registry import wing
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.analysis_columns import at_path, then
from independence_bench.report.analysis.difficulty import ItemAnalysis, ScenarioDifficulty
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Measurements
from independence_bench.safe_text import safe_text
from independence_bench.scoring.confidence import CONFIDENCE
from independence_bench.store import Configuration, Session, Store
from independence_bench.utc import known_utc

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample
    from independence_bench.scoring.uncertainty.known_models import KnownModels
    from independence_bench.scoring.uncertainty.ranks import PairTable


Ends = tuple[float, float] | None


class ModelNumber(NamedTuple):
    """One number of a model."""

    row: LeaderboardRow
    name: str
    title: str
    value: float | None
    interval: Ends = None
    over: str | None = None  # what the interval generalises over, in the kind's own word; None without one
    good: Literal["high", "low"] = "high"
    rank: int | None = None  # of the model by this number; None where the board does not rank by it


class ModelPair(NamedTuple):
    """Two models and how they differ in one number, the higher one first."""

    first: LeaderboardRow
    second: LeaderboardRow
    number: str
    over: str
    difference: float
    interval: Ends
    p_value: float | None
    differs: bool | None  # none without a p-value


class KindTables(NamedTuple):
    """The part of the tidy tables that each kind fills in its own way."""

    numbers: Sequence[ModelNumber] = ()
    pairs: Sequence[ModelPair] = ()


def pairs_in(
    table: "PairTable", rows: Sequence[LeaderboardRow], number: str, over: str, unit: float = 1.0
) -> Iterator[ModelPair]:
    """Yield every pair of a table of these models, the highest first; ``unit`` is what 1 in the table is."""
    apart, (low, high) = table.apart(FALSE_DISCOVERY_RATE), table.intervals(CONFIDENCE)
    for (place, first), (below, second) in combinations(enumerate(rows), 2):
        at, known = (place, below), bool(table.known[place, below])
        ends = (unit * float(low[at]), unit * float(high[at])) if known else None
        p_value, differs = (float(table.p_values[at]), bool(apart[at])) if known else (None, None)
        yield ModelPair(first, second, number, over, unit * float(table.gap[at]), ends, p_value, differs)


ColumnType = Literal["text", "count", "number", "truth", "time"]
"""``count`` is a whole number, ``truth`` is true or false, ``time`` is ISO 8601 in UTC. Any value may be missing."""
Plain = str | int | float | bool | None  # a value of a cell
Row = TypeVar("Row")


@dataclass(frozen=True)
class BoardRecords(Measurements):
    """One leaderboard with the trials that it was made of: what tidy tables are filled from."""

    board: Leaderboard
    most_paired: int | None = None  # only pairs of so many models, the highest ones, are listed; None: all
    known: object = None  # what the session's kind has made its report of already; spares making it again

    @classmethod
    def of(
        cls,
        store: Store,
        session: Session,
        board: Leaderboard | None = None,
        set_digest: SetDigest = current_set_digest,
    ) -> "BoardRecords":
        """Gather the trials behind a session's leaderboard, which is built of them unless it is given."""
        results = ranked_models(store, session)
        board = board or build_leaderboard(store, session, set_digest, results)
        return cls(store, session, results.with_rows(board.models), board)

    @cached_property
    def facts(self) -> Mapping[str, Configuration]:
        """What is known of every model configuration, by its digest."""
        return {stored.configuration: stored for stored in self.store.configurations()}

    @cached_property
    def of_kind(self) -> KindTables:
        """The rows that the session's kind gives; none where its numbers cannot be computed."""
        try:
            tables = tabled_kind(self.session.edition.kind).tables(self)
        except BadInput:
            return KindTables()
        chosen = {entry.row.identity for entry in self.entries}
        return KindTables(
            [each for each in tables.numbers if each.row.identity in chosen],
            [each for each in tables.pairs if {each.first.identity, each.second.identity} <= chosen],
        )

    @cached_property
    def items(self) -> Sequence[ScenarioDifficulty]:
        """The scenarios as items of a test; none where nothing of a single scenario enters a number."""
        if self.board.difficulty:
            return self.board.difficulty
        try:
            return tabled_kind(self.session.edition.kind).items(self.store, self.session).scenarios
        except BadInput:
            return ()


class TabledKind(Protocol):
    """What a kind of edition gives to tables, to the analysis of items and to the planning of runs."""

    def items(self, store: Store, session: Session) -> ItemAnalysis:
        """Return the scenarios of a session's edition as items of a test, over all that the store holds.

        Raises BadInput where nothing of a single scenario enters a number of the edition.
        """

    def tables(self, source: BoardRecords) -> KindTables:
        """Return the rows of the tidy tables of numbers and pairs. Raises BadInput where they cannot be computed."""

    def samples(self, store: Store, session: Session) -> "Sequence[tuple[LeaderboardRow, Sample]]":
        """Return the points of every ranked model's Index, by scenario and run; none where there is no Index."""

    def known_models(self, edition: Edition) -> "KnownModels | None":
        """Return models like those that are measured, for a plan; None where there is no Index."""


def tabled_kind(kind: str) -> TabledKind:
    """Return what a kind of edition gives to tables, to the analysis of items and to the planning of runs."""
    return cast(TabledKind, wing(kind, "reporting"))


@dataclass(frozen=True, slots=True)
class TidyColumn(Generic[Row]):
    """One column."""

    name: str
    type: ColumnType
    meaning: str  # what it says and how it is computed; ends without a full stop
    of: Callable[[Row], Plain]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class TidyTable(Generic[Row]):
    """One table: a row says one thing, a cell has one plain value."""

    name: str
    meaning: str  # what one row is
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
            if others := getattr(getattr(row, "row", None), "judges", None):
                record["judges"] = safe_text("; ".join(others), maxsize)
            for name, of in own:
                value = of(row)
                record[name] = safe_text(value, maxsize) if isinstance(value, str) else value
            yield record


Column = TidyColumn[Any]
_CONVERTED: dict[str, Callable[[Any], Plain]] = {
    "truth": bool,
    "time": lambda at: at if isinstance(at, str) else known_utc(at),
}


def interval_columns(name: str, means: str, of: Callable[[Any], Any], unit: str, kind: ColumnType) -> list[Column]:
    """Return the columns of both ends of an interval, which may be missing."""
    ends = (("low", "lower"), ("high", "upper"))
    return [
        TidyColumn(f"{name}_{short}", kind, f"{means}: its {word} end", then(of, itemgetter(place)), unit)
        for place, (short, word) in enumerate(ends)
    ]


_DECLARED: dict[str, Any] = packaged_yaml(__package__, "tidy_columns.yaml")


def declared_columns(
    name: str,
    computed: Mapping[str, Callable[[Any], Any]] = MappingProxyType({}),
    inserted: Mapping[str, Iterable[Column]] = MappingProxyType({}),
) -> Iterator[Column]:
    """Yield the columns of a table in the file; ``computed`` and ``inserted`` are those that it only names."""
    for each in _DECLARED[name]["columns"]:
        if "insert" in each:
            yield from inserted[each["insert"]]
            continue
        kind: ColumnType = each.get("type", "number")
        own = each.get("name") or each["interval"]
        of = computed[own] if "of" not in each and own in computed else at_path(each.get("of", own))
        of = then(of, _CONVERTED[kind]) if kind in _CONVERTED else of
        if "interval" in each:
            yield from interval_columns(own, each["means"], of, each.get("unit", ""), kind)
        else:
            yield TidyColumn(own, kind, each["means"], of, each.get("unit", ""))


def declared_table(
    name: str,
    rows: Callable[[BoardRecords], Iterable[Row]],
    computed: Mapping[str, Callable[[Row], Any]] = MappingProxyType({}),
    **inserted: Iterable[Column],
) -> TidyTable[Row]:
    """Return a table of the file."""
    own = tuple(declared_columns(name, computed, {"model": MODEL, **inserted}))
    return TidyTable(name, _DECLARED[name]["meaning"], own, rows)


SHARED: tuple[TidyColumn[BoardRecords], ...] = tuple(
    declared_columns("shared", {"judges": lambda source: safe_text("; ".join(source.board.judges), maxsize)})
)
"""The columns that every table begins with."""
MODEL: tuple[Column, ...] = tuple(declared_columns("model"))
"""The columns that name a model, in every table about one."""
