"""The session that a command shows, the newest unless options choose another, and its numbers."""

import argparse
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.catalog.selection import split_names
from independence_bench.judge_check.checked_judges import refuse_unchecked
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.kinds import telling
from independence_bench.report import Presented, session_showing
from independence_bench.report.analysis.labelled import labelled_answers, refuse_unlabelled
from independence_bench.session.settings import Settings
from independence_bench.store import Session, Store


def newest_session(store: Store) -> Session:
    """Return the newest session that called a model, else the newest import.

    Raises:
        BadInput: the store has none, so edition and judges are unknown.
    """
    session = store.newest_session(own_first=True)
    if session is None:
        raise BadInput(f"{store.path}: holds no session yet; run `pytest bench_tests`, or name another with --store")
    return session


def shown_session(store: Store, arguments: argparse.Namespace) -> Session:
    """Return the session that ``--edition``, ``--judge`` and ``--texts`` choose.

    Raises:
        BadInput: the store has none like that.
    """
    newest = newest_session(store)
    judges = split_names(arguments.judge)
    if arguments.texts is None and arguments.edition is None and not judges:
        return newest
    return session_showing(store, arguments.texts, arguments.edition, judges)


def shown_numbers(
    store: Store, session: Session, *, configs: Path | None = None, require: argparse.Namespace | None = None
) -> Presented:
    """Return what a session shows; judges are held to these configs' known answers.

    Raises:
        BadInput: what the options ``require`` of judge checks or labels is not there.
    """
    shown = telling(session.edition.kind).presented(store, session, lambda: set_digest(configs, session.edition.id))
    if require is not None:
        if require.require_judge_check:
            refuse_unchecked(shown.judge_checks)
        if require.require_labels and shown.leaderboard is not None:
            refuse_unlabelled(labelled_answers(store, session))
    return shown


def set_digest(configs: Path | None = None, of_edition: str = "") -> str:
    """Return the digest of these configs' known-answer set for an edition."""
    return current_set_digest(Settings(root=Path.cwd(), configs=configs).overlay, of_edition)
