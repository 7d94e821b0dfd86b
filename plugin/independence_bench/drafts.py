"""Drafts: what a process writes under a name with its own number before it has the right name, or after it had it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

_DRAFT = re.compile(r"\..+\.([0-9]{1,9})\.(?:tmp|old)")


def draft_of(path: Path, ending: str = "tmp") -> Path:
    """Return the name of this process's draft of a file or folder; ``old``: of what it replaces."""
    return path.with_name(f".{path.name}.{os.getpid()}.{ending}")


def dead_drafts(folder: Path) -> Iterator[Path]:
    """Yield the drafts in a folder whose processes no longer live."""
    for draft in folder.glob(".*.*"):
        if (match := _DRAFT.fullmatch(draft.name)) and not lives(int(match[1])):
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
