"""The tables of the store, each declared once: its columns, keys and indices, and the line of an export that a row is.

From here come the SQL that lays a store out, what is selected and inserted, and the check of lines that are read back.
The fields of a line are described in reports/README.md: a change of them raises ``EXPORT_SCHEMA``. Reads no file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import isfinite
from sqlite3 import Connection
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from independence_bench.digest import Json
from independence_bench.safe_text import without_surrogates
from independence_bench.spec import DeliveryMode
from independence_bench.store.sessions import Configuration, JudgeCheck, Look, Session
from independence_bench.trial import Transcript, Verdict

FORMAT = "independence-bench export"
EXPORT_SCHEMA = 2

Value = str | int | float | None
Row = dict[str, Value]
"""Column name → value."""

encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
"""Write a value as the store writes it: a text read from an export and written again is the same text."""


@dataclass(frozen=True, slots=True)
class Sql:
    """How SQL declares a column; a string among an annotation's metadata is its comment there."""

    declared: str


_IS_TEXT, _IS_INTEGER = Sql("TEXT NOT NULL"), Sql("INTEGER NOT NULL")
Key = Annotated[str, Sql("TEXT PRIMARY KEY")]
Text = Annotated[str, _IS_TEXT]
Count = Annotated[int, Field(ge=0, lt=2**63), _IS_INTEGER]
"""Fits into a column of SQLite."""
Flag = Annotated[Literal[0, 1], _IS_INTEGER]
Time = Annotated[FiniteFloat, Sql("REAL NOT NULL")]
"""Unix time."""
Cost = Annotated[FiniteFloat | None, Sql("REAL")]
"""US dollars."""


