"""The command ``judge``: other judges read the stored transcripts, in a session of their own."""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from independence_bench import __version__
from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.selection import select_panel, split_names
from independence_bench.chat.secret import Secret
from independence_bench.cli.newest import newest_shown
from independence_bench.cli.places import reports_folder, store_file
from independence_bench.cli.stored_models import named_models
from independence_bench.cli.stored_trials import JudgingScope, judging_scopes, unjudged
from independence_bench.cli.terminal import clear_progress, progress, say
from independence_bench.counted import counted
from independence_bench.digest import Json, digest
from independence_bench.engine import Task
from independence_bench.report import write_reports
from independence_bench.session.measuring import conduct_tasks
from independence_bench.session.options import read_settings
from independence_bench.session.settings import Settings
from independence_bench.spec import Model
from independence_bench.store import Configuration, PanelJudge, Session, Store, TrialRow
from independence_bench.store.lock import shared
from independence_bench.store.removing import superseded_models
from independence_bench.store.sessions import IMPORTED_SESSION
from independence_bench.trial import TrialRecord
from independence_bench.wire_json import record_to_json


def judge_stored(arguments: argparse.Namespace) -> int:
    """Judge and print the outcome; returns 1 if a trial could not be judged.

    Raises:
        BadInput: an unknown model, judge or edition, a missing key, or nothing to judge.
    """
    settings = replace(judging_settings(arguments), reports=reports_folder(arguments))
    with Store.open(settings.store_file, read_only=True):
        pass  # a missing store is refused before a lock file is made
    with shared(settings.store_file, "a judge"), Store.open(settings.store_file) as store:
        catalogue = Catalogue(settings.overlay)
        panel = select_panel(catalogue, settings.judges, (), settings)
        names = split_names(arguments.models)
        stored = named_models(store, names)
        # Embedded models of earlier versions are judged only by name.
        left_out = set() if names else superseded_models(stored)
        facts = [each.facts for each in stored if each.facts.configuration not in left_out]
        configurations = {each.configuration: each for each in facts}
        scopes = judging_scopes(store, catalogue, arguments.edition)
        found = [(scope, rows) for scope in scopes if (rows := scope.rows(store, configurations))]
        if not found:
            raise BadInput(f"{store.path}: holds no transcript of {', '.join(names) or 'any model'} to judge")
        return _judge(settings, store, panel, found, configurations)


def judging_settings(arguments: argparse.Namespace) -> Settings:
    """Return the settings of a command that only judges."""
    root = Path.cwd()
    return replace(
        read_settings(arguments, root, root),
        judges=split_names(arguments.judge),
        configs=arguments.configs,
        store=store_file(arguments),
    )


def conducted(
    settings: Settings, tasks: Sequence[Task], on_record: Callable[[TrialRecord], None], things: str
) -> float:
    """Have the engine do the tasks and show progress; returns their cost where known, US dollars."""

    def tell(done: int, in_flight: int) -> None:
        progress(f"{done}/{len(tasks)} {things}, {in_flight} calls in flight")

    try:
        return conduct_tasks(settings, tasks, on_record, tell)
    finally:
        clear_progress()


def _judge(
    settings: Settings,
    store: Store,
    panel: Sequence[Model],
    found: Sequence[tuple[JudgingScope, list[TrialRow]]],
    configurations: dict[str, Configuration],
) -> int:
    trials = {
        trial.row.key: trial for scope, rows in found for trial in unjudged(scope, rows, panel, store, configurations)
    }
    asked = {judge.configuration: judge for each in trials.values() for judge in each.task.judges}
    for judge in asked.values():
        Secret.of(judge.endpoint, settings.environment)  # a missing key is reported before anything is written
    session_of: dict[str, str] = {}
    sessions = []
    for scope, rows in found:
        models = {row.configuration: configurations[row.configuration] for row in rows}
        session = judging_session(scope, rows, models.values(), panel, settings)
        store.begin_session(session, [])
        session_of |= {row.key: session.id for row in rows}
        sessions.append(session)
    verdicts = 0
    reasons: Counter[str] = Counter()

    def receive(record: TrialRecord) -> None:
        """Take a finished record in the engine's thread."""
        nonlocal verdicts
        own = trials[record.key].record(record)
        store.add(record_to_json(own), session_of[record.key])
        verdicts += len(own.verdicts)
        reasons.update(failure.message for failure in own.failures)

    try:
        spent = conducted(settings, [trial.task for trial in trials.values()], receive, "trials judged")
    finally:
        for session in sessions:
            store.end_session(session.id, time.time())
        newest, shown = newest_shown(store, configs=settings.configs)
        files = write_reports(settings.reports_folder, store, newest, shown=shown)
    total = sum(len(rows) for _, rows in found)
    say(
        f"{counted(verdicts, 'verdict')} given on {len(trials)} of {counted(total, 'trial')}, for {spent:.4f} US "
        f"dollars where prices are known; {total - len(trials)} already judged."
    )
    for reason, number in reasons.most_common():
        say(f"not judged: {number} × {reason}")
    for file in files:
        say(str(file))
    return 1 if reasons else 0


def judging_session(
    scope: JudgingScope,
    rows: Sequence[TrialRow],
    models: Iterable[Configuration],
    panel: Sequence[Model],
    settings: Settings,
) -> Session:
    """Return the session that records the judging: the scope's, with other judges."""
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
            "panel": tuple(map(PanelJudge.of, panel)),
            "plan_digest": digest([keys, [judge.configuration for judge in panel]]),
            "shard": None,
            "build": None,
            "options": {"command": "judge", **judging},
        }
    )
