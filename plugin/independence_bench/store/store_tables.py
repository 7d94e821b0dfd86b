"""The tables of the store, each declared once: its columns, keys and indices, and a row's line in an export.

The SQL that creates, reads and fills a table and the validation of exported lines are derived from it.
reports/README.md describes the fields of a line: changing them raises ``EXPORT_SCHEMA``. Reads no file.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import isfinite
from operator import itemgetter
from sqlite3 import Connection
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

from independence_bench.digest import Json, digest
from independence_bench.replies.endings import ending_of
from independence_bench.safe_text import without_surrogates
from independence_bench.store.sessions import MERGED, Configuration, JudgeCheck, Look, Session
from independence_bench.store.table_rows import (
    IS_TEXT,
    DerivedText,
    FailureRow,
    Key,
    Run,
    Sql,
    Text,
    Time,
    TrialRow,
    VerdictRow,
)
from independence_bench.trial import HumanLabel, Reply, Transcript, Verdict
from independence_bench.wire_json import encode

FORMAT = "independence-bench export"
EXPORT_SCHEMA = 1

Value = str | int | float | None
Parameters = Sequence[Value] | Mapping[str, Value]
Row = dict[str, Value]  # column name → value

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Pydantic's own parser of JSON takes no lone surrogate, and models have written some."""


OF_MODELS = "configuration IN (SELECT value FROM json_each(:names, '$.models'))"  # names: a JSON object
ON_ANSWERS_OF_MODELS = f"transcript_hash IN (SELECT transcript_hash FROM transcripts WHERE {OF_MODELS})"  # noqa: S608 -- our own names


def _facts_of_transcript(transcript: Transcript) -> Row:
    replies = [exchange.reply for exchange in transcript.exchanges]
    return {
        **_facts(transcript.usage),
        "transcript_hash": transcript.hash,
        "delivery_kept": int(transcript.delivery_kept),
        "answers": len(replies),
        "attempts": sum(reply.attempts for reply in replies),
        "empty_attempts": sum(reply.empty_attempts for reply in replies),
        "cut_off": sum(ending_of(reply.finish_reason) == "limit" for reply in replies),
        "thought": transcript.thought,
    }


def _facts(*values: BaseModel) -> Row:
    row: Row = {}
    for value in reversed(values):
        for name, content in vars(value).items():
            if content is None or isinstance(content, (str, int)):
                row[name] = content
            elif isinstance(content, float):
                row[name] = content if isfinite(content) else None
    return row


