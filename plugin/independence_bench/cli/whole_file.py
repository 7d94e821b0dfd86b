"""A file that is written completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from independence_bench.bad_input import BadInput


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a draft that replaces the file when the block succeeds. A device or pipe is written directly.

    Raises:
        BadInput: it cannot be written.
    """
    is_device = path.exists() and not path.is_file()  # /dev/stdout, a pipe
    draft = path if is_device else path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with draft.open("wb") as file:
                yield file
                file.flush()
                if not is_device:
                    os.fsync(file.fileno())
            if not is_device:
                draft.replace(path)
        finally:
            if not is_device:
                draft.unlink(missing_ok=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadInput.at(path, "", f"cannot be written ({error.strerror}); name another file") from None
