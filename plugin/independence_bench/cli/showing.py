"""The session that decides what is shown, where options choose another than the newest."""

import argparse

from independence_bench.catalog.selection import split_names
from independence_bench.cli.newest import newest_board, newest_session
from independence_bench.report import Leaderboard, session_showing
from independence_bench.store import Session, Store


def shown_session(store: Store, arguments: argparse.Namespace) -> Session:
    """Return the session that the options of :func:`independence_bench.cli.places.add_showing` choose.

    Raises:
        BadInput: the store has none like that.
    """
    newest = newest_session(store)
    judges = split_names(arguments.judge)
    if arguments.texts is None and arguments.edition is None and not judges:
        return newest
    return session_showing(store, arguments.texts, arguments.edition, judges)


def shown_board(store: Store, arguments: argparse.Namespace) -> tuple[Session, Leaderboard]:
    """Return that session and its leaderboard.

    Raises:
        BadInput: the store has none like that, or a judge of it has not passed and must have.
    """
    session = shown_session(store, arguments)
    return newest_board(store, session=session, require_judge_check=arguments.require_judge_check)
