"""A file that is written completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a draft that replaces the file when the block succeeds. A device or pipe is written directly.

    Raises:
        OSError: it cannot be written.
    """
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