class Line(BaseModel):
    """A row as a line of an export; all fields but ``line`` are columns, in their order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    line: str


class _Keyed(Line):
    key: Key


class _OfTrial(Line):
    configuration: Text
    edition: Text
    experiment: Text
    scenario: Text
    run: Count
    system_variant: Text
    delivery_mode: Annotated[DeliveryMode, _IS_TEXT]
    script_digest: Text


class ConfigurationLine(Line):
    """A model configuration and what it is called."""

    configuration: Key
    label: Annotated[Text, "what the newest session calls it"]
    seen_at: Annotated[Time, "start of the newest session that had it"]
    facts: Annotated[Configuration, _IS_TEXT, "sessions.Configuration as JSON"]


class TranscriptLine(_OfTrial, _Keyed):
    """A trial that was asked, and what was said."""

    edition: Annotated[Text, "the edition it was measured for; matched by script_digest, not by this"]
    transcript_hash: Text
    origin: Annotated[Text, "'measured', or the name of the import it came with"]
    session: Text
    created_at: Time
    delivery_kept: Flag
    cost_usd: Annotated[Cost, "NULL is unknown"]
    prompt_tokens: Count
    completion_tokens: Count
    reasoning_tokens: Count
    answers: Count
    attempts: Count
    empty_attempts: Count
    cut_off: Annotated[Count, "answers that ended at the token limit"]
    transcript: Annotated[Transcript, _IS_TEXT, "Transcript as JSON; last, so that listings never read it"]

    @model_validator(mode="after")
    def _is_said(self) -> Self:
        if self.transcript.hash != self.transcript_hash:
            raise ValueError("its transcript_hash is not that of the transcript")
        return self


class VerdictLine(_Keyed):
    """What a judge returned for a transcript."""

    transcript_hash: Text
    rubric_id: Text
    rubric_digest: Text
    judge: Text
    judge_configuration: Text
    trial_key: Annotated[Text, "the trial that paid for it; equal conversations share one verdict"]
    origin: Text
    session: Text
    created_at: Time
    cost_usd: Cost
    prompt_tokens: Count
    completion_tokens: Count
    attempts: Count
    repaired: Flag
    verdict: Annotated[Verdict, _IS_TEXT, "Verdict as JSON"]


class _Digested(Line):
    digest: Key
    trial_key: Text


class FailureLine(_OfTrial, _Digested):
    """A failed attempt, or a measurement that came second."""

    digest: Annotated[Key, "of the row's content: the same failure brought home twice is one row"]
    session: Text
    kind: Annotated[Text, "FailureKind, or 'duplicate'"]
    message: Text
    judge: Annotated[str | None, Sql("TEXT")]
    at: Time
    cost_usd: Cost
    prompt_tokens: Count
    completion_tokens: Count
    attempts: Count


class SessionLine(Line):
    """What a session asked for."""

    id: Key
    started_at: Time
    ended_at: Annotated[FiniteFloat | None, Sql("REAL"), "NULL: still running, or killed"]
    edition: Text
    plan_digest: Text
    session: Annotated[Session, _IS_TEXT, "sessions.Session as JSON"]


class LookLine(Line):
    """That a gate has looked at a subject."""

    subject: Annotated[Text, "digest of what a gate looked at"]
    runs: Annotated[Count, "runs 1 to this one"]
    at: Annotated[Time, "when it was first looked at"]
    look: Annotated[Look, _IS_TEXT, "looks.Look as JSON"]


class JudgeCheckLine(Line):
    """How a judge did on a known-answer set."""

    digest: Annotated[Key, "of the row's content: the same check brought home twice is one row"]
    configuration: Annotated[Text, "of the judge"]
    at: Time
    check: Annotated[JudgeCheck, _IS_TEXT, "judge_checks.JudgeCheck as JSON"]


@dataclass(frozen=True, eq=False)
class StoreTable:
    """One table and what is made of its columns."""

    name: str
    kind: str
    """What ``line`` says in an export."""
    line: type[Line]
    key: tuple[str, ...]
    """Primary key: lines of an export are in its order."""
    nested: tuple[str, str] | None = None
    """The last field, which holds a JSON value, and its column."""
    derived: tuple[str, ...] = ()
    """Columns that repeat parts of the JSON value for queries; no line has them."""
    indices: Mapping[str, str] = field(default_factory=dict)
    """Name → columns."""
    row_ids: bool = False
    """Whether SQLite numbers the rows: those with long texts."""

    @cached_property
    def line_columns(self) -> tuple[str, ...]:
        """Columns that make up a line, in the order of its fields."""
        fields = tuple(name for name in self.line.model_fields if name != "line")
        return (*fields[:-1], self.nested[1]) if self.nested else fields

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns."""
        return (*self.line_columns[:-1], *self.derived, self.line_columns[-1])

    @property
    def order(self) -> str:
        """The primary key, for ORDER BY."""
        return ", ".join(self.key)

    @property
    def statements(self) -> list[str]:
        """SQL that makes the table and its indices."""
        declared = [(f"{name} {_IS_TEXT.declared}", "") for name in self.derived]
        fields = zip(self.line_columns, list(self.line.model_fields.values())[1:], strict=True)
        lines = [(f"{name} {_declared(info.metadata)}", _comment(info.metadata)) for name, info in fields]
        lines[-1:-1] = declared
        if len(self.key) > 1:
            lines.append((f"PRIMARY KEY ({self.order})", ""))
        ends = [","] * (len(lines) - 1) + [""]
        body = "".join(
            f"    {f'{text}{end}':<33}{comment}".rstrip() + "\n"
            for (text, comment), end in zip(lines, ends, strict=True)
        )
        return [
            f"CREATE TABLE {self.name} (\n{body})" + ("" if self.row_ids else " WITHOUT ROWID"),
            *(f"CREATE INDEX {index} ON {self.name} ({columns})" for index, columns in self.indices.items()),
        ]

    @cached_property
    def _insertion(self) -> str:
        names, marks = ", ".join(self.columns), ", ".join("?" * len(self.columns))
        # Not INSERT OR IGNORE: that would swallow a missing value as well as a taken key.
        return f"INSERT INTO {self.name} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING"  # noqa: S608 -- our own names

    def insert(self, connection: Connection, row: Row) -> bool:
        """Insert a row unless its primary key is taken; return whether it was inserted. Texts lose lone surrogates."""
        values = [
            without_surrogates(value) if isinstance(value, str) and not value.isascii() else value
            for value in (row[name] for name in self.columns)
        ]
        return connection.execute(self._insertion, values).rowcount == 1

    def text(self, values: tuple[Value, ...]) -> str:
        """Return the line of a row, from the values of :attr:`line_columns`. Raises ValueError where one is no JSON."""
        fields = dict(zip(self.line_columns, values, strict=True))
        if self.nested is None:
            return encode({"line": self.kind, **fields})
        name, column = self.nested
        body = str(fields.pop(column))
        if not body.isascii() or "\n" in body:
            body = encode(json.loads(body))  # somebody has been at the file by hand
        return f'{encode({"line": self.kind, **fields})[:-1]},"{name}":{body}}}'

    def row(self, raw: dict[str, Json]) -> Row:
        """Return the row that a line is, its JSON value to the letter.

        Raises:
            ValidationError: it is no line of this table.
        """
        line = self.line.model_validate(raw)
        if self.nested is None:
            return self.row_of(line)
        name, column = self.nested
        return self.row_of(line, getattr(line, name), **{column: encode(raw[name])})

    def row_of(self, *values: BaseModel, **others: Value) -> Row:
        """Return a row: what ``others`` say, else the same-named field of the first value that has one, else nothing.

        What is not finite is unknown: such costs have been seen.
        """
        origins = self._origins(tuple(map(type, values)), tuple(others))
        return others | {column: _stored(getattr(values[number], column)) for column, number in origins}

    @cache  # noqa: B019 -- tables live as long as the process
    def _origins(self, types: tuple[type[BaseModel], ...], others: tuple[str, ...]) -> list[tuple[str, int]]:
        """Return which value has which column."""
        having = {name: number for number, kind in reversed([*enumerate(types)]) for name in kind.model_fields}
        return [(column, having[column]) for column in self.columns if column in having and column not in others]


