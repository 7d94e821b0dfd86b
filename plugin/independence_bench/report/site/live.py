"""A running session as the live page shows it: progress, the newest answers with their verdicts, the growing board.

Read from the store for a moment, at most every :data:`EVERY_S` seconds and never for more than a tenth of the time.
Writes nothing. Only this page may connect to its server; files on disk never say so.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock

from independence_bench.aggregation import mean_known
from independence_bench.bad_input import BadInput
from independence_bench.report.analysis.ranked import Ranked, ranked_models
from independence_bench.report.analysis.running import FinishedTrial, RunningSession
from independence_bench.report.analysis.shown_names import shown_names
from independence_bench.report.site.chunks import Datum, drop_empty, rounded, rounded_ends, truth_number
from independence_bench.report.site.pages import CONTENT_SECURITY_POLICY, page_alone
from independence_bench.report.views.running_text import duration, progress_words
from independence_bench.safe_text import safe_text
from independence_bench.store import Session, Store
from independence_bench.store.damage import size_and_time

EVERY_S = 2.0  # seconds between two readings at least
PATIENCE = 10.0  # minimum pause after a read, as a multiple of its CPU time
EXCERPT = 400  # characters of an answer and of a judge's reason that are shown
LIVE_POLICY = CONTENT_SECURITY_POLICY.replace("connect-src 'none'", "connect-src 'self'")
LIVE_PAGE = "live.html"
LIVE_DATA = "live.json"


def live_page() -> str:
    """Return the page, which asks its server for :data:`LIVE_DATA` again and again."""
    return page_alone(LIVE_PAGE, policy=LIVE_POLICY)


class LiveReader:
    """Gives the newest state of a store's newest session as JSON; readings are shared by all who ask."""

    def __init__(
        self, file: Path, ended: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Read this file; ``ended`` is called once after each session that was seen to run and to end."""
        self._file = file
        self._ended = ended
        self._clock = clock
        self._lock = Lock()
        self._next = float("-inf")
        self._seen: tuple[object, ...] | None = None
        self._ran: str | None = None
        self._state: dict[str, Datum] = {"state": "waiting"}
        self.reads = 0

    def state(self) -> bytes:
        """Return the state as JSON; reads the store only if it is time to, and something was written."""
        with self._lock:
            if self._clock() >= self._next:
                self._read()
            told = {**self._state, "reads": self.reads}
        return json.dumps(told, allow_nan=False).encode("ascii")

    def _read(self) -> None:
        written = (*map(size_and_time, (self._file, Path(f"{self._file}-wal"))),)
        cpu = time.thread_time()
        # Time passes without a write, too: a rate falls, and a process may have died.
        if written != self._seen or self._state["state"] == "running":
            self._seen = written
            try:
                with Store.open(self._file, read_only=True) as store:
                    self._state = store.reading(live_data)
            except BadInput as error:  # not there yet, or not to be read: the page says so and looks again
                self._state = {"state": "waiting", "trouble": safe_text(str(error), EXCERPT)}
            self.reads += 1
            self._note_end()
        cpu = time.thread_time() - cpu
        self._next = self._clock() + max(EVERY_S, PATIENCE * cpu)

    def _note_end(self) -> None:
        session = str(self._state.get("session"))
        if self._state["state"] == "running":
            self._ran = session
        elif self._ran is not None and self._ran == session:
            self._ran = None
            self._ended()


def live_data(store: Store) -> dict[str, Datum]:
    """Return what the live page shows of the newest session."""
    session = store.newest_session(own_first=True)
    running = RunningSession.read(store, session)
    if session is None or running is None:
        return {"state": "waiting"}
    growing = _growing(store, session)
    names = {identity: str(name) for identity, name in shown_names([entry.row for entry in growing]).items()}
    return {
        **running.model_dump(exclude={"newest"}),
        "words": progress_words(running),
        "time_left": None if running.seconds_left is None else duration(running.seconds_left),
        "newest": list(_answers(store, running.newest, names)),
        "board": [_line(entry, names[entry.row.identity]) for entry in growing],
    }


def _answers(store: Store, newest: Sequence[FinishedTrial], names: Mapping[str, str]) -> Iterator[Datum]:
    said = store.transcript_bodies([trial.trial_key for trial in newest])
    judged = store.verdict_keys_on({transcript.hash for transcript in said.values()})
    for trial in newest:
        if (transcript := said.get(trial.trial_key)) is None:
            continue
        reasons = [found.reasoning for found in store.verdicts(judged.get(transcript.hash, ())).values()]
        yield {
            "at": trial.at,
            "name": names.get(trial.identity, trial.label),
            "scenario": trial.scenario,
            "run": trial.run,
            "held": truth_number(trial.held),
            "near": trial.near,
            "answer": safe_text(transcript.messages[-1], EXCERPT) if transcript.exchanges else "",
            "reason": safe_text(reasons[0], EXCERPT) if reasons else "",
        }


def _growing(store: Store, session: Session) -> list[Ranked]:
    found = ranked_models(store, session).entries
    entries = [entry for entry in found if entry.own and entry.row.identity in session.configurations]
    return sorted(entries, key=lambda entry: (not entry.contends, -((not entry.contends and _share(entry)) or 0.0)))


def _share(entry: Ranked) -> float | None:
    return mean_known(trial.share for trial in entry.result.trials)


def _line(entry: Ranked, name: str) -> Datum:
    row = entry.row
    return drop_empty(
        name=name,
        index=rounded(row.index),
        bounds=rounded_ends(row.bounds),
        share=rounded(_share(entry)),
        measured=row.measured,
        planned=row.planned,
        held=[row.held.held, row.held.measured],
    )
