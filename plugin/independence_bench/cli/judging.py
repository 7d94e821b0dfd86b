"""The command ``judge``: other judges read the stored transcripts, in a separate session."""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.callable_judge import importable_from, judge_folders
from independence_bench.catalog import Catalogue
from independence_bench.catalog.selection import select_panel, split_names
from independence_bench.chat.secret import Secret
from independence_bench.cli.newest import newest_known_session, shown_numbers
from independence_bench.cli.places import edition_id, settings_of
from independence_bench.cli.stored_trials import JudgingScope, count_judged, judging_scopes, unjudged
from independence_bench.cli.terminal import progress, say
from independence_bench.counted import counted
from independence_bench.digest import Json, digest
from independence_bench.engine import Task
from independence_bench.grouping import group_values
from independence_bench.pace import Pace
from independence_bench.report.files import write_reports
from independence_bench.session.engine_setup import conduct_tasks
from independence_bench.session.settings import Settings
from independence_bench.spec import Model, PanelJudge
from independence_bench.store import Configuration, Session, Store
from independence_bench.store.lock import StoreLock, locked
from independence_bench.store.model_names import named_models
from independence_bench.store.removing import superseded_models
from independence_bench.store.sessions import IMPORTED_SESSION, JUDGING_ONLY, new_session_id
from independence_bench.trial import TrialRecord
from independence_bench.version import __version__

_STOPPED = "stopped by `independence-bench stop`, after what was running; give the same command again to continue."
_STILL = (
    "These judges have judged fewer trials than those before, so the reports still show the judges before; "
    "give the same command again to continue."
)


def judge_stored(arguments: argparse.Namespace) -> int:
    """Judge and print the outcome; returns 1 if one could not be. Raises BadInput: a wrong name or key, no trial."""
    settings = judging_settings(arguments)
    file = settings.store_file
    Store.open(file, read_only=True).close()  # a missing store is refused before a lock file is made
    with locked(file, "a judge") as lock, Store.open(file, places=settings.places) as store:
        catalogue = Catalogue(settings.overlay)
        panel = named_judges(arguments, settings, catalogue, store)
        names = split_names(arguments.models)
        matches = named_models(store, names)
        # Embedded models of earlier versions are judged only by name.
        superseded = set() if names else superseded_models(matches)
        configurations = {each.configuration: each for each in matches if each.configuration not in superseded}
        edition = arguments.edition and edition_id(arguments.edition)
        scopes = [scope for scope in judging_scopes(store, catalogue, edition, configurations) if scope.rows]
        if not scopes:
            raise BadInput(f"{store.path}: holds no transcript of {', '.join(names) or 'any model'} to judge")
        return _judge(settings, store, lock, panel, scopes, configurations)


def judging_settings(arguments: argparse.Namespace) -> Settings:
    """Return the settings of a command that only judges."""
    return replace(settings_of(arguments), judges=split_names(arguments.judge))


def named_judges(
    arguments: argparse.Namespace, settings: Settings, catalogue: Catalogue, store: Store
) -> tuple[Model, ...]:
    """Return the judges that a command names. A callable has the name that a session of the store gave it, else the one
    that a session in the repository around this folder would give it. Raises BadInput: as :func:`select_panel`.
    """
    known = [judge for each in store.sessions(own=True) for judge in each.panel]
    names = [next((each.asked_as for each in known if each.is_called(name)), name) for name in settings.judges]
    files = (f"{name.partition(':')[0].replace('.', '/')}.py" for name in names if name not in settings.judges)
    here, marks = Path.cwd(), (*files, ".git", "pyproject.toml", "pytest.ini")
    root = next((each for each in (here, *here.parents) if any((each / mark).exists() for mark in marks)), here)
    importable_from(judge_folders(getattr(arguments, "edition", None) or "", root), list)
    return select_panel(catalogue, names, (), settings)


