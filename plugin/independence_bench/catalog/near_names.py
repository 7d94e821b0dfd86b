"""What an error says of an unknown name: the known ones most like it."""

import difflib
from collections.abc import Iterable

SHOWN = 20  # maximum number of known names in an error message


def near_matches(name: str, known: Iterable[str], listed_by: str = "") -> str:
    """Return a phrase with the known names most like ``name``; else the first names, or the command that lists them."""
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if listed_by:
        return f"`{listed_by}` lists all"
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"known are {', '.join(names[:SHOWN])}{more}"
