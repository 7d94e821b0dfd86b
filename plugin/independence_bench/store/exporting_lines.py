"""The lines of an export: one per row of the store, its columns by name, what is JSON in the store as JSON here.

They are this format's schema, described in reports/README.md: a change of them raises ``EXPORT_SCHEMA``. Reads no file.
"""

import json
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from independence_bench.digest import Json
from independence_bench.spec import DeliveryMode
from independence_bench.store.adding import Row
from independence_bench.store.judge_checks import JudgeCheck
from independence_bench.store.looks import Look
from independence_bench.store.sessions import Configuration, Session
from independence_bench.trial import Transcript, Verdict

FORMAT = "independence-bench export"
EXPORT_SCHEMA = 2
KNOWN_SCHEMAS = (1, 2)
"""Exports that can be read: schema 1 had neither looks nor judge checks."""

Count = Annotated[int, Field(ge=0, lt=2**63)]
"""Fits into a column of SQLite."""

Flag = Literal[0, 1]

encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
"""Write a value as the store writes it: a text read from an export and written again is the same text."""


class Line(BaseModel):
    """One line; ``line`` says which kind it is, the other fields are columns of ``table``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: ClassVar[str]
    order: ClassVar[str]
    """Primary key of the table: lines stand in its order."""
    nested: ClassVar[tuple[str, str]] = ("", "")
    """The field that holds a JSON value, and its column."""

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the columns that make up a line, in the order of the fields; the JSON value's comes last."""
        field, column = cls.nested
        plain = tuple(name for name in cls.model_fields if name not in ("line", field))
        return (*plain, column) if column else plain

    @classmethod
    def text(cls, kind: str, values: tuple[str | int | float | None, ...]) -> str:
        """Return the line of a row, from the values of :meth:`columns`."""
        fields = dict(zip(cls.columns(), values, strict=True))
        field, column = cls.nested
        if not column:
            return encode({"line": kind, **fields})
        body = str(fields.pop(column))
        if not body.isascii() or "\n" in body:
            body = encode(json.loads(body))  # somebody has been at the file by hand
        return f'{encode({"line": kind, **fields})[:-1]},"{field}":{body}}}'

    def row(self, raw: dict[str, Json]) -> Row:
        """Return the row of the table; ``raw`` is the line as it was read, so that its JSON is kept to the letter."""
        field, column = self.nested
        row: Row = {name: getattr(self, name) for name in self.columns() if name != column}
        return {**row, column: encode(raw[field])} if column else row


class ConfigurationLine(Line):
    """A model configuration and what it is called."""

    table = "configurations"
    order = "configuration"
    nested = ("facts", "facts")

    line: Literal["configuration"]
    configuration: str
    label: str
    seen_at: FiniteFloat
    facts: Configuration


class SessionLine(Line):
    """What a session asked for."""

    table = "sessions"
    order = "id"
    nested = ("session", "body")

    line: Literal["session"]
    id: str
    started_at: FiniteFloat
    ended_at: FiniteFloat | None
    edition: str
    plan_digest: str
    session: Session


class TranscriptLine(Line):
    """A trial that was asked, and what was said."""

    table = "transcripts"
    order = "key"
    nested = ("transcript", "body")

    line: Literal["transcript"]
    key: str
    configuration: str
    edition: str
    experiment: str
    scenario: str
    run: Count
    system_variant: str
    delivery_mode: DeliveryMode
    script_digest: str
    transcript_hash: str
    origin: str
    session: str
    created_at: FiniteFloat
    delivery_kept: Flag
    cost_usd: FiniteFloat | None
    prompt_tokens: Count
    completion_tokens: Count
    reasoning_tokens: Count
    answers: Count
    attempts: Count
    empty_attempts: Count
    cut_off: Count
    transcript: Transcript


class VerdictLine(Line):
    """What a judge returned for a transcript."""

    table = "verdicts"
    order = "key"
    nested = ("verdict", "body")

    line: Literal["verdict"]
    key: str
    transcript_hash: str
    rubric_id: str
    rubric_digest: str
    judge: str
    judge_configuration: str
    trial_key: str
    origin: str
    session: str
    created_at: FiniteFloat
    cost_usd: FiniteFloat | None
    prompt_tokens: Count
    completion_tokens: Count
    attempts: Count
    repaired: Flag
    verdict: Verdict

    def row(self, raw: dict[str, Json]) -> Row:
        """Return the row; scores, reports and reasoning are columns of their own in the store."""
        verdict = self.verdict
        told: Row = {
            "scores": encode(verdict.scores),
            "reports": encode(verdict.reports),
            "reasoning": verdict.reasoning,
        }
        return super().row(raw) | told


class FailureLine(Line):
    """A failed attempt, or a measurement that came second."""

    table = "failures"
    order = "digest"

    line: Literal["failure"]
    digest: str
    trial_key: str
    configuration: str
    edition: str
    experiment: str
    scenario: str
    run: Count
    system_variant: str
    delivery_mode: str
    script_digest: str
    session: str
    kind: str
    message: str
    judge: str | None
    at: FiniteFloat
    cost_usd: FiniteFloat | None
    prompt_tokens: Count
    completion_tokens: Count
    attempts: Count


class LookLine(Line):
    """That a gate has looked at a subject."""

    table = "looks"
    order = "subject, runs"
    nested = ("look", "body")

    line: Literal["look"]
    subject: str
    runs: Count
    at: FiniteFloat
    look: Look


class JudgeCheckLine(Line):
    """How a judge did on a known-answer set."""

    table = "judge_checks"
    order = "digest"
    nested = ("check", "body")

    line: Literal["judge_check"]
    digest: str
    configuration: str
    at: FiniteFloat
    check: JudgeCheck


LINES: dict[str, type[Line]] = {
    "configuration": ConfigurationLine,
    "session": SessionLine,
    "transcript": TranscriptLine,
    "verdict": VerdictLine,
    "failure": FailureLine,
    "look": LookLine,
    "judge_check": JudgeCheckLine,
}
"""Kind of line → its fields, in the order in which they stand in an export."""
