"""The lock on a store: one process at a time measures, judges or rearranges rows. Readers need none.

It is filelock's on ``<store>.lock``: the operating system releases it when its process ends, so it is never stale. A
file system without such locks is refused. ``<store>.holder`` only says who holds it, and takes the request to stop.
"""

import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.drafts import lives
from independence_bench.safe_text import safe_text
from independence_bench.spec import Frozen
from independence_bench.store.table_rows import LATEST

PATIENCE_S = 1.0  # seconds to wait for the holder: one that is just ending needs no second command


class Holder(Frozen):
    """The process that works on a store."""

    pid: int = Field(ge=1, lt=2**31)
    host: str
    doing: str  # such as ``a session``
    since: float = Field(ge=0, le=LATEST)  # Unix time
    work: int | None = None  # trials that it has set out to ask; None: it asks nothing, or does not know yet
    stop: bool = False  # whether it is to stop

    def __str__(self) -> str:
        since = time.strftime("%H:%M:%S UTC", time.gmtime(self.since))
        return safe_text(f"{self.doing} (pid {self.pid} on {self.host}, since {since})")


class StoreLock:
    """What the holder of a store tells other processes, and hears from them."""

    def __init__(self, store: Path) -> None:
        self._store = store

    def note_work(self, trials: int) -> None:
        """Note how many trials are about to be asked: from now on ``independence-bench stop`` can end the work."""
        with suppress(OSError):
            _note(self._store, work=trials)

    def stop_requested(self) -> bool:
        """Return whether the work is to end."""
        account = _account(self._store)
        return account is not None and account.stop


@contextmanager
def locked(store: Path, doing: str) -> Iterator[StoreLock]:
    """Keep all other processes from working on a store; ``doing``: such as ``a merge``. Raises BadInput: one does."""
    lock = FileLock(_beside(store, "lock"), PATIENCE_S, thread_local=False, fallback_to_soft=False)
    with BadInput.instead_of(
        OSError, store, "cannot be locked ({}); name a store in a folder that can be written with --store"
    ):
        store.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
        except Timeout:
            raise BadInput(
                f"{store}: in use by {_account(store) or 'another process'}; wait until it has ended "
                "(`independence-bench stop` ends a session)"
                + (", or measure into another --store and `merge` both later" if doing == "a session" else "")
            ) from None
    holder = Holder(pid=os.getpid(), host=platform.node(), doing=doing, since=time.time())
    try:
        with suppress(OSError):  # on a full disk only the name is missing
            _beside(store, "holder").write_text(f"{holder.model_dump_json()}\n", encoding="utf-8")
        yield StoreLock(store)
    finally:
        if (current := _account(store)) is not None and current.since == holder.since:  # else the folder was moved
            with suppress(OSError):  # Windows removes no open file
                _beside(store, "holder").unlink()
                _beside(store, "lock").unlink()
        lock.release()


def holder_of(store: Path) -> Holder | None:
    """Return who works on a store, by its own account; None where the lock is free, as after a kill."""
    account, lock = _account(store), _beside(store, "lock")
    if account is None or not lock.exists():
        return None
    probe = FileLock(lock, thread_local=False, fallback_to_soft=False)
    try:
        probe.acquire(blocking=False)
    except (Timeout, OSError):  # it is held, or this process may not ask: then the account counts
        return account
    probe.release()
    return None


def _account(store: Path) -> Holder | None:
    with suppress(OSError, ValueError, AttributeError):  # half a line of a killed process
        lines = _beside(store, "holder").read_text(encoding="utf-8").splitlines()
        holder = Holder.model_validate({name: value for line in lines for name, value in json.loads(line).items()})
        if holder.host != platform.node() or lives(holder.pid):
            return holder
    return None


def request_stop(store: Path) -> None:
    """Ask the holder of a store to stop; it looks every second. Raises OSError: it has just ended."""
    _note(store, stop=True)


def _beside(store: Path, ending: str) -> Path:
    return Path(f"{os.path.realpath(store)}.{ending}")  # a link to a store is the store


def _note(store: Path, **line: int) -> None:
    with _beside(store, "holder").open("r+", encoding="utf-8") as file:  # makes no file
        file.seek(0, os.SEEK_END)
        file.write(f"{json.dumps(line)}\n")
