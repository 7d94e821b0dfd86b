"""The session that decides what is shown."""

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
