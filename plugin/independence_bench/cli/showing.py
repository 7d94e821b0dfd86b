"""The session that decides what is shown, and the options that choose another than the newest."""

import argparse

from independence_bench.bad_input import BadInput
from independence_bench.store import Session, Store
from independence_bench.store.sessions import IMPORTED_SESSION


def newest_session(store: Store) -> Session:
    """Return the newest session that asked something itself, else the newest import.

    Raises:
        BadInput: the store has none, so that nothing says which edition and which judges are meant.
    """
    ids = store.session_ids()
    own = [session_id for session_id in ids if not session_id.startswith(IMPORTED_SESSION)]
    if not ids:
        raise BadInput(f"{store.path}: holds no session yet; run `pytest bench_tests`, or name another with --store")
    return store.session((own or ids)[0])


def shown_session(store: Store, arguments: argparse.Namespace) -> Session:
    """Return the session that the options of :func:`independence_bench.cli.places.add_showing` choose.

    Raises:
        BadInput: the store has none like that.
    """
    from independence_bench.catalog.selection import split_names
    from independence_bench.report.groups import session_showing

    newest = newest_session(store)
    judges = split_names(arguments.judge)
    if arguments.texts is None and arguments.edition is None and not judges:
        return newest
    return session_showing(store, arguments.texts, arguments.edition, judges)
