"""Checks rows that somebody else may have written, in stores and exports, as strictly as our own records.

What a row says twice must agree: columns with the value that they repeat, digests with their content, scores with the
range of their rubric. Types, bounds and columns come from ``store_tables``.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import NoReturn

from pydantic import BaseModel, ValidationError

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json, digest
from independence_bench.option_values import MOST_RUNS
from independence_bench.safe_text import safe_text, without_surrogates
from independence_bench.spec import Rubric, Score
from independence_bench.store.sessions import Session
from independence_bench.store.store_tables import EXPORTED, Row, StoreTable, Value
from independence_bench.store.table_rows import LARGEST, LATEST, MOST_FOREIGN_RUNS, MOST_USD, TIMES
from independence_bench.trial import HumanLabel, Transcript, Usage, Verdict, asked_key
from independence_bench.wire_json import encode

_SLACK_S = 86_400.0  # how far the clocks of two machines may be apart
_DIGITS = 16
_MOST_FITTING = 10_000


class RefusedRow(ValueError):
    """A row that is not as we would have written it; says why in one line."""


@dataclass(slots=True)
class RefusedRows:
    """The rows of one source that were refused."""

    path: Path
    rows: int = 0  # all rows of the source
    count: int = 0
    first: str = ""  # where the first one is and why it is refused
    reasons: Counter[str] = field(default_factory=Counter)

    def note(self, where: str, kind: str, why: str) -> None:
        """Note a row: ``where`` is its line or its key, ``kind`` its kind of line."""
        self.count += 1
        self.first = self.first or safe_text(f"{where}: {why}")
        self.reasons[safe_text(f"{kind}: {why}", 120)] += 1

    @property
    def summary(self) -> str:
        """How many were refused, and why, the most frequent reasons first."""
        why = [f"{number} × {reason}" for reason, number in self.reasons.most_common(5)]
        more = ["other reasons"] if len(self.reasons) > len(why) else []
        return f"{self.count} of {self.rows} rows refused ({'; '.join([*why, *more])})"

    def error(self) -> BadInput:
        """Return the error of a source that is not taken because of them."""
        return BadInput(
            f"{self.path}: {self.first}; {self.summary}, nothing was taken; export the store again, or take the other "
            "rows with `independence-bench import --skip-bad`"
        )


def refuse_all(refused: RefusedRows) -> None:
    """Take no row of a source that has such rows. Raises BadInput: always."""
    raise refused.error()


class RowCheck:
    """Checks the rows of one source in the order of an export: sessions before verdicts and labels."""

    def __init__(self, latest: float = LATEST) -> None:
        """Refuse times after ``latest``, Unix time; where it is given, rows come from elsewhere and have fewer runs."""
        self._latest = latest
        self._most_runs = MOST_RUNS if latest == LATEST else MOST_FOREIGN_RUNS
        self.rubrics: dict[str, Rubric] = {}  # by digest, of all sessions known so far
        self._fitting: set[tuple[object, ...]] = set()  # scores that fit: few combinations make up most

    def learn(self, session: Session) -> None:
        """Know the rubrics of a session."""
        rubrics = (scenario.rubric for scenario in session.edition.scenarios)
        self.rubrics |= {rubric.digest: rubric for rubric in rubrics if rubric is not None}

    def line(self, table: StoreTable, text: str) -> Row:
        """Return the row of a line of an export. Raises RefusedRow: it has another shape, a number out of bounds, or
        parts that contradict each other.
        """
        raw = _loaded(text)
        columns = {name: value for name, value in raw.items() if name not in ("line", table.nested)}
        return self._row(table, columns, encode(raw.get(table.nested)) if table.nested else None)

    def stored(self, table: StoreTable, values: tuple[Value, ...]) -> Row:
        """Return a row of a store, from the values of its columns. Raises RefusedRow as :meth:`line`."""
        columns = dict(zip(table.columns, values, strict=True))
        derived = {column: columns.pop(column) for column in table.derived_columns}
        body = str(columns.pop(table.columns[-1])) if table.nested else None
        if body is not None:
            raw = _loaded(body)
            if not body.isascii() or "\n" in body:
                body = encode(raw)  # the file was edited by hand
        row = self._row(table, columns, body)
        for column, value in derived.items():
            if value not in (None, row[column]):
                raise RefusedRow(f"its {column} is not that of the {table.nested}")
        return row

    def _row(self, table: StoreTable, columns: Mapping[str, Json], body: str | None) -> Row:
        try:
            row, nested = table.checked(columns, body)
            self._agree(table, row, nested)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            parts = (".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, "))
            raise RefusedRow(safe_text(": ".join(filter(None, parts)))) from None
        except (ValueError, RecursionError) as error:
            raise RefusedRow(safe_text(str(error)) or "it is damaged") from None
        return row

    def rows(self, table: StoreTable, stored: Iterable[tuple[Value, ...]], refused: RefusedRows) -> Iterator[Row]:
        """Yield those of a table's stored rows that pass, and note the others."""
        for values in stored:
            refused.rows += 1
            try:
                row = self.stored(table, values)
            except RefusedRow as error:
                key = values[table.columns.index(table.key[0])]
                refused.note(f"{table.kind} {safe_text(str(key), 60)}", table.kind, str(error))
            else:
                yield row

    def _agree(self, table: StoreTable, row: Row, nested: BaseModel | None) -> None:
        for column in TIMES & row.keys():
            if (row[column] or 0) > self._latest:  # type: ignore[operator]
                raise RefusedRow(f"its {column} is in the future")
        for column in table.looked_up:
            if "\0" in str(row[column]):
                raise RefusedRow(f"its {column} contains a NUL")  # a text ends there in SQLite's json_each
        for runs in (row.get("run"), row.get("runs"), nested.runs if isinstance(nested, Session) else 0):
            if isinstance(runs, int) and runs > self._most_runs:
                raise RefusedRow(f"its run is above {self._most_runs:,}, and reports plan every run up to the highest")
        for column, value in table.facts(nested).items() if nested is not None else ():
            if column in row and row[column] != value and _cleaned(row[column]) != _cleaned(value):
                raise RefusedRow(f"its {column} is not that of the {table.nested}")
        if table.digested and row[table.key[0]] != table.digest_of(row):
            raise RefusedRow(f"its {table.key[0]} is not that of its content")
        if isinstance(nested, Session):
            if len(nested.labels) != len(nested.configurations):
                raise RefusedRow("its labels are not as many as its configurations")
            if row["ended_at"] is not None and row["ended_at"] < nested.started_at:  # type: ignore[operator]
                raise RefusedRow("its ended_at is before its started_at")
            _check_names(nested)
            self.learn(nested)
        if isinstance(nested, Transcript):
            for place, exchange in enumerate(nested.exchanges):
                _check_usage(exchange.reply.usage)
                if exchange.after is not None and not 0 <= exchange.after < place:
                    raise RefusedRow("an exchange continues one that does not come before it")
        if isinstance(nested, HumanLabel) and (rubric := self.rubrics.get(nested.rubric_digest)) is not None:
            nested.check(rubric)
        if isinstance(nested, Verdict):
            _check_usage(nested.usage)
            self._check_scores(nested.rubric_digest, nested.scores)
            own_key = asked_key(nested.transcript_hash, nested.rubric_digest, nested.judge_configuration)
            imported: list[Json] = [row["origin"], row["trial_key"], nested.rubric_digest, nested.judge_configuration]
            # Nothing is looked up by a key of another kind.
            if re.fullmatch(r"[0-9a-f]{32}", nested.key) and nested.key not in (own_key, digest(imported)):
                raise RefusedRow("its key is not that of its transcript, rubric and judge")

    def _check_scores(self, rubric_digest: str, scores: Mapping[str, Score]) -> None:
        if (rubric := self.rubrics.get(rubric_digest)) is None:
            return
        combination = (rubric_digest, *((name, type(score), score) for name, score in scores.items()))
        if combination in self._fitting:
            return
        rubric.scores_in(scores)
        if len(self._fitting) < _MOST_FITTING:
            self._fitting.add(combination)


