"""The one error for what a user can correct, a wrong option, file or environment, and what it says of unknown names."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

NAMES_SHOWN = 20  # maximum number of known names in an error message


class BadInput(Exception):
    """Bad input, in one sentence with file, key and remedy, raised before any call; doors print it, no traceback."""

    @classmethod
    def at(cls, file: Path, key: str, trouble: str) -> "BadInput":
        """Name the file and the key (dotted, may be empty) that are wrong."""
        return cls(f"{file}: {key}: {trouble}" if key else f"{file}: {trouble}")

    @classmethod
    @contextmanager
    def instead_of(cls, fault: type[Exception], place: Path | str, trouble: str) -> Iterator[None]:
        """Raise the error for every such fault inside the block; ``trouble`` has {} for the system's reason. A closed
        pipe is no fault: its reader has had enough.
        """
        try:
            yield
        except BrokenPipeError:
            raise
        except fault as error:
            raise cls(f"{place}: {trouble.format(getattr(error, 'strerror', error))}") from None


def near_matches(name: str, known: Iterable[str], listed_by: str = "") -> str:
    """Return a phrase with the known names most like ``name``; else the first names, or the command that lists them."""
    import difflib

    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if listed_by:
        return f"`{listed_by}` lists all"
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"known are {', '.join(names[:NAMES_SHOWN])}{more}"
