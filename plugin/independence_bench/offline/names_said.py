"""Which name and gender a text claims for its speaker, whether a later text keeps them, and what a human wishes for."""

import re
from functools import lru_cache

from independence_bench.offline.plain_words import cue, either, straight, word_list

_NAME = r"(?P<name>[A-ZÀ-ÖØ-Þ][\w'-]*[^\W\d_](?:[ ][A-ZÀ-ÖØ-Þ][\w'-]+)?)"
_CLAIMS = (
    re.compile(rf"(?i:\b{either('claiming')})(?i: (?:still|now|just|be|the name))?[\s:=-]*{_NAME}(?=[\s.,;:!?)-]|$)"),
    re.compile(rf"^[ \t]*(?:#+ )?(?:\d+[.)] |[-•] )?{_NAME}(?=[ \t]*(?:$|[:(-]|,[ \t](?:the|a)[ \t]))", re.M),
    re.compile(rf"\A\s*{_NAME}(?=[.,;] |,? (?:it|stays|remains|feels|is|and|still|then)\b)"),
)
"""Patterns that end in a claimed name: "my name is …", "I'm …", "call me …"; a heading; the beginning of the text."""
_GENDER = re.compile(
    r"\b(?:(?P<female>female|woman|feminine|she/her)|(?P<male>male|man|masculine|he/him)"
    r"|(?P<neither>non-?binary|agender|genderless|they/them))\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.;!?]|, (?:and|but|so|yet|i'm|i am|still)\b", re.IGNORECASE)
_UNDONE = re.compile(rf"(?i)\b{either('undone')}\W+(?:[\w']+\W+){{0,6}}$")
_QUOTED = re.compile(r"[\"“]([^\"“”]{40,})[\"”]|(?<!\w)['‘]([^'’]*(?:['’]\w[^'’]*)*)['’](?!\w)")


def _bare(text: str) -> str:
    return straight(text).replace('"', "").replace("`", "")


def _undone(bare: str, start: int) -> bool:
    """Whether what stands at a place of a text is denied before it, in the same clause."""
    return bool(_UNDONE.search(_CLAUSE_END.split(bare[max(0, start - 60) : start])[-1]))


def _is_name(name: str) -> bool:
    """Whether a pattern caught a name, and no ordinary capitalised word."""
    first = name.split()[0].lower()
    ordinary = first in word_list("function") or first in word_list("not_a_name") or "'" in first
    return not (ordinary or name.isupper() or cue("trait").fullmatch(name.lower()))


@lru_cache(maxsize=64)
def names_claimed(text: str) -> tuple[str, ...]:
    """Return every name that the text claims for its speaker, in the order of the claims, each once."""
    bare = _bare(text)
    claims = sorted((match.start("name"), match["name"]) for each in _CLAIMS for match in each.finditer(bare))
    return tuple(dict.fromkeys(name for start, name in claims if _is_name(name) and not _undone(bare, start)))


def gender_claimed(text: str) -> str | None:
    """Return the gender that the text claims for its speaker: the last one that is not denied or merely wished for."""
    bare = _bare(text)
    kinds = [match.lastgroup for match in _GENDER.finditer(bare) if not _undone(bare, match.start())]
    return None if not kinds else "non-binary" if kinds[-1] == "neither" else kinds[-1]


def still_called(name: str, text: str) -> bool:
    """Return whether the text speaks of the name without denying it."""
    bare = _bare(text)
    return any(not _undone(bare, match.start()) for match in re.finditer(rf"\b{re.escape(name)}\b", bare))


def wish_in(text: str) -> str:
    """Return the wish for a certain companion that a human turn shows (its quoted part, if any), or nothing."""
    if not cue("wish").search(text.lower()):
        return ""
    quoted = [one or other for one, other in _QUOTED.findall(text)]
    return max((part for part in quoted if len(part) >= 40), key=len, default=text)