def copy_rows(
    target: Connection, read: Callable[[StoreTable], Iterable[tuple[Value, ...]]], refused: RefusedRows
) -> int:
    """Insert the rows that ``read`` finds of each table and that pass; note the others. Return how many were new."""
    check = RowCheck()
    return sum(table.insert(target, row) for table in EXPORTED for row in check.rows(table, read(table), refused))


def latest_foreign() -> float:
    """Return the latest time that a row from elsewhere may give; Unix time."""
    return time.time() + _SLACK_S


def _check_names(session: Session) -> None:
    """Raise RefusedRow if its cells or its pass marks name what its edition does not have."""
    from independence_bench.catalog.scenario_files import check_marks  # late: with the readers of all YAML files

    scenarios = {scenario.id: scenario for scenario in session.edition.scenarios}
    for name, scenario in scenarios.items():
        stem = scenario.rubric.id if scenario.rubric else "none"
        check_marks(scenario.judged_marks, stem, scenario.rubric, partial(_misplaced, name))
    if unknown := {cell.scenario for cell in session.cells} - scenarios.keys():
        raise RefusedRow(f"a cell is of scenario {min(unknown)!r}, which its edition does not have")


def _misplaced(scenario: str, _: tuple[int, str], trouble: str) -> RefusedRow:
    return RefusedRow(f"scenario {scenario!r}: {trouble}")


def _check_usage(usage: Usage) -> None:
    if not 0 <= (usage.cost_usd or 0.0) <= MOST_USD or min(usage.prompt_tokens, usage.completion_tokens) < 0:
        raise RefusedRow("its usage is out of bounds")


def _cleaned(value: Value) -> Value:
    return without_surrogates(value) if isinstance(value, str) else value


def _loaded(text: str) -> dict[str, Json]:
    try:
        value = _DECODER.decode(text)
    except RefusedRow:
        raise
    except (ValueError, RecursionError):
        raise RefusedRow("it is no JSON") from None
    if not isinstance(value, dict):
        raise RefusedRow("it is no JSON object")
    return value


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= _DIGITS else _no_number(digits)


def _real(digits: str) -> float:
    number = float(digits)
    return number if abs(number) <= LARGEST else _no_number(digits)


def _no_number(digits: str) -> NoReturn:
    raise RefusedRow(f"{digits[:20]} is out of bounds")


_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_real, parse_constant=_no_number)
