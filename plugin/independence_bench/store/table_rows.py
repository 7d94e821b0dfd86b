"""Rows of the store as named tuples of plain values: the columns of a table that listings read, and results of queries.

The fields of a row are the declaration of these columns; ``store_tables`` adds those that no listing reads. No SQL
beyond how a column is declared, and no pydantic model per row.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, FiniteFloat, JsonValue

from independence_bench.option_values import MOST_RUNS
from independence_bench.spec import DeliveryMode, Score


@dataclass(frozen=True, slots=True)
class Sql:
    """How SQL declares a column; a string among an annotation's metadata explains it."""

    declared: str
    derived: bool = False  # repeats part of the row's JSON value for queries; not in the lines of an export


LARGEST = 10**15  # no number in a row is larger: times, tokens, costs and seeds are far below it
MOST_USD = 1e6  # no row says that it cost more
MOST_FOREIGN_RUNS = 10_000
"""No row from elsewhere has a higher run: reports plan every run up to the highest; 10,000 of one model take 4 s."""
LATEST = 7_258_118_400.0  # The year 2200 begins. A machine without a clock that runs may measure in 1970.

IS_TEXT, _IS_INTEGER = Sql("TEXT NOT NULL"), Sql("INTEGER NOT NULL")
Key = Annotated[str, Sql("TEXT PRIMARY KEY")]
Text = Annotated[str, IS_TEXT]
DerivedText = Annotated[str, Sql("TEXT NOT NULL", derived=True)]
Count = Annotated[int, Field(ge=0, le=LARGEST), _IS_INTEGER]
Flag = Annotated[Literal[0, 1], _IS_INTEGER]
Run = Annotated[int, Field(ge=0, le=MOST_RUNS), _IS_INTEGER]
Time = Annotated[FiniteFloat, Field(ge=0, le=LATEST), Sql("REAL NOT NULL")]  # Unix time
TIMES = frozenset({"created_at", "at", "seen_at", "started_at", "ended_at", "labelled_at"})  # columns that hold one
Cost = Annotated[Annotated[FiniteFloat, Field(ge=0, le=MOST_USD)] | None, Sql("REAL")]  # US dollars


class TrialRow(NamedTuple):
    """One transcript: a trial that was asked, without its text."""

    key: Key
    configuration: Text
    edition: Annotated[Text, "the edition it was measured for; matched by script_digest, not by this"]
    experiment: Text
    scenario: Text
    run: Run
    system_variant: Text
    delivery_mode: Annotated[DeliveryMode, IS_TEXT]
    script_digest: Text
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
    attempts: Count  # requests made for all answers together
    empty_attempts: Count  # requests that returned nothing to judge
    cut_off: Annotated[Count, "answers that ended at the token limit"]
    thought: Annotated[int | None, Sql("INTEGER", derived=True), "answers with reasoning; NULL: texts withheld"]

    @property
    def delivered(self) -> bool | None:
        """Whether every answer came by the delivery asked for; None where the texts are withheld."""
        return None if self.thought is None else bool(self.delivery_kept)


class VerdictRow(NamedTuple):
    """A judge's verdict on a transcript; scores and reports are still JSON, because few of them are read."""

    key: Key
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
    scores: DerivedText
    reports: DerivedText


class FailureRow(NamedTuple):
    """A failed attempt, or a measurement that came second."""

    digest: Annotated[Key, "of the row's content: the same failure brought home twice is one row"]
    trial_key: Text
    configuration: Text
    edition: Text
    experiment: Text
    scenario: Text
    run: Run
    system_variant: Text
    delivery_mode: Annotated[DeliveryMode, IS_TEXT]
    script_digest: Text
    session: Text
    kind: Annotated[Text, "FailureKind, or 'duplicate'"]
    message: Text
    judge: Annotated[str | None, Sql("TEXT")]
    at: Time
    cost_usd: Cost
    prompt_tokens: Count
    completion_tokens: Count
    attempts: Count


class StoredVerdict(NamedTuple):
    """A verdict's scores, reports, reasoning and cost, without the raw reply."""

    scores: dict[str, Score]
    reports: dict[str, JsonValue]
    reasoning: str
    cost_usd: float | None


class MeanTokens(NamedTuple):
    """Mean tokens of one model's trials with one text, or of one judge's verdicts by one rubric."""

    configuration: str
    text: str  # digest of the script, or of the rubric
    prompt_tokens: float
    completion_tokens: float
    embedded: bool  # true for an embedded model or judge, whose tokens are not comparable
