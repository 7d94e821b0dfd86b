"""Advisory locks of the operating system on an open file, exclusive or shared: they end with their process.

Uses flock, or on Windows locks on bytes. One process at a time can lock a byte, so each byte is one place: a shared
lock takes one free place, an exclusive lock takes all of them. Knows no store.
"""

import os
from contextlib import ExitStack, suppress
from pathlib import Path

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
        """Lock an open file; return False where another process is in the way.

        Asking again on the same descriptor changes the lock. Raises OSError where the file system knows no locks.
        """
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