def _stored(value: object) -> Value:
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, (str, int)) else encode(value)


def _declared(metadata: list[object]) -> str:
    return next(each.declared for each in metadata if isinstance(each, Sql))


def _comment(metadata: list[object]) -> str:
    return next((f"-- {each}" for each in metadata if isinstance(each, str)), "")


CONFIGURATIONS = StoreTable(
    "configurations", "configuration", ConfigurationLine, ("configuration",), nested=("facts", "facts")
)
TRANSCRIPTS = StoreTable(
    "transcripts",
    "transcript",
    TranscriptLine,
    ("key",),
    nested=("transcript", "body"),
    indices={
        "transcripts_by_script": "script_digest, configuration",
        "transcripts_by_configuration": "configuration",
        "transcripts_by_hash": "transcript_hash",
    },
    row_ids=True,
)
VERDICTS = StoreTable(
    "verdicts",
    "verdict",
    VerdictLine,
    ("key",),
    nested=("verdict", "body"),
    derived=("scores", "reports", "reasoning"),
    indices={"verdicts_by_transcript": "transcript_hash", "verdicts_by_judge": "judge_configuration"},
    row_ids=True,
)
FAILURES = StoreTable(
    "failures", "failure", FailureLine, ("digest",), indices={"failures_by_script": "script_digest, configuration"}
)
SESSIONS = StoreTable("sessions", "session", SessionLine, ("id",), nested=("session", "body"))
LOOKS = StoreTable("looks", "look", LookLine, ("subject", "runs"), nested=("look", "body"))
JUDGE_CHECKS = StoreTable("judge_checks", "judge_check", JudgeCheckLine, ("digest",), nested=("check", "body"))

TABLES = (CONFIGURATIONS, TRANSCRIPTS, VERDICTS, FAILURES, SESSIONS, LOOKS, JUDGE_CHECKS)
"""In the order in which they are made."""

EXPORTED = (CONFIGURATIONS, SESSIONS, TRANSCRIPTS, VERDICTS, FAILURES, LOOKS, JUDGE_CHECKS)
"""In the order of an export."""

TRIAL = tuple(name for name in _OfTrial.model_fields if name != "line")
"""Columns that say which trial a row is about."""

SPENT = ("cost_usd", "prompt_tokens", "completion_tokens", "attempts")
"""Columns that say what a transcript, a verdict or a failed attempt used."""
