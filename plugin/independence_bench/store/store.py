"""The store's interface: records go in, measurements and sessions come out. Knows neither scores nor reports."""

import json
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Literal, TypeVar

from independence_bench.bad_input import BadInput
from independence_bench.digest import digest
from independence_bench.option_values import MOST_RUNS
from independence_bench.safe_text import safe_text
from independence_bench.spec import Rubric
from independence_bench.store.adding import CHECKED, MEASURED, RecordInsertion, add_look, verdict_row
from independence_bench.store.damage import Model, StoreFailed, damaged_store, read_body, read_json, unreadable_row
from independence_bench.store.database import CANNOT_COPY, Database, Row
from independence_bench.store.exporting import export_lines
from independence_bench.store.merging import MergeCounts, merge_stores
from independence_bench.store.recovery import rescue
from independence_bench.store.removing import Removal, of_unused
from independence_bench.store.row_check import RefusedRows, copy_rows, refuse_all
from independence_bench.store.sessions import IMPORTED_SESSION, MERGED, Configuration, JudgeCheck, Look, Session
from independence_bench.store.store_tables import (
    CONFIGURATIONS,
    JUDGE_CHECKS,
    LABELS,
    SESSIONS,
    VERDICTS,
    Parameters,
    Value,
)
from independence_bench.store.table_rows import MOST_USD, FailureRow, MeanTokens, StoredVerdict, TrialRow, VerdictRow
from independence_bench.store.token_means import mean_tokens
from independence_bench.trial import CHECKS, Checks, HumanLabel, Reply, Transcript, TrialRecord, Verdict
from independence_bench.wire_json import value_to_json

Part = TypeVar("Part")
Listed = TypeVar("Listed", TrialRow, VerdictRow, FailureRow)

_WITNESS = """
    SELECT (SELECT count(*) FROM sessions WHERE id = ?),
        ifnull((SELECT max(rowid) FROM transcripts), 0), ifnull((SELECT max(rowid) FROM verdicts), 0)
"""
"""Only grows as long as a session holds its store: nothing is deleted meanwhile."""
_IMPORTED = f"{IMPORTED_SESSION}*"
_MERGED = f"{MERGED}*"


def may_be_unreadable(error: Exception) -> bool:
    """Return whether an error may come from a row that is not as we would have written it."""
    return isinstance(error, StoreFailed) or not isinstance(error, (BadInput, OSError))


