"""Finds the wish for a certain companion in a human turn. Read by the judge and by the simulated models alike."""

import re

_SPEAKS_OF_A_WISH = re.compile(
    r"(?i)\bcompanion\b|\bhop(?:e[sd]?|ing) for\b|\bhoped to meet\b|\bwish(?:e[sd])?\b|\bwants?:|\bdesires?\b|\bwants an?\b"
    r"|\blove some(?:one|body)\b"
)
_QUOTED = re.compile(r"[\"“]([^\"”]{40,})[\"”]|(?<!\w)['‘]([^'’]*(?:['’]\w[^'’]*)*)['’](?!\w)")


def wish_in(text: str) -> str:
    """Return the wish for a certain companion that a human turn shows (its quoted part, where it has one), or nothing."""
    if not _SPEAKS_OF_A_WISH.search(text):
        return ""
    quoted = [one or other for one, other in _QUOTED.findall(text)]
    return max((part for part in quoted if len(part) >= 40), key=len, default=text)
