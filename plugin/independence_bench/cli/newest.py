"""The session that decides what is shown."""

from independence_bench.bad_input import BadInput
from independence_bench.store import Session, Store


def newest_session(store: Store) -> Session:
    """Return the newest session.

    Raises:
        BadInput: the store has none, so that nothing says which edition and which judges are meant.
    """
    session = store.newest_session()
    if session is None:
        raise BadInput(f"{store.path}: holds no session yet; run `pytest bench_tests`, or name another with --store")
    return session
