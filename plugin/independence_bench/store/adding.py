"""One record into the store: which rows it makes, and what becomes of a measurement that came second. Opens nothing.

First measurement stands. What lost against a stored row is kept as a failure of kind ``duplicate``, for its cost.
"""

import sqlite3
from dataclasses import dataclass

from independence_bench.digest import Json, digest
from independence_bench.spec import Frozen
from independence_bench.store.sessions import Configuration
from independence_bench.store.store_tables import CONFIGURATIONS, FAILURES, TRANSCRIPTS, VERDICTS, Row, Value
from independence_bench.trial import Transcript, TrialRecord, Verdict
from independence_bench.wire_json import value_to_json

MEASURED = "measured"
"""Origin of what a session asked for itself; imports write their own name there."""

DUPLICATE = "duplicate"
"""Failure kind of a transcript or verdict that came second."""


@dataclass(frozen=True, slots=True)
class Adding:
    """Inserts one record, within a transaction of the caller's."""

    connection: sqlite3.Connection
    record: TrialRecord
    session_id: str
    origin: str = MEASURED

    def add(self) -> None:
        """Insert all that the record brings."""
        self._know_configuration()
        standing = self._add_transcript()
        for verdict in self.record.verdicts:
            if standing is not None and verdict.transcript_hash != standing:
                self._add_lost_verdict(verdict, "verdict on a transcript that lost against one measured earlier")
            else:
                self._add_verdict(verdict)
        for failure in self.record.failures:
            self._add_loss(failure, failure.usage)

    def _know_configuration(self) -> None:
        """Make sure that reports can name the configuration, also where no session announced it."""
        record = self.record
        known = "SELECT 1 FROM configurations WHERE configuration = ?"
        if self.connection.execute(known, (record.configuration,)).fetchone():
            return
        facts = Configuration(
            configuration=record.configuration, label=record.label, model_id=record.model_id, build=record.build
        )
        CONFIGURATIONS.insert(self.connection, CONFIGURATIONS.row_of(facts, seen_at=0.0, facts=value_to_json(facts)))

    def _add_transcript(self) -> str | None:
        """Insert the transcript; return the hash of the one that stands now, None where there is none."""
        transcript = self.record.transcript
        if transcript is not None and TRANSCRIPTS.insert(self.connection, self._transcript_row(transcript)):
            return transcript.hash
        stored = self.connection.execute(
            "SELECT transcript_hash, body FROM transcripts WHERE key = ?", (self.record.key,)
        ).fetchone()
        if stored is None:
            return None
        # The same body again is the same measurement brought home twice: it cost nothing more.
        if transcript is not None and self.record.generated and value_to_json(transcript) != stored[1]:
            self._add_loss(
                transcript.usage,
                kind=DUPLICATE,
                message="transcript lost against one measured earlier",
                judge=None,
                at=self.record.transcript_at,
                attempts=sum(exchange.reply.attempts for exchange in transcript.exchanges),
            )
        return str(stored[0])

    def _transcript_row(self, transcript: Transcript) -> Row:
        replies = [exchange.reply for exchange in transcript.exchanges]
        return TRANSCRIPTS.row_of(
            self.record,
            transcript.usage,
            transcript_hash=transcript.hash,
            origin=self.origin,
            session=self.session_id,
            created_at=self.record.transcript_at,
            delivery_kept=transcript.delivery_kept,
            answers=len(replies),
            attempts=sum(reply.attempts for reply in replies),
            empty_attempts=sum(reply.empty_attempts for reply in replies),
            cut_off=sum(reply.finish_reason == "length" for reply in replies),
            body=value_to_json(transcript),
        )

    def _add_verdict(self, verdict: Verdict) -> None:
        row = verdict_row(verdict, self.record.key, self.session_id, self.origin)
        if VERDICTS.insert(self.connection, row):
            return
        stored = self.connection.execute("SELECT body FROM verdicts WHERE key = ?", (verdict.key,)).fetchone()
        if stored[0] != row["body"]:
            self._add_lost_verdict(verdict, "verdict lost against one given earlier")

    def _add_lost_verdict(self, verdict: Verdict, message: str) -> None:
        self._add_loss(verdict, verdict.usage, kind=DUPLICATE, message=message, at=verdict.created_at)

    def _add_loss(self, *lost: Frozen, **columns: Value) -> None:
        """Keep a failed attempt, or what came second, for its cost."""
        row = FAILURES.row_of(*lost, self.record, trial_key=self.record.key, session=self.session_id, **columns)
        add_failure(self.connection, row)


def add_failure(connection: sqlite3.Connection, row: Row) -> None:
    """Insert a row of ``failures`` under the digest of its content; one that was brought home twice is one row."""
    content: dict[str, Json] = dict(row)
    FAILURES.insert(connection, {"digest": digest(content), **row})


def verdict_row(verdict: Verdict, trial_key: str, session_id: str, origin: str) -> Row:
    """Return a verdict's row; ``trial_key`` is what it was paid for."""
    return VERDICTS.row_of(
        verdict, verdict.usage, trial_key=trial_key, session=session_id, origin=origin, body=value_to_json(verdict)
    )