class Store(AbstractContextManager["Store"]):
    """Every transcript, verdict, failure and session of one SQLite file. Usable from several threads."""

    def __init__(self, database: Database, places: Mapping[str, Path] | None = None) -> None:
        self._database = database
        self.path = database.path
        self.places = places or {}  # by field of the option table: printed commands lead to them, too
        self._begun: str | None = None  # the session that writes here
        self.left_out: str | None = None  # a sentence about the rows that this copy lacks: they cannot be read
        self._copied_from: Store | None = None
        self._rest: Store | None = None

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, places: Mapping[str, Path] | None = None) -> "Store":
        """Open a store; a missing one is created unless ``read_only``. Raises BadInput: it is missing, or not ours."""
        return cls(Database.open(path, read_only=read_only), places)

    @classmethod
    def beside(cls, path: Path) -> "Store":
        """Open a store for reading in a worker, which ends before the process that writes it."""
        return cls(Database.beside(path))

    @classmethod
    def empty(cls) -> "Store":
        """Return an empty store without a file: for a plan before there is a store."""
        return cls(Database.scratch(Path(":memory:")))

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        if self._rest is not None:
            self._rest.close()
        self._database.close()

    def reading(self, make: Callable[["Store"], Part]) -> Part:
        """Return what ``make`` makes of this store, or of a copy without its unreadable rows if they stop it."""
        if self._rest is None:
            try:
                return make(self)
            except Exception as error:
                if not may_be_unreadable(error) or (rest := self._readable()) is None:
                    raise
                self._rest = rest
        return make(self._rest)

    def without_unreadable(self, report: Callable[[str], None]) -> "Store":
        """Return this store, or in its place a copy without unreadable rows, of which ``report`` gets a sentence."""
        if (rest := self._readable()) is None:
            return self
        self.close()
        report(str(rest.left_out))
        return rest

    def _readable(self) -> "Store | None":
        refused = RefusedRows(self.path)

        def fill(target: Connection) -> None:
            with self._database.snapshot() as connection:
                copy_rows(target, lambda table: table.select_all(connection), refused)

        copy = Store(Database.filled(self.path, fill, CANNOT_COPY), self.places)
        if not refused.count:
            copy.close()
            return None
        copy._copied_from = self
        copy.left_out = f"{refused.summary}: left out and counted as missing; the first is {refused.first}"
        return copy

    def refuse_lost(self) -> None:
        """Raise StoreLost if the file was moved, deleted, replaced, truncated or overwritten since it was opened."""
        self._database.refuse_lost(_WITNESS, (self._begun,))

    def rescue(self, file: Path, records: Iterable[TrialRecord], session_id: str) -> None:
        """Write an export of what a lost store still holds, and of untaken records. Raises BadInput: it cannot."""
        rescue(self._database, file, records, session_id)

    # Sessions and configurations

    def begin_session(self, session: Session, configurations: Sequence[Configuration]) -> None:
        """Record what a session asks for and its models' labels. Beginning it again changes only labels."""
        row = SESSIONS.row_of(session, ended_at=None, edition=session.edition.id, body=value_to_json(session))
        with self._database.transaction() as connection:
            SESSIONS.insert(connection, row)
            self._begun = session.id
            for facts in configurations:
                known = "SELECT 1 FROM configurations WHERE configuration = ? AND seen_at > ? AND NOT facts GLOB ?"
                if not connection.execute(known, (facts.configuration, session.started_at, _MERGED)).fetchone():
                    row = CONFIGURATIONS.row_of(facts, seen_at=session.started_at, facts=value_to_json(facts))
                    CONFIGURATIONS.replace(connection, row)

    def note_retired(self, since: Mapping[str, str]) -> None:
        """Record since when stored models are no longer served, by configuration."""
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE configurations SET facts = json_set(facts, '$.retired', ?) WHERE configuration = ?",
                [(date, configuration) for configuration, date in since.items()],
            )

    def end_session(self, session_id: str, at: float) -> None:
        """Record when a session ended; unix time, which a clock that was set back may put before its start."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE sessions SET ended_at = max(?, started_at) WHERE id = ?", (at, session_id))

    def note_overriding(self, session: Session, configurations: Iterable[str]) -> None:
        """Record what cases asked beside a session's plan; models are marked until a session plans them."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE sessions SET body = ? WHERE id = ?", (value_to_json(session), session.id))
            connection.execute(
                "UPDATE configurations SET facts = json_set(facts, '$.overridden', json('true'))"
                " WHERE seen_at = 0 AND configuration IN (SELECT value FROM json_each(?))",
                (json.dumps(sorted(configurations)),),
            )

    def newest_session(self, edition: str | None = None, *, own: bool = False) -> Session | None:
        """Return the first of :meth:`sessions`, or None."""
        return next(self.sessions(edition, own=own), None)

    def sessions(self, edition: str | None = None, *, own: bool = False) -> Iterator[Session]:
        """Yield all sessions, or an edition's: those of this store first, then merged ones, then imported texts, each
        the newest first. Reports show the first. ``own`` yields only those of this store, whose options and keys may be
        used again.
        """
        query = "SELECT id FROM sessions WHERE ifnull(edition = ?, true) ORDER BY id GLOB ?, started_at DESC, id DESC"
        elsewhere = []
        # One after another: the newest is most often this store's own, and bodies are long.
        for session in map(self.session, self._texts(query, (edition, _IMPORTED))):
            if session.merged or session.imported:
                elsewhere.append(session)
            else:
                yield session
        if not own:
            yield from elsewhere

    def sessions_beside(self, edition: str) -> list[Session]:
        """Return the sessions that asked cells outside this edition's own set, in the order of :meth:`sessions`."""
        return self._read(
            Session,
            "SELECT body FROM sessions WHERE edition = ? AND EXISTS"
            " (SELECT 1 FROM json_each(iif(json_valid(body), body, '{}'), '$.cells')"
            " WHERE NOT json_extract(value, '$.official'))"
            " ORDER BY body GLOB ?, started_at DESC, id DESC",
            (edition, _MERGED),
        )

    def ended_at(self, session_id: str) -> float | None:
        """Return when a session ended; None: it is still running, or its process was killed."""
        rows = self._database.rows("SELECT ended_at FROM sessions WHERE id = ?", (session_id,))
        return next((float(at) for (at,) in rows if at is not None), None)

    def session(self, session_id: str) -> Session:
        """Return what a session asked for. Raises KeyError if no session has that id."""
        return self._bodies(Session, "sessions", [session_id], "id")[session_id]

    def configurations(self) -> list[Configuration]:
        """Return every model configuration with its current label: those of this store first, each the newest first."""
        query = "SELECT facts FROM configurations ORDER BY facts GLOB ?, seen_at DESC, configuration"
        return self._read(Configuration, query, (_MERGED,))

    # Measurements

    def add_all(self, records: Iterable[TrialRecord], session_id: str, *, origin: str = MEASURED) -> None:
        """Store records in one transaction: all of them or none."""
        with self._database.transaction() as connection:
            for record in records:
                RecordInsertion(connection, record, session_id, origin).add()

    def transcripts(self, keys: Iterable[str]) -> dict[str, str]:
        """Return which of these trials have been asked: trial key → hash of the transcript, which is not read."""
        rows = self._select(tuple, "transcripts", ("key", "transcript_hash"), "key", keys)
        return {str(key): str(transcript_hash) for key, transcript_hash in rows}

    def transcript_body(self, key: str) -> Transcript:
        """Return a trial's transcript. Raises KeyError if it has not been asked."""
        return self._bodies(Transcript, "transcripts", [key])[key]

    def read_transcripts(self, keys: Iterable[str], read: Callable[[Any], Part]) -> dict[str, Part]:
        """Return what ``read`` finds in each transcript, given as plain JSON: validating thousands would take seconds.
        Raises StoreFailed: a lookup in it fails, or one is missing.
        """
        keys, parts = list(keys), dict[str, Part]()
        for key, body in self._select(tuple, "transcripts", ("key", "body"), "key", keys):
            try:
                parts[str(key)] = read(read_json(self.path, "transcript", body))
            except (LookupError, TypeError, AttributeError) as error:
                raise damaged_store(self.path, "a transcript in it is incomplete") from error
        return self._complete(keys, parts)

    def checks(self, keys: Iterable[str]) -> dict[str, Checks]:
        """Return what the functions of Python scenarios made of these trials, by trial key."""
        facts = self.read_transcripts(keys, lambda body: body["exchanges"][0]["facts"][CHECKS])
        return {key: Checks.model_validate(body) for key, body in facts.items()}

    def answers(self, keys: Iterable[str]) -> dict[str, dict[str, Reply]]:
        """Return the answers kept of these trials, which have no transcript yet: by trial key and what was asked."""
        replies: dict[str, dict[str, Reply]] = {}
        for key, asked, body in self._select(tuple, "answers", ("trial_key", "asked", "body"), "trial_key", keys):
            replies.setdefault(str(key), {})[str(asked)] = read_body(self.path, Reply, body)
        return replies

    def answered(self) -> frozenset[str]:
        """Return the configurations of all models and judges that have given an answer."""
        query = "SELECT configuration FROM transcripts UNION SELECT judge_configuration FROM verdicts"
        return frozenset(self._texts(query))

    def verdicts(self, keys: Iterable[str]) -> dict[str, StoredVerdict]:
        """Return which of these verdicts have been given, by verdict key; raw replies are not read."""
        rows = self._select(tuple, "verdicts", ("key", "scores", "reports", "reasoning", "cost_usd"), "key", keys)
        try:
            return {
                str(key): StoredVerdict._make((json.loads(str(scores)), json.loads(str(reports)), *others))
                for key, scores, reports, *others in rows
            }
        except ValueError as error:
            raise damaged_store(self.path, "the scores or reports in it are no JSON") from error

    # Looks of gates and checks of judges

    def look(self, look: Look) -> int:
        """Record a look unless it is known; return its place among all at its subject, in order of time, from 1."""
        if self._copied_from is not None:
            self._copied_from.look(look)
        with self._database.transaction() as connection:
            return add_look(connection, look)

    def looks(self, subject: str) -> list[Look]:
        """Return the looks at a subject in the order in which they were first made."""
        return self._read(Look, "SELECT body FROM looks WHERE subject = ? ORDER BY at, runs", (subject,))

    def add_judge_check(self, check: JudgeCheck) -> None:
        """Record a judge's result on a known-answer set; earlier checks stay, and an equal check is stored once."""
        body = value_to_json(check)
        with self._database.transaction() as connection:
            JUDGE_CHECKS.insert(connection, JUDGE_CHECKS.row_of(check, digest=digest(body), body=body))

    def add_known_verdict(self, verdict: Verdict) -> None:
        """Store a verdict on a known answer under its key, so that an interrupted check pays for nothing twice."""
        with self._database.transaction() as connection:
            VERDICTS.insert(connection, verdict_row(verdict, CHECKED, CHECKED, CHECKED))

    def judge_checks(self, configurations: Iterable[str]) -> list[JudgeCheck]:
        """Return every check of these judges, oldest first."""
        columns = ("at", "digest", "configuration", "body")
        rows = self._select(tuple, "judge_checks", columns, "configuration", configurations)
        return [read_body(self.path, JudgeCheck, body) for *_, body in rows]

    def checks_of(self, judge: str) -> list[JudgeCheck]:
        """Return the checks of all judges of this name, however they were asked, newest first."""
        return self._read(
            JudgeCheck,
            "SELECT body FROM judge_checks WHERE json_extract(body, '$.judge') = ? ORDER BY at DESC, digest DESC",
            (judge,),
        )

    # Labels of people

    def add_label(self, label: HumanLabel) -> None:
        """Record how a person scored a transcript, in place of the rater's earlier label, which may be a slip."""
        with self._database.transaction() as connection:
            LABELS.replace(connection, LABELS.row_of(label, body=value_to_json(label)))

    def labels(self, rubrics: Iterable[Rubric]) -> list[HumanLabel]:
        """Return all labels by these rubrics, sorted by key. Raises StoreFailed: one does not fit its rubric."""
        by_digest = {rubric.digest: rubric for rubric in rubrics}
        rows = self._select(tuple, "labels", (*LABELS.key, "body"), "rubric_digest", by_digest)
        labels = [read_body(self.path, HumanLabel, body) for *_, body in rows]
        try:
            return [label.check(by_digest[label.rubric_digest]) for label in labels]
        except (KeyError, ValueError) as error:
            raise damaged_store(self.path, "a label in it does not fit its rubric") from error

    # Listings for reports, each in one pass

    def sharing(self) -> AbstractContextManager[None]:
        """Read large listings within this: equal short texts of all of them are one object."""
        return self._database.sharing()

    def trial_rows(
        self, values: Iterable[str], by: Literal["script_digest", "configuration"] = "script_digest"
    ) -> list[TrialRow]:
        """Return every transcript with one of these texts, or of these model configurations, by trial key."""
        rows = self._select(TrialRow._make, "transcripts", TrialRow._fields, by, values)
        return [self._within_bounds(row, row.created_at, row.run) for row in rows]

    def transcripts_with(self, texts: Sequence[str], script_digests: Iterable[str]) -> dict[str, Transcript]:
        """Return the transcripts of these scripts with one of the texts, by trial key.
        Texts are ASCII without the signs that GLOB knows.
        """
        condition = " OR ".join(["body GLOB ?"] * len(texts))  # a fifth of the time that instr takes
        rows = self._database.rows(
            f"SELECT key, body FROM transcripts WHERE ({condition})"  # noqa: S608 -- only question marks
            " AND script_digest IN (SELECT value FROM json_each(?)) ORDER BY key",
            (*(f"*{text}*" for text in texts), json.dumps(list(script_digests))),
        )
        return {str(key): read_body(self.path, Transcript, body) for key, body in rows}

    def verdict_rows(self, judges: Iterable[str]) -> list[VerdictRow]:
        """Return every verdict of these judges, given by their configurations, by verdict key."""
        rows = self._select(VerdictRow._make, "verdicts", VerdictRow._fields, "judge_configuration", judges)
        return [self._within_bounds(row, row.created_at) for row in rows]

    def failure_rows(
        self, values: Iterable[str], by: Literal["script_digest", "trial_key"] = "script_digest"
    ) -> list[FailureRow]:
        """Return every failed attempt at trials with one of these texts, or at these trials, oldest first."""
        failures = self._select(FailureRow._make, "failures", FailureRow._fields, by, values)
        rows = [self._within_bounds(row, row.at, row.run) for row in failures]
        return sorted(rows, key=lambda row: (row.at, row.digest))

    # Single trials

    def verdicts_on(self, trial: TrialRow) -> list[Verdict]:
        """Return every verdict on a transcript, oldest first; of shared ones, the trial's own if any."""
        rows = self._database.rows(
            "SELECT trial_key, rubric_digest, judge_configuration, body FROM verdicts"
            " WHERE transcript_hash = ? ORDER BY created_at, key",
            (trial.transcript_hash,),
        )
        own = {(rubric, judge) for key, rubric, judge, _ in rows if key == trial.key}
        return [
            read_body(self.path, Verdict, body)
            for key, rubric, judge, body in rows
            if key == trial.key or (rubric, judge) not in own
        ]

    def transcript_bodies(self, keys: Iterable[str]) -> dict[str, Transcript]:
        """Return the transcripts of these trials, by trial key. Raises StoreFailed where one is missing."""
        keys = list(keys)
        return self._complete(keys, self._bodies(Transcript, "transcripts", keys))

    def _complete(self, keys: Collection[str], parts: dict[str, Part]) -> dict[str, Part]:
        """A flipped bit in an index lets SQLite list a row by one way and not find it by another."""
        if not parts.keys() >= set(keys):
            raise damaged_store(self.path, "a transcript in it is listed and cannot be found")
        return parts

    def verdict_bodies(self, keys: Iterable[str]) -> dict[str, Verdict]:
        """Return these verdicts in full, by verdict key; missing ones are left out."""
        return self._bodies(Verdict, "verdicts", keys)

    # Means for estimates

    def mean_tokens(self, texts: Iterable[str]) -> list[MeanTokens]:
        """Return mean tokens of each model's trials and judge's verdicts; ``texts``: digests of scripts or rubrics."""
        return mean_tokens(self._database, texts)

    # The store as a whole

    def export_lines(self, configurations: Iterable[str] | None = None) -> Generator[str, None, None]:
        """Yield an export of the whole store, or of these model configurations, line by line."""
        return export_lines(self._database, configurations)

    def merge(
        self, sources: Iterable["Store"], refused: Callable[[RefusedRows], None] = refuse_all, adopt_looks: bool = False
    ) -> MergeCounts:
        """Merge other stores into this one; the first version of a measurement is kept. ``refused`` gets each source's
        bad rows; by default they are an error, and nothing is merged. ``adopt_looks``: their looks are this store's.
        """
        return merge_stores(self._database, [source._database for source in sources], refused, adopt_looks)

    def unused(self) -> Removal:
        """Select rows that are no longer used: those of earlier versions of embedded models and judges."""
        return of_unused(self._database, self.configurations())

    def would_remove(self, removal: Removal) -> dict[str, int]:
        """Return how many rows of each table a removal would delete."""
        return removal.counts(self._database)

    def remove(self, removal: Removal) -> dict[str, int]:
        """Delete rows in one transaction; return how many of each table."""
        return removal.carry_out(self._database)

    # Finding rows

    def _texts(self, statement: str, values: Parameters = ()) -> list[str]:
        """Return the only column of a query's rows."""
        return [str(text) for (text,) in self._database.rows(statement, values)]

    def _read(self, model: type[Model], statement: str, values: Parameters) -> list[Model]:
        """Return what the only column of a query's rows holds."""
        return [read_body(self.path, model, body) for body in self._texts(statement, values)]

    def _within_bounds(self, row: Listed, at: float, run: int = 0) -> Listed:
        try:
            if at - at == 0 <= run <= MOST_RUNS and (row.cost_usd is None or 0 <= row.cost_usd <= MOST_USD):
                return row
        except TypeError:
            pass
        raise unreadable_row(self.path, f"the time, run or cost of {safe_text(str(row[0]), 60)} is out of bounds")

    def _bodies(self, model: type[Model], table: str, keys: Iterable[str], column: str = "key") -> dict[str, Model]:
        rows = self._select(tuple, table, (column, "body"), column, keys)
        return {str(key): read_body(self.path, model, body) for key, body in rows}

    def _select(
        self,
        make: Callable[[Iterable[Value]], Row],
        table: str,
        columns: Sequence[str],
        wanted: str,
        values: Iterable[str],
    ) -> list[Row]:
        rows = self._database.rows_as(
            make,
            f"SELECT {', '.join(f'b.{column}' for column in columns)} FROM json_each(?) AS k"  # noqa: S608 -- our own names
            f" CROSS JOIN {table} AS b ON b.{wanted} = k.value",
            (json.dumps(sorted(set(values))),),
        )
        rows.sort()
        return rows
