"""A file that is written completely or not at all, and the drafts of processes that were killed while they wrote."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_DRAFT = re.compile(r"\..+\.([0-9]{1,9})\.(?:tmp|old)")
LARGEST = 1 << 28  # bytes of a report or of recorded answers


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a draft that replaces the file on success; a device is written directly. Raises OSError: it cannot be."""
    if path.exists() and not path.is_file():  # /dev/stdout, a pipe
        with path.open("wb") as file:
            yield file
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def dead_drafts(folder: Path) -> Iterator[Path]:
    """Yield the drafts in a folder whose processes no longer live."""
    for draft in folder.glob(".*.*"):
        if (found := _DRAFT.fullmatch(draft.name)) and not lives(int(found[1])):
            yield draft


def lives(pid: int) -> bool:
    """Return whether a process of this host lives; on Windows always True."""
    if os.name == "nt":
        return True  # there, signal 0 is Ctrl-C
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


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
