"""What queries of the store return: named tuples of plain values, one per row. No SQL, no pydantic model per row."""

from typing import NamedTuple

from independence_bench.spec import Score
from independence_bench.store.sessions import Configuration


class StoredTranscript(NamedTuple):
    """That a trial has been asked, without what was said."""

    key: str
    transcript_hash: str
    created_at: float


class StoredVerdict(NamedTuple):
    """What a judge found, without its raw reply."""

    key: str
    transcript_hash: str
    judge: str
    judge_configuration: str
    scores: dict[str, Score]
    reports: dict[str, str | list[str] | None]
    reasoning: str
    cost_usd: float | None
    created_at: float


class StoredConfiguration(NamedTuple):
    """A model configuration with its label of today."""

    facts: Configuration
    seen_at: float
    """Start of the newest session that had it; unix time."""


class TrialRow(NamedTuple):
    """One transcript as reports need it."""

    key: str
    configuration: str
    edition: str
    scenario: str
    run: int
    system_variant: str
    delivery_mode: str
    script_digest: str
    transcript_hash: str
    origin: str
    created_at: float
    delivery_kept: int
    cost_usd: float | None
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int = 0
    answers: int = 0
    attempts: int = 0
    """Requests made for all answers together."""
    empty_attempts: int = 0
    """How many of these came back with nothing to judge."""
    cut_off: int = 0
    """Answers that ended at the token limit."""


class VerdictRow(NamedTuple):
    """One verdict as reports need it; its scores still are JSON, so that only those that count are read."""

    key: str
    transcript_hash: str
    rubric_digest: str
    judge_configuration: str
    trial_key: str
    created_at: float
    cost_usd: float | None
    scores: str
    reports: str = "{}"
    """Still JSON, as the scores are."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class FailureRow(NamedTuple):
    """One failed attempt as reports need it."""

    digest: str
    trial_key: str
    configuration: str
    edition: str
    scenario: str
    run: int
    system_variant: str
    delivery_mode: str
    script_digest: str
    kind: str
    message: str
    judge: str | None
    at: float
    cost_usd: float | None


class MeanTokens(NamedTuple):
    """Mean tokens of one model's trials with one text, or of one judge's verdicts by one rubric."""

    configuration: str
    text: str
    """Digest of the script, or of the rubric."""
    prompt_tokens: float
    completion_tokens: float
    embedded: bool
    """Of an embedded model or judge, which has no tokens of its own kind."""