@dataclass(frozen=True, eq=False)
class StoreTable:
    """One table and what is made of its columns."""

    name: str
    declared: Mapping[str, Any]  # column → its annotation, with an :class:`Sql`; the last one may hold a JSON value
    nested: str | None = None  # name of the last column in a line, if it holds a JSON value
    composite: tuple[str, ...] = ()  # the primary key, if it is more than the first column
    indices: Mapping[str, str] = field(default_factory=dict)  # name → columns
    row_ids: bool = False  # whether SQLite numbers the rows: those with long texts
    facts: Callable[[Any], Row] = _facts  # what columns repeat of the JSON value
    strict: bool = True  # no number may be text and the like; not where an edition reads a value first
    digested: bool = False  # whether its key is the digest of its content

    @cached_property
    def kind(self) -> str:
        """The value of ``line`` in an export."""
        return self.name.removesuffix("s")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns."""
        return tuple(self.declared)

    @cached_property
    def line_columns(self) -> tuple[str, ...]:
        """Columns that make up a line, in the order of its fields."""
        return tuple(name for name, annotation in self.declared.items() if not _sql(annotation).derived)

    @cached_property
    def derived_columns(self) -> tuple[str, ...]:
        """Columns that repeat parts of the JSON value and are in no line."""
        return tuple(name for name, annotation in self.declared.items() if _sql(annotation).derived)

    @cached_property
    def looked_up(self) -> tuple[str, ...]:
        """Columns of text by which rows are found or named: all but messages and what holds JSON."""
        declared = {name: _sql(self.declared[name]).declared for name in self._plain_columns}
        return tuple(name for name, kind in declared.items() if kind.startswith("TEXT") and name != "message")

    @property
    def key(self) -> tuple[str, ...]:
        """Primary key: lines of an export are in its order."""
        return self.composite or self.columns[:1]

    @property
    def order(self) -> str:
        """The primary key, for ORDER BY."""
        return ", ".join(self.key)

    @property
    def statements(self) -> list[str]:
        """SQL that makes the table and its indices."""
        lines = [f"{name} {_sql(each).declared}" for name, each in self.declared.items()]
        lines += [f"PRIMARY KEY ({self.order})"] if self.composite else []
        body = ",\n    ".join(lines)
        return [
            f"CREATE TABLE {self.name} (\n    {body}\n)" + ("" if self.row_ids else " WITHOUT ROWID"),
            *(f"CREATE INDEX {index} ON {self.name} ({columns})" for index, columns in self.indices.items()),
        ]

    @cached_property
    def _plain_columns(self) -> tuple[str, ...]:
        return tuple(name for name in self.line_columns if self.nested is None or name != self.columns[-1])

    @cached_property
    def _columns(self) -> type[BaseModel]:
        fields: dict[str, Any] = {name: (self.declared[name], ...) for name in self._plain_columns}
        return create_model(self.kind, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def _values_of(self) -> Callable[[Row], tuple[Value, ...]]:
        return itemgetter(*self.columns)

    @cached_property
    def _insertion(self) -> str:
        names, marks = ", ".join(self.columns), ", ".join("?" * len(self.columns))
        # Not INSERT OR IGNORE: that would hide a missing value as well as a taken key.
        return f"INSERT INTO {self.name} ({names}) VALUES ({marks}) ON CONFLICT ({self.order}) DO NOTHING"  # noqa: S608 -- our own names

    def select(
        self, connection: Connection, columns: tuple[str, ...], where: str = "true", values: Parameters = ()
    ) -> Iterator[tuple[Value, ...]]:
        """Return some columns of the rows that meet a condition, by primary key."""
        statement = f"SELECT {', '.join(columns)} FROM {self.name} WHERE {where} ORDER BY {self.order}"  # noqa: S608 -- our own names
        return connection.execute(statement, values)

    def select_all(self, connection: Connection) -> Iterator[tuple[Value, ...]]:
        """Return all rows in the order in which they are stored: in a large store, by key takes three times as long."""
        return connection.execute(f"SELECT {', '.join(self.columns)} FROM {self.name}")  # noqa: S608 -- our own names

    def insert(self, connection: Connection, row: Row) -> bool:
        """Insert a row unless its primary key is taken; return whether it was inserted."""
        return connection.execute(self._insertion, self._values_of(row)).rowcount == 1

    def replace(self, connection: Connection, row: Row) -> None:
        """Insert a row, replacing the one with its primary key."""
        key = " AND ".join(f"{column} = ?" for column in self.key)
        connection.execute(f"DELETE FROM {self.name} WHERE {key}", [row[column] for column in self.key])  # noqa: S608 -- our own names
        self.insert(connection, row)

    def text(self, values: tuple[Value, ...]) -> str:
        """Return the line of a row, from the values of :attr:`line_columns`. Raises ValueError if one is not JSON."""
        fields = dict(zip(self.line_columns, values, strict=True))
        if self.nested is None:
            return encode({"line": self.kind, **fields})
        body = str(fields.pop(self.columns[-1]))
        if body.startswith(MERGED):
            body = "{" + body.removeprefix(MERGED)  # where a row is imported, it comes from this store
        if not body.isascii() or "\n" in body:
            body = encode(json.loads(body))  # the file was edited by hand
        return f'{encode({"line": self.kind, **fields})[:-1]},"{self.nested}":{body}}}'

    def checked(self, columns: Mapping[str, Json], body: str | None) -> tuple[Row, BaseModel | None]:
        """Return the row of these plain columns and this JSON text, and the value of that text, as strict as our own
        records. Raises ValidationError: it is no such row.
        """
        plain = self._columns.model_validate(columns, strict=True)
        row = {name: _stored(getattr(plain, name)) for name in self._plain_columns}
        if body is None:
            return row, None
        model: type[BaseModel] = self.declared[self.columns[-1]].__origin__
        text = _SURROGATE.sub(r"\\ufffd", body) if "\\u" in body else body
        value = model.model_validate_json(text, strict=self.strict)
        if "\\ufffd" in text:
            value = model.model_validate(json.loads(body))
        row |= {column: _stored(getattr(value, column)) for column in self.derived_columns}
        return row | {self.columns[-1]: body}, value

    def digest_of(self, row: Row) -> str:
        """Return the digest of a row's content, which is its key."""
        if self.nested:
            return digest(row[self.columns[-1]])
        return digest({column: row[column] for column in self.columns[1:]})

    def row_of(self, *values: BaseModel, **others: Value) -> Row:
        """Return a row: each column from ``others``, else from the first value with that field, else left out. As it
        will be read again: lone surrogates are escaped, a number that is not finite is None, as servers have sent.
        """
        origins = self._origins(tuple(map(type, values)), tuple(others))
        fixed = {column: _stored(value) for column, value in others.items()}
        return fixed | {column: _stored(getattr(values[number], column)) for column, number in origins}

    @cache  # noqa: B019 -- tables live as long as the process
    def _origins(self, types: tuple[type[BaseModel], ...], others: tuple[str, ...]) -> list[tuple[str, int]]:
        having = {name: number for number, kind in reversed([*enumerate(types)]) for name in kind.model_fields}
        return [(column, having[column]) for column in self.columns if column in having and column not in others]


