"""Adds one record to the store; a measurement that came second is kept as a ``duplicate`` failure, for its cost."""

import math
import sqlite3
from dataclasses import dataclass
from functools import lru_cache

from independence_bench.store.sessions import Configuration, Look
from independence_bench.store.store_tables import ANSWERS, CONFIGURATIONS, FAILURES, LOOKS, TRANSCRIPTS, VERDICTS, Row
from independence_bench.trial import Transcript, TrialRecord, Verdict
from independence_bench.wire_json import value_to_json

MEASURED = "measured"  # origin of a session's own measurements; an import writes its own name instead

CHECKED = "judge-check"
"""Trial, session and origin of a verdict on a known answer. No model produced that answer in a trial, so no report
counts the verdict; once stored, it is not requested again."""

DUPLICATE = "duplicate"  # failure kind of a transcript or verdict that came second


@dataclass(frozen=True, slots=True)
class RecordInsertion:
    """Inserts one record within the caller's transaction."""

    connection: sqlite3.Connection
    record: TrialRecord
    session_id: str
    origin: str = MEASURED

    def add(self) -> None:
        """Insert all rows of the record."""
        record = self.record
        row = _unseen_configuration(record.configuration, record.label, record.model_id, record.build)
        CONFIGURATIONS.insert(self.connection, row)
        standing = self._add_transcript()
        self._keep_answers(whole=standing is not None)
        for verdict in record.verdicts:
            self._add_verdict(verdict, standing)
        for failure in record.failures:
            columns = {"trial_key": record.key, "session": self.session_id}
            add_failure(self.connection, FAILURES.row_of(failure, failure.usage, record, **columns))

    def _keep_answers(self, *, whole: bool) -> None:
        if whole:
            self.connection.execute("DELETE FROM answers WHERE trial_key = ?", (self.record.key,))
            return
        for answer in self.record.answers:
            columns = {"trial_key": self.record.key, "body": value_to_json(answer.reply)}
            ANSWERS.insert(self.connection, ANSWERS.row_of(answer, self.record, **columns))

    def _add_transcript(self) -> str | None:
        transcript = self.record.transcript
        stored = self.connection.execute(
            "SELECT transcript_hash, created_at FROM transcripts WHERE key = ?", (self.record.key,)
        ).fetchone()
        if transcript is None:
            return stored and str(stored[0])
        if stored is None:
            TRANSCRIPTS.insert(self.connection, self._transcript_row(transcript))
            return transcript.hash
        # The same measurement delivered twice, at first without its verdicts, cost nothing more.
        if self.record.generated and stored != (transcript.hash, self.record.transcript_at):
            row = self._transcript_row(transcript)
            note_loss(self.connection, row, row, "transcript lost against one measured earlier")
        return str(stored[0])

    def _transcript_row(self, transcript: Transcript) -> Row:
        return TRANSCRIPTS.row_of(
            self.record,
            origin=self.origin,
            session=self.session_id,
            created_at=self.record.transcript_at,
            body=value_to_json(transcript),
            **TRANSCRIPTS.facts(transcript),
        )

    def _add_verdict(self, verdict: Verdict, standing: str | None) -> None:
        row = verdict_row(verdict, self.record.key, self.session_id, self.origin)
        if standing not in (None, verdict.transcript_hash):
            message = "verdict on a transcript that lost against one measured earlier"
        elif VERDICTS.insert(self.connection, row):
            return
        else:
            stored = self.connection.execute("SELECT body FROM verdicts WHERE key = ?", (verdict.key,)).fetchone()
            if stored[0] == row["body"]:
                return
            message = "verdict lost against one given earlier"
        note_loss(self.connection, TRANSCRIPTS.row_of(self.record), row, message)


@lru_cache
def _unseen_configuration(configuration: str, label: str, model_id: str, build: str | None) -> Row:
    facts = Configuration(configuration=configuration, label=label, model_id=model_id, build=build)
    return CONFIGURATIONS.row_of(facts, seen_at=0.0, facts=value_to_json(facts))


def note_loss(connection: sqlite3.Connection, trial: Row, lost: Row, message: str) -> None:
    """Record the cost of a transcript or verdict that came second; the row ``trial`` identifies its trial."""
    values: Row = {"judge": None, **trial, **lost}
    values |= {"trial_key": trial["key"], "kind": DUPLICATE, "message": message, "at": lost["created_at"]}
    add_failure(connection, {column: values[column] for column in FAILURES.columns if column != "digest"})


def add_failure(connection: sqlite3.Connection, row: Row) -> None:
    """Insert a row of ``failures`` under the digest of its content; a failure delivered twice is one row."""
    FAILURES.insert(connection, {"digest": FAILURES.digest_of(row), **row})


def verdict_row(verdict: Verdict, trial_key: str, session_id: str, origin: str) -> Row:
    """Return a verdict's row; ``trial_key`` names the trial that paid for it."""
    return VERDICTS.row_of(
        verdict, verdict.usage, trial_key=trial_key, session=session_id, origin=origin, body=value_to_json(verdict)
    )


def add_look(connection: sqlite3.Connection, look: Look) -> int:
    """Record a look unless it is known; return its place among all at its subject, from 1, for rules that correct."""
    query = "SELECT runs, at FROM looks WHERE subject = ? ORDER BY at, runs"
    known = connection.execute(query, (look.subject,)).fetchall()
    for place, (runs, _) in enumerate(known, start=1):
        if runs == look.runs:
            return place
    if known and look.at <= known[-1][1]:
        # A clock that was set back must not reassign a place that was already counted.
        look = look.model_copy(update={"at": math.nextafter(known[-1][1], math.inf)})
    LOOKS.insert(connection, LOOKS.row_of(look, body=value_to_json(look)))
    return len(known) + 1
