"""The session that decides what is shown, and its numbers."""

from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.judge_check.checked_judges import refuse_unchecked
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.kinds import telling
from independence_bench.report import Presented
from independence_bench.session.settings import Settings
from independence_bench.store import Session, Store


def newest_session(store: Store) -> Session:
    """Return the newest session that asked something itself, else the newest import.

    Raises:
        BadInput: the store has none, so that nothing says which edition and which judges are meant.
    """
    session = store.newest_session(own=True) or store.newest_session()
    if session is None:
        raise BadInput(f"{store.path}: holds no session yet; run `pytest bench_tests`, or name another with --store")
    return session


def newest_shown(
    store: Store, *, session: Session | None = None, configs: Path | None = None, require_judge_check: bool = False
) -> tuple[Session, Presented]:
    """Return the newest session, or the one given, and what it shows; judges are held against these configs' set.

    Raises:
        BadInput: the store has no session, or a judge of it has not passed and must have.
    """
    session = session or newest_session(store)
    shown = telling(session.edition.kind).presented(store, session, lambda: set_digest(configs))
    if require_judge_check and shown.leaderboard is not None:
        refuse_unchecked(shown.leaderboard.judge_checks)
    return session, shown


def set_digest(configs: Path | None = None) -> str:
    """Return the digest of the known-answer set as these configs have it."""
    return current_set_digest(Settings(root=Path.cwd(), configs=configs).overlay)