def conduct_with_progress(
    settings: Settings,
    tasks: Sequence[Task],
    store: Store,
    on_records: Callable[[Sequence[TrialRecord]], None],
    things: str,
    stop_requested: Callable[[], bool],
) -> tuple[float, list[str]]:
    """Have the engine do the tasks and show progress; the first call to a judge unknown to the store goes alone.
    Returns the known cost, US dollars, and a sentence for each reason why some were not judged.
    """
    reasons: Counter[str] = Counter()

    def receive(records: Sequence[TrialRecord]) -> None:
        on_records(records)
        reasons.update(failure.message for record in records for failure in record.failures)

    def tell(pace: Pace) -> None:
        progress(f"{pace.done}/{len(tasks)} {things}, {pace.in_flight} calls in flight")

    try:
        spent, stopped = conduct_tasks(settings, tasks, store.answered(), receive, tell, stop_requested)
    finally:
        progress("")
    troubles = [f"not judged: {number} × {reason}" for reason, number in reasons.most_common()]
    return spent, [*troubles, *([_STOPPED] if stopped else [])]


def _judge(
    settings: Settings,
    store: Store,
    lock: StoreLock,
    panel: Sequence[Model],
    scopes: Sequence[JudgingScope],
    configurations: dict[str, Configuration],
) -> int:
    trials_of_scopes = (unjudged(scope, panel, store, configurations) for scope in scopes)
    trials = {trial.row.key: trial for trial in chain.from_iterable(trials_of_scopes)}
    judges = {judge.configuration: judge for each in trials.values() for judge in each.task.judges}
    for judge in judges.values():
        Secret.of(judge.endpoint, settings.environment)  # a missing key is reported before anything is written
    sessions = [(scope, judging_session(scope, configurations, panel, settings)) for scope in scopes]
    session_of = {row.key: session.id for scope, session in sessions for row in scope.rows}
    verdicts, worse = 0, False
    tasks = [trial.task for trial in trials.values()]

    def receive(records: Sequence[TrialRecord]) -> None:
        """Take finished records in the engine's thread."""
        nonlocal verdicts
        by_session = group_values((session_of[record.key], record) for record in records)
        for session_id, own in by_session.items():
            store.add_all([trials[record.key].record(record) for record in own], session_id)
        verdicts += sum(len(record.verdicts) for record in records)

    lock.note_work(len(tasks))
    try:
        spent, troubles = conduct_with_progress(settings, tasks, store, receive, "trials judged", lock.stop_requested)
    finally:
        # Noted only now: the newest session decides what the reports show, and a judging that failed must not.
        for scope, session in sessions:
            if count_judged(store, scope, session) < count_judged(store, scope, scope.session):
                worse = True
                continue
            store.begin_session(session, [])
            store.end_session(session.id, time.time())
        newest = newest_known_session(store)
        numbers = shown_numbers(store, newest, configs=settings.configs)
        files = write_reports(settings.reports_folder, numbers)
    total = sum(len(scope.rows) for scope in scopes)
    say(
        f"{counted(verdicts, 'verdict')} given on {len(trials)} of {counted(total, 'trial')}, for {spent:.4f} US "
        f"dollars where prices are known; {total - len(trials)} already judged."
    )
    if worse:
        troubles.append(_STILL)
    for line in (*troubles, *files):
        say(str(line))
    return 1 if troubles else 0


def judging_session(
    scope: JudgingScope, configurations: Mapping[str, Configuration], panel: Sequence[Model], settings: Settings
) -> Session:
    """Return the session that records the judging: the scope's, with other judges."""
    started = time.time()
    asked = (configurations[configuration] for configuration in {row.configuration for row in scope.rows})
    models = sorted(asked, key=lambda model: (model.label, model.configuration))
    keys: list[Json] = [row.key for row in scope.rows]
    judging = {name: value for name, value in settings.stored_options().items() if name.startswith("judge")}
    return scope.session.model_copy(
        update={
            "merged": False,
            "id": f"{IMPORTED_SESSION if scope.session.imported else ''}{new_session_id(started)}",
            "started_at": started,
            "version": __version__,
            "edition": scope.edition,
            "runs": max(row.run for row in scope.rows),
            "labels": tuple(model.label for model in models),
            "configurations": tuple(model.configuration for model in models),
            "panel": tuple(map(PanelJudge.of, panel)),
            "plan_digest": digest([keys, [judge.configuration for judge in panel]]),
            "chosen_as": (),
            "shard": None,
            "build": None,
            "options": {**JUDGING_ONLY, **judging},
        }
    )
