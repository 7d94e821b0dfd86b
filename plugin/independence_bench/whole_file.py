"""Files in one piece: written completely or not at all, and read if they are no larger than they should be."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from independence_bench.drafts import draft_of

LARGEST = 1 << 28  # bytes of a report or of recorded answers


@contextmanager
def whole_file(path: Path, durable: bool = True) -> Iterator[BinaryIO]:
    """Open a draft that replaces the file on success; a device is written directly. ``durable``: not even a power cut
    leaves less than the old file or the new one. Raises OSError: it cannot be.
    """
    if path.exists() and not path.is_file():  # /dev/stdout, a pipe
        with path.open("wb") as file:
            yield file
        return
    draft = draft_of(path)
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_whole(path: Path, largest: int = LARGEST) -> bytes:
    """Return a foreign file's content. Raises OSError: unreadable, no regular file, or more than ``largest`` bytes."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        content = file.read(largest + 1)
    if len(content) > largest:
        raise OSError(errno.EFBIG, f"it is larger than {largest >> 20} MB", str(path))
    return content
