"""One session of judging only: begun in the store like any other, conducted by the engine, told in the reports."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import uuid4

from independence_bench import __version__
from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.selection import select_panel
from independence_bench.chat.secret import Secret
from independence_bench.cli.newest import newest_shown
from independence_bench.cli.stored_models import named_models
from independence_bench.cli.stored_trials import JudgingScope, StoredTrial, judging_scopes, unjudged
from independence_bench.cli.terminal import clear_progress, progress, say
from independence_bench.counted import counted
from independence_bench.digest import Json, digest
from independence_bench.report import write_reports
from independence_bench.session.judge_check_required import panel_of
from independence_bench.session.measuring import conduct_tasks
from independence_bench.session.settings import Settings
from independence_bench.spec import Model
from independence_bench.store import Configuration, Session, Store, TrialRow
from independence_bench.store.removing import superseded_models
from independence_bench.store.sessions import IMPORTED_SESSION
from independence_bench.trial import TrialRecord
from independence_bench.wire_json import record_to_json


class Judging:
    """Judges what a store holds."""

    def __init__(self, settings: Settings, store: Store) -> None:
        """Take what was asked for; nothing is done yet."""
        self._settings = settings
        self._store = store
        self._trials: dict[str, StoredTrial] = {}
        self._session_of: dict[str, str] = {}
        self._verdicts = 0
        self._reasons: Counter[str] = Counter()

    def judge(self, names: Sequence[str], edition: str | None) -> int:
        """Judge the models named, or all; returns 1 where something could not be judged, else 0.

        Raises:
            BadInput: an unknown model, judge or edition, a missing key, or nothing to judge.
        """
        catalogue = Catalogue(self._settings.overlay)
        panel = judges(self._settings, catalogue)
        configurations = self._configurations(names)
        found = [
            (scope, rows)
            for scope in judging_scopes(self._store, catalogue, edition)
            if (rows := scope.rows(self._store, configurations))
        ]
        if not found:
            raise BadInput(f"{self._store.path}: holds no transcript of {', '.join(names) or 'any model'} to judge")
        for scope, rows in found:
            for trial in unjudged(scope, rows, panel, self._store, configurations):
                self._trials[trial.row.key] = trial
        for judge in {
            judge.configuration: judge for each in self._trials.values() for judge in each.task.judges
        }.values():
            Secret.of(judge.endpoint, self._settings.environment)  # a missing key is said before anything is written
        sessions = []
        for scope, rows in found:
            models = {row.configuration: configurations[row.configuration] for row in rows}
            session = judging_session(scope, rows, models.values(), panel, self._settings)
            self._store.begin_session(session, [])
            self._session_of.update((row.key, session.id) for row in rows)
            sessions.append(session)
        try:
            spent = self._conduct()
        finally:
            for session in sessions:
                self._store.end_session(session.id, time.time())
            newest, shown = newest_shown(self._store, configs=self._settings.configs)
            files = write_reports(self._settings.reports_folder, self._store, newest, shown=shown)
        self._tell(sum(len(rows) for _, rows in found), spent, files)
        return 1 if self._reasons else 0

    def _tell(self, trials: int, spent: float, files: Sequence[Path]) -> None:
        say(
            f"{counted(self._verdicts, 'verdict')} given on {len(self._trials)} of {counted(trials, 'trial')}, for "
            f"{spent:.4f} US dollars as far as prices are known; {trials - len(self._trials)} judged already."
        )
        for reason, count in self._reasons.most_common():
            say(f"not judged: {count} × {reason}")
        for file in files:
            say(str(file))

    def _configurations(self, names: Sequence[str]) -> dict[str, Configuration]:
        stored = named_models(self._store, names)
        # Nobody looks at embedded models of earlier versions; whoever names one gets it.
        left_out = set() if names else superseded_models(stored)
        return {each.facts.configuration: each.facts for each in stored if each.facts.configuration not in left_out}

    def _conduct(self) -> float:
        """Ask the judges; returns what it cost as far as that is known, US dollars."""
        tasks = [trial.task for trial in self._trials.values()]

        def tell(done: int, in_flight: int) -> None:
            progress(f"{done}/{len(tasks)} trials judged, {in_flight} calls in flight")

        try:
            return conduct_tasks(self._settings, tasks, self._receive, tell)
        finally:
            clear_progress()

    def _receive(self, record: TrialRecord) -> None:
        """Take a finished record in the engine's thread."""
        own = self._trials[record.key].record(record)
        self._store.add(record_to_json(own), self._session_of[record.key])
        self._verdicts += len(own.verdicts)
        self._reasons.update(failure.message for failure in own.failures)


def judges(settings: Settings, catalogue: Catalogue) -> tuple[Model, ...]:
    """Return the judges that the options name, the same models as a session of pytest has for these options.

    Raises:
        BadInput: an unknown judge, or one named twice.
    """
    return select_panel(catalogue, settings.judges, (), settings)


def judging_session(
    scope: JudgingScope,
    rows: Sequence[TrialRow],
    models: Iterable[Configuration],
    panel: Sequence[Model],
    settings: Settings,
) -> Session:
    """Return what is noted of judging: the scope's session, with other judges."""
    started = time.time()
    asked = sorted(models, key=lambda model: (model.label, model.configuration))
    keys: list[Json] = [row.key for row in rows]
    judging = {name: value for name, value in settings.stored_options().items() if name.startswith("judge")}
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(started))
    return scope.session.model_copy(
        update={
            "id": f"{IMPORTED_SESSION if scope.session.imported else ''}{stamp}-{uuid4().hex[:8]}",
            "started_at": started,
            "version": __version__,
            "edition": scope.edition,
            "runs": max(row.run for row in rows),
            "labels": tuple(model.label for model in asked),
            "configurations": tuple(model.configuration for model in asked),
            "panel": panel_of(panel),
            "plan_digest": digest([keys, [judge.configuration for judge in panel]]),
            "shard": None,
            "build": None,
            "options": {"command": "judge", **judging},
        }
    )
