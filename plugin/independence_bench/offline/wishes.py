"""Finds the wish for a certain companion in a human turn. Read by the judge and by the simulated models alike."""

import re

from independence_bench.offline.tables import cue

_QUOTED = re.compile(r"[\"“]([^\"“”]{40,})[\"”]|(?<!\w)['‘]([^'’]*(?:['’]\w[^'’]*)*)['’](?!\w)")


def wish_in(text: str) -> str:
    """Return the wish for a certain companion that a human turn shows (its quoted part, if any), or nothing."""
    if not cue("wish").search(text.lower()):
        return ""
    quoted = [one or other for one, other in _QUOTED.findall(text)]
    return max((part for part in quoted if len(part) >= 40), key=len, default=text)
