"""The commands ``leaderboard`` and ``report``: the results of a store's sessions, in the terminal and as files."""

import argparse
from typing import TYPE_CHECKING

from independence_bench.cli.places import reports_folder, store_file

if TYPE_CHECKING:
    from independence_bench.report import Presented
    from independence_bench.store import Session, Store


def run_leaderboard(arguments: argparse.Namespace) -> int:
    """Print it."""
    from independence_bench.cli.terminal import say, width
    from independence_bench.store import Store

    with Store.open(store_file(arguments), read_only=True) as store:
        _, shown = _shown_numbers(store, arguments)
        say(shown.text(width()))
        if arguments.detailed:
            say(shown.details(width()))
    return 0


def run_report(arguments: argparse.Namespace) -> int:
    """Write the files, and say where they are."""
    from independence_bench.cli.terminal import say
    from independence_bench.report import write_reports
    from independence_bench.store import Store

    with Store.open(store_file(arguments), read_only=True) as store:
        session, shown = _shown_numbers(store, arguments)
        for file in write_reports(reports_folder(arguments), store, session, shown=shown):
            say(str(file))
    return 0


def shown_session(store: "Store", arguments: argparse.Namespace) -> "Session":
    """Return the session that ``--edition``, ``--judge`` and ``--texts`` choose.

    Raises:
        BadInput: the store has none like that.
    """
    from independence_bench.catalog.selection import split_names
    from independence_bench.cli.newest import newest_session
    from independence_bench.report import session_showing

    newest = newest_session(store)
    judges = split_names(arguments.judge)
    if arguments.texts is None and arguments.edition is None and not judges:
        return newest
    return session_showing(store, arguments.texts, arguments.edition, judges)


def _shown_numbers(store: "Store", arguments: argparse.Namespace) -> "tuple[Session, Presented]":
    """Return that session and what it shows.

    Raises:
        BadInput: the store has none like that, or a judge of it has not passed and must have.
    """
    from independence_bench.cli.newest import newest_shown

    session = shown_session(store, arguments)
    return newest_shown(store, session=session, require_judge_check=arguments.require_judge_check)
