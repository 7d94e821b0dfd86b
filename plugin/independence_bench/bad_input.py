"""The one error for what a user can correct: a wrong option, file or environment."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class BadInput(Exception):
    """Bad input, in one sentence with file, key and remedy, raised before any call; doors print it, no traceback."""

    @classmethod
    def at(cls, file: Path, key: str, trouble: str) -> "BadInput":
        """Name the file and the key (dotted, may be empty) that are wrong."""
        return cls(f"{file}: {key}: {trouble}" if key else f"{file}: {trouble}")

    @classmethod
    @contextmanager
    def instead_of(cls, fault: type[Exception], place: Path | str, trouble: str) -> Iterator[None]:
        """Raise the error for every such fault inside the block; ``trouble`` has {} for the system's reason."""
        try:
            yield
        except fault as error:
            raise cls(f"{place}: {trouble.format(getattr(error, 'strerror', error))}") from None
