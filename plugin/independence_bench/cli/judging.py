"""One session of judging only: begun in the store like any other, conducted by the engine, told in the reports."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import uuid4

from independence_bench import __version__
from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.selection import Overrides, select_panel
from independence_bench.chat.secret import Secret
from independence_bench.cli.newest import newest_shown
from independence_bench.cli.stored_models import named_models
from independence_bench.cli.stored_trials import StoredTrial, View, unjudged, views
from independence_bench.cli.terminal import clear_progress, progress, say
from independence_bench.counted import counted
from independence_bench.digest import Json, digest
from independence_bench.engine import Engine
from independence_bench.report import write_reports
from independence_bench.session.judge_check_required import panel_of
from independence_bench.session.measuring import all_limits, open_engine
from independence_bench.session.plan import Plan, offline_build
from independence_bench.session.settings import Settings
from independence_bench.spec import Model
from independence_bench.store import Configuration, Session, Store, TrialRow
from independence_bench.store.removing import superseded_models
from independence_bench.store.sessions import IMPORTED_SESSION
from independence_bench.trial import TrialRecord
from independence_bench.wire_json import record_to_json

LOOK_EVERY_S = 0.2


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
            (view, rows)
            for view in views(self._store, catalogue, edition)
            if (rows := view.rows(self._store, configurations))
        ]
        if not found:
            raise BadInput(f"{self._store.path}: holds no transcript of {', '.join(names) or 'any model'} to judge")
        for view, rows in found:
            for trial in unjudged(view, rows, panel, self._store, configurations):
                self._trials[trial.row.key] = trial
        for judge in {
            judge.configuration: judge for each in self._trials.values() for judge in each.task.judges
        }.values():
            Secret.of(judge.endpoint, self._settings.environment)  # a missing key is said before anything is written
        sessions = []
        for view, rows in found:
            models = {row.configuration: configurations[row.configuration] for row in rows}
            session = judging_session(view, rows, models.values(), panel, self._settings)
            self._store.begin_session(session, [])
            self._session_of.update((row.key, session.id) for row in rows)
            sessions.append(session)
        try:
            spent = self._conduct(panel, found[-1][0].edition)
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

    def _conduct(self, panel: Sequence[Model], edition: Edition) -> float:
        """Ask the judges; returns what it cost as far as that is known, US dollars."""
        plan = Plan(edition=edition, cells=(), all_cells=(), models=(), panel=tuple(panel), runs=1, specs=())
        engine = open_engine(self._settings, plan, all_limits(self._settings), 1, self._receive)
        try:
            engine.start([trial.task for trial in self._trials.values()])
            for key in self._trials:
                self._wait(engine, key)
            return engine.spent_usd
        finally:
            engine.close()
            clear_progress()

    def _receive(self, record: TrialRecord) -> None:
        """Take a finished record in the engine's thread."""
        own = self._trials[record.key].record(record)
        self._store.add(record_to_json(own), self._session_of[record.key])
        self._verdicts += len(own.verdicts)
        self._reasons.update(failure.message for failure in own.failures)

    def _wait(self, engine: Engine, key: str) -> None:
        while True:
            try:
                engine.result(key, timeout=LOOK_EVERY_S)
            except TimeoutError:
                progress(f"{engine.done}/{len(self._trials)} trials judged, {engine.in_flight} calls in flight")
            else:
                return


def judges(settings: Settings, catalogue: Catalogue) -> tuple[Model, ...]:
    """Return the judges that the options name, the same models as a session of pytest has for these options.

    Raises:
        BadInput: an unknown judge, or one named twice.
    """
    overrides = Overrides(
        judge_endpoint=settings.judge_endpoint,
        judge_endpoint_key_env=settings.judge_endpoint_key_env,
        timeout_s=settings.timeout_s,
        lift_endpoint_concurrency=settings.concurrency is not None,
        offline_build=offline_build,
    )
    return select_panel(catalogue, settings.judges, (), overrides)


def judging_session(
    view: View, rows: Sequence[TrialRow], models: Iterable[Configuration], panel: Sequence[Model], settings: Settings
) -> Session:
    """Return what is noted of judging: the view's session, with other judges."""
    started = time.time()
    asked = sorted(models, key=lambda model: (model.label, model.configuration))
    keys: list[Json] = [row.key for row in rows]
    options = {"command": "judge", "judges": list(settings.judges), "judge_endpoint": settings.judge_endpoint}
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(started))
    return view.session.model_copy(
        update={
            "id": f"{IMPORTED_SESSION if view.imported else ''}{stamp}-{uuid4().hex[:8]}",
            "started_at": started,
            "version": __version__,
            "edition": view.edition,
            "runs": max(row.run for row in rows),
            "labels": tuple(model.label for model in asked),
            "configurations": tuple(model.configuration for model in asked),
            "panel": panel_of(panel),
            "plan_digest": digest([keys, [judge.configuration for judge in panel]]),
            "shard": None,
            "build": None,
            "options": {name: value for name, value in options.items() if value is not None},
        }
    )