def _stored(value: object) -> Value:
    if isinstance(value, str):
        return value if value.isascii() else without_surrogates(value)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    return encode(value)


def _sql(annotation: Any) -> Sql:
    return next(each for each in annotation.__metadata__ if isinstance(each, Sql))


def _of(row: type) -> dict[str, Any]:
    return get_type_hints(row, include_extras=True)


CONFIGURATIONS = StoreTable(
    "configurations",
    {
        "configuration": Key,
        "label": Annotated[Text, "what the newest session calls it"],
        "seen_at": Annotated[Time, "start of the newest session that had it"],
        "facts": Annotated[Configuration, IS_TEXT, "sessions.Configuration as JSON"],
    },
    nested="facts",
)
TRANSCRIPTS = StoreTable(
    "transcripts",
    _of(TrialRow)
    | {"body": Annotated[Transcript, IS_TEXT, "Transcript as JSON; last, so that listings never read it"]},
    nested="transcript",
    indices={
        "transcripts_by_script": "script_digest, configuration",
        "transcripts_by_configuration": "configuration",
        "transcripts_by_hash": "transcript_hash",
    },
    row_ids=True,
    facts=_facts_of_transcript,
)
VERDICTS = StoreTable(
    "verdicts",
    _of(VerdictRow) | {"reasoning": DerivedText, "body": Annotated[Verdict, IS_TEXT, "Verdict as JSON"]},
    nested="verdict",
    indices={"verdicts_by_transcript": "transcript_hash", "verdicts_by_judge": "judge_configuration"},
    row_ids=True,
    facts=lambda verdict: _facts(verdict, verdict.usage),
)
FAILURES = StoreTable(
    "failures", _of(FailureRow), indices={"failures_by_script": "script_digest, configuration"}, digested=True
)
SESSIONS = StoreTable(
    "sessions",
    {
        "id": Key,
        "started_at": Time,
        "ended_at": Annotated[Time | None, Sql("REAL"), "NULL: still running, or killed"],
        "edition": Text,
        "plan_digest": Text,
        "body": Annotated[Session, IS_TEXT, "sessions.Session as JSON"],
    },
    nested="session",
    facts=lambda session: _facts(session) | {"edition": session.edition.id},
    strict=False,
)
LOOKS = StoreTable(
    "looks",
    {
        "subject": Annotated[Text, "digest of what a gate looked at, behind a prefix if the look was merged"],
        "runs": Annotated[Run, "runs 1 to this one"],
        "at": Annotated[Time, "when it was first looked at"],
        "body": Annotated[Look, IS_TEXT, "looks.Look as JSON"],
    },
    nested="look",
    composite=("subject", "runs"),
)
JUDGE_CHECKS = StoreTable(
    "judge_checks",
    {
        "digest": Annotated[Key, "of the row's content: the same check brought home twice is one row"],
        "configuration": Annotated[Text, "of the judge"],
        "at": Time,
        "body": Annotated[JudgeCheck, IS_TEXT, "judge_checks.JudgeCheck as JSON"],
    },
    nested="check",
    digested=True,
)
LABELS = StoreTable(
    "labels",
    {
        "transcript_hash": Text,
        "rubric_digest": Text,
        "rater": Text,
        "labelled_at": Annotated[Time, "the newest label of a rater stands"],
        "body": Annotated[HumanLabel, IS_TEXT, "HumanLabel as JSON"],
    },
    nested="label",
    composite=("transcript_hash", "rubric_digest", "rater"),
    indices={"labels_by_rubric": "rubric_digest"},
)
ANSWERS = StoreTable(
    "answers",
    {
        "trial_key": Annotated[Text, "of a Python scenario's trial that has no transcript yet"],
        "asked": Annotated[Text, "digest of the messages that it answers"],
        "configuration": Text,
        "at": Time,
        "body": Annotated[Reply, IS_TEXT, "Reply as JSON"],
    },
    nested="reply",
    composite=("trial_key", "asked"),
)

TABLES = (CONFIGURATIONS, TRANSCRIPTS, VERDICTS, FAILURES, SESSIONS, LOOKS, JUDGE_CHECKS, LABELS, ANSWERS)
"""In the order in which they are made."""

EXPORTED = (CONFIGURATIONS, SESSIONS, TRANSCRIPTS, VERDICTS, FAILURES, LOOKS, JUDGE_CHECKS, LABELS, ANSWERS)
"""In the order of an export."""
