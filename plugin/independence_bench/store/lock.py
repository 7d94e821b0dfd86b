"""The lock on a store: sessions share it; a command that rearranges rows (merge, import, forget, prune) has it alone.

The operating system locks ``<store>.lock`` and releases the lock when a process dies, so it is never stale. The text in
that file only names the holders. Locks are advisory: flock, or on Windows locks on bytes. One process at a time can
lock a byte, so each byte is one place: a shared lock takes one free place, an exclusive lock all of them.
"""

import json
import logging
import os
import platform
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from independence_bench.bad_input import BadInput
from independence_bench.drafts import lives
from independence_bench.safe_text import safe_text

PLACES = 64  # how many may hold the lock together, where bytes are locked

FIRST = 1 << 30  # offset of the first place: beyond the text, for others cannot read locked bytes

try:
    import fcntl
except ImportError:
    import msvcrt

    def take(descriptor: int, *, alone: bool) -> bool:
        """Lock an open file; return False where another process is in the way."""
        if alone:
            return _lock(descriptor, FIRST, PLACES)
        return any(_lock(descriptor, FIRST + place, 1) for place in range(PLACES))

    def _lock(descriptor: int, offset: int, length: int) -> bool:
        os.lseek(descriptor, offset, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, length)  # type: ignore[attr-defined]  # typed on Windows only
        except OSError:
            return False
        return True
else:

    def take(descriptor: int, *, alone: bool) -> bool:
        """Lock an open file, or change its lock; False: another is in the way. Raises OSError: no locks here."""
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def open_locked(file: Path, *, alone: bool) -> int | None:
    """Return a locked descriptor of a file, made if there is none; None where another process is in the way."""
    while True:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        with ExitStack() as closing:
            closing.callback(os.close, descriptor)
            if not take(descriptor, alone=alone):
                return None
            with suppress(FileNotFoundError):  # its last holder removed it between our opening and our locking
                if os.path.samestat(file.stat(), os.fstat(descriptor)):
                    closing.pop_all()
                    return descriptor


PATIENCE_S = 10.0  # seconds that a session waits for a merge, an import or a similar command to end

_LOOK_EVERY_S = 0.05

_logger = logging.getLogger(__name__)


class Holder(NamedTuple):
    """A process that is using a store."""

    pid: int
    host: str
    doing: str  # such as ``a session``
    since: float  # Unix time

    def __str__(self) -> str:
        since = time.strftime("%H:%M:%S UTC", time.gmtime(self.since))
        return safe_text(f"{self.doing} (pid {self.pid} on {self.host}, since {since})")


def shared_lock(
    store: Path, doing: str = "a session", *, patience_s: float = PATIENCE_S
) -> AbstractContextManager[None]:
    """Share a store with sessions; waits for a command that holds it. Raises BadInput: after ``patience_s`` seconds."""
    return _held(store, doing, alone=False, patience_s=patience_s)


def exclusive_lock(store: Path, doing: str = "another command") -> AbstractContextManager[None]:
    """Hold a store alone, for ``doing``, such as ``a merge``; does not wait. Raises BadInput: it is in use."""
    return _held(store, doing, alone=True, patience_s=0)


def lock_file(store: Path) -> Path:
    """Return the lock file, which exists while a store is in use."""
    return store.with_name(f"{store.name}.lock")


@contextmanager
def _held(store: Path, doing: str, *, alone: bool, patience_s: float) -> Iterator[None]:
    until = time.monotonic() + patience_s
    trouble = "cannot be locked ({}); name a store in a folder that can be written with --store"
    with BadInput.instead_of(OSError, store, trouble):
        store.parent.mkdir(parents=True, exist_ok=True)
        while (descriptor := open_locked(lock_file(store), alone=alone)) is None:
            if time.monotonic() >= until:
                raise BadInput(_refusal(store))
            _logger.debug("%s: %s waits for %s", store.name, doing, ", ".join(map(str, holders(store))) or "another")
            time.sleep(_LOOK_EVERY_S)
    token = uuid4().hex
    try:
        if alone:
            os.ftruncate(descriptor, 0)  # what killed processes left
        _note(descriptor, token=token, pid=os.getpid(), host=platform.node(), doing=doing, since=time.time())
        yield
    finally:
        _let_go(store, descriptor, token)


def _let_go(store: Path, descriptor: int, token: str) -> None:
    try:
        _note(descriptor, released=token)
        # The last holder removes the file. Windows cannot remove an open file; there it remains, with no holder in it.
        if take(descriptor, alone=True):
            with suppress(OSError):
                lock_file(store).unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _note(descriptor: int, **line: str | float) -> None:
    # One write in append mode: lines of several holders do not mix. The note is optional, so a full disk is ignored.
    with suppress(OSError):
        os.write(descriptor, json.dumps(line).encode("ascii") + b"\n")


def _refusal(store: Path) -> str:
    found = holders(store)
    who = found[-1] if found else "another process"
    others = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{store}: in use by {who}{others}; wait until it has ended, or end it, and run the command again"


def holders(store: Path) -> list[Holder]:
    """Return the processes that the lock file says use a store, without dead ones of this host; takes no lock."""
    found: dict[str, Holder] = {}
    try:
        lines = lock_file(store).read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return []
    for line in lines:
        with suppress(ValueError, LookupError, TypeError, OverflowError):  # half a line of a killed process
            row = json.loads(line)
            if "released" in row:
                found.pop(row["released"], None)
            elif row["host"] != platform.node() or lives(int(row["pid"])):
                holder = Holder(int(row["pid"]), str(row["host"]), str(row["doing"]), float(row["since"]))
                str(holder)  # a time that is none is half a line, too
                found[row["token"]] = holder
    return list(found.values())
