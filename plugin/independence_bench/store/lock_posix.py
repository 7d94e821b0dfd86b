"""Advisory locks by flock: they belong to an open file and die with its process. Knows no store."""

import fcntl


def take(descriptor: int, *, alone: bool) -> bool:
    """Lock an open file, alone or together with others; return False where somebody else is in the way.

    Asking again on the same descriptor changes the lock. Raises OSError where the file system knows no locks.
    """
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
