"""The session that a command shows, the newest unless options choose another, and its numbers."""

import argparse
from functools import partial
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.catalog.selection import split_names
from independence_bench.cli.terminal import remark
from independence_bench.judge_check.checked_judges import refuse_unchecked
from independence_bench.judge_check.known_sets import SET
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kind_registry import kind_entry, unknown_kind
from independence_bench.option_table import RUN_OR_NAME
from independence_bench.report.analysis.groups import session_showing
from independence_bench.report.analysis.labelled import labelled_answers, refuse_unlabelled
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.presented import Presented, reported_kind
from independence_bench.session.settings import Settings
from independence_bench.store import Session, Store


def newest_session(store: Store, *, own: bool = False) -> Session:
    """Return the newest session that called a model, else an import unless ``own``. Raises BadInput: there is none."""
    session = store.newest_session()
    if session is None or (own and session.imported):
        which = "of your own to decide on" if own else "yet"
        raise BadInput(f"{store.path}: holds no session {which}; {RUN_OR_NAME}")
    return session


def shown_session(store: Store, arguments: argparse.Namespace) -> Session:
    """Return the session that the options of ``SHOWING`` choose. Raises BadInput: none, or of an unknown kind."""
    session, judges = newest_session(store), split_names(arguments.judge)
    if arguments.texts is not None or arguments.edition is not None or judges:
        session = session_showing(store, arguments.texts, arguments.edition, judges)
    kind_entry(session.edition.kind)
    return session


def newest_known_session(store: Store) -> Session:
    """Return the newest session whose kind this version knows. Raises BadInput: there is none."""
    remark_unknown_kinds(store)
    newest = next((session for session in store.sessions() if not unknown_kind(session.edition.kind)), None)
    return newest or newest_session(store)


def remark_unknown_kinds(store: Store) -> None:
    """Print a sentence for each kind of stored editions that this version does not know."""
    kinds = {session.edition.kind for session in store.sessions()}
    for trouble in filter(None, map(unknown_kind, sorted(kinds))):
        remark(f"left out: {trouble}")


def shown_numbers(
    store: Store, session: Session, *, configs: Path | None = None, require: argparse.Namespace | None = None
) -> Presented:
    """Return what a session shows, by these configs' known answers. Raises BadInput: ``require`` asks for more."""
    numbers = reported_kind(session.edition.kind).presented(store, session, partial(known_answer_digest, configs))
    if getattr(require, "require_judge_check", False):
        refuse_unchecked(numbers.judge_checks)
    if getattr(require, "require_labels", False) and numbers.leaderboard is not None:
        refuse_unlabelled(labelled_answers(store, session))
    return numbers


def board_records(store: Store, session: Session, board: Leaderboard | None = None) -> BoardRecords:
    """Return what tables are filled from; ``board`` spares building the session's leaderboard again."""
    return BoardRecords.of(store, session, board, known_answer_digest)


def known_answer_digest(configs: Path | None = None, *, name: str = SET) -> str:
    """Return the digest of these configs' known-answer set of a name."""
    return current_set_digest(Settings(root=Path.cwd(), configs=configs).overlay, name=name)
