"""A session as it runs, for ``independence-bench status``: progress, pace, cost, failures."""

import time
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.records import StoreRecords, cell_key, gather
from independence_bench.report.report_data import ReportData
from independence_bench.spec import TrialName
from independence_bench.store import Session, Store, TrialRow, VerdictRow
from independence_bench.store.lock import holder_of

WINDOW_S = 300.0  # the rate is that of the last five minutes, or of the whole session while it is younger

State = Literal["running", "ended", "killed"]


class RunningSession(ReportData):
    """What a session has done so far, and what it has left to do."""

    session: str
    edition: str
    state: State  # ``killed``: it never ended, and its process is gone
    started_at: float  # Unix time, as all times here
    ended_at: float | None
    read_at: float
    shard: str | None
    total: int  # Trials of its plan: cells × models × runs. A shard, ``-k`` or ``-m`` asks only a part of them.
    done: int  # those that are measured, in this session or before
    finished: int  # those that this session has measured itself
    left: int  # trials that it still has to finish, those that failed not counted; 0 unless it runs
    failures: dict[str, int]
    """Trials that failed in this session and are not measured, by the kind of the newest failure."""
    trials_per_minute: float
    seconds_left: float | None  # at the present rate; None where nothing is left or nothing was finished lately
    cost_usd: float  # what is known of the session's cost, failed attempts included
    unknown_costs: int  # answers, verdicts and failed attempts of unknown cost

    @classmethod
    def read(cls, store: Store, now: float | None = None) -> "RunningSession | None":
        """Read the newest session, at unix time ``now``; None where the store has no session.

        Costs one pass over the tables, without any text: half a second of one core for 8,000 trials.
        """
        session = store.newest_session()
        if session is None:
            return None
        now = time.time() if now is None else now
        gathered = gather(store, session)
        instead = list(_asked(session, gathered, instead=True))
        trials = [*_asked(session, gathered, instead=False), *instead]
        finished = list(_finished(session, trials))
        last_failures = [trial.failures[-1] for trial in trials if trial.failures and not trial.measured]
        failed = {failure.trial_key: failure.kind for failure in last_failures if failure.session == session.id}
        ended_at, holder = store.ended_at(session.id), holder_of(store.path)
        # A process takes the store a moment before its session begins.
        runs = ended_at is None and holder is not None and holder.since <= session.started_at
        work = (holder.work or 0) if holder is not None and runs else 0
        measured = [trial.transcript.key for trial in trials if trial.measured and trial.transcript]
        left = max(0, work - len(finished) - len(failed))
        window = min(WINDOW_S, max(now - session.started_at, 1.0))
        rate = sum(at > now - window for at in finished) / window
        costs = list(_costs(session, gathered, trials))
        return cls(
            session=session.id,
            edition=session.edition.id,
            state="ended" if ended_at is not None else "running" if runs else "killed",
            started_at=session.started_at,
            ended_at=ended_at,
            read_at=now,
            shard=session.shard,
            total=_total(session, len(instead)),
            done=len(measured),
            finished=len(finished),
            left=left,
            failures=dict(Counter(failed.values()).most_common()),
            trials_per_minute=60 * rate if runs else 0.0,
            seconds_left=left / rate if left and rate else None,
            cost_usd=sum(cost for cost in costs if cost is not None),
            unknown_costs=costs.count(None),
        )


def _total(session: Session, instead: int) -> int:
    cells = [cell for cell in session.cells if not cell.overridden]
    return max(len(cells) * len(session.configurations) * session.runs - len(session.replaced), 0) + instead


def _asked(session: Session, gathered: StoreRecords, instead: bool) -> Iterable[PlannedTrial]:
    """Yield the trials that have been asked of those planned, or ``instead`` of them by overridden fixtures."""
    cells = [cell for cell in session.cells if instead or not cell.overridden]
    texts = {(cell_key(cell), cell.script_digest, frozenset(cell.judges)) for cell in cells}
    models, replaced = {*session.configurations, *session.asked_instead}, {*session.replaced}
    for records in gathered.records:
        planned = records.configuration in session.configurations and not records.overridden
        if records.configuration not in models or planned is instead:
            continue
        judges = frozenset(records.judges or ())
        for trial in ModelResult(session, records, gathered.verdicts, session.runs).trials:
            name = TrialName(records.configuration, *trial.cell, trial.run)
            rows = [row for row in (trial.transcript, *trial.failures) if row]
            asked = any((trial.cell, row.script_digest, judges) in texts for row in rows)
            if asked and (instead or name not in replaced):
                yield trial


def _finished(session: Session, trials: Iterable[PlannedTrial]) -> Iterable[float]:
    """Yield when each trial that this session has measured was complete; unix time."""
    for trial in trials:
        if trial.measured and trial.transcript:
            parts: list[TrialRow | VerdictRow] = [trial.transcript, *filter(None, trial.verdicts)]
            if own := [part.created_at for part in parts if part.session == session.id]:
                yield max(own)


def _costs(session: Session, gathered: StoreRecords, trials: Iterable[PlannedTrial]) -> Iterable[float | None]:
    for trial in trials:
        if trial.transcript and trial.transcript.session == session.id:
            yield trial.transcript.cost_usd
        yield from (failure.cost_usd for failure in trial.failures if failure.session == session.id)
    yield from gathered.verdicts.costs_in(session.id)
