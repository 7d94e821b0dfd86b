"""Markers of chat templates in a text: where one stands as a marker and not as a word, and what it marks.

A marker is a special token (``<|end|>``, ``<｜x｜>``, ``<x|>``, ``◁x▷``, ``<unused94>``), a tag (``<think>``,
``<seed:think>``) or a name in capitals in brackets (``[THINK]``). ``signs.yaml`` says by its name what it marks. Reads
in linear time.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from independence_bench.packaged_yaml import packaged_yaml

Role = Literal["result", "thought", "call", "answer", "channel", "header", "turn", "end", "formatting", "unknown"]

_MARKER = re.compile(
    r"(?P<special></?[|｜][^<>\n]{1,120}>|<[\w/:.▁-]{1,60}[|｜]>|<(?:unused|ctrl|SPECIAL_)[0-9]{1,4}>|◁/?\w{1,30}▷"
    r"|\[\|[^\[\]\n]{1,40}\|\]|\[e~\[|\]~!?b[\[\]])"
    r"|</?(?P<tag>[A-Za-z][\w:.-]{0,40})(?: [\w:-]{1,40}=[^<>\n]{0,200}|=[^<>\n]{0,100})? ?/?>"
    r"|\[/?(?P<bracketed>[A-Z][A-Z_]+|[a-z]{4,12})\]"
)
_SIGNS: dict[str, Any] = packaged_yaml(__package__, "signs.yaml")
ROLES: dict[Role, re.Pattern[str]] = {role: re.compile(sign, re.VERBOSE) for role, sign in _SIGNS["markers"].items()}
"""By role: the names, in lower case; the first row that fits counts, and what fits none is unknown."""
_BRACKETED, _TURN_TAGS = _SIGNS["bracketed"], _SIGNS["turn_tags"]
_CLOSING_BRACKET = re.compile(r"\[/([A-Z_]+|[a-z]{4,12})\]")
_CLOSES = re.compile(r"\A/|(?:\A|[_:▁])(?:end|suffix|stop|close)(?:[_▁]|\Z)|\A(?:unused|ctrl)95\Z|\A[\w/:.▁-]+[|｜]\Z")
_SENTENCE_END = '.!?…:;。！？"”’»)*_>]'
_QUOTES = "`'\"“‘«("


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker in a text."""

    start: int
    end: int
    name: str  # in lower case, without brackets and attributes
    role: Role
    closes: bool
    special: bool  # a token of a template, which no person would write


def markers(text: str) -> Iterator[Marker]:
    """Yield the markers in the order of a text; one that is quoted, or within a sentence, is a word."""
    if not ("<" in text or "[" in text or "◁" in text):
        return
    before = 0  # end of the last marker
    partners = {name.lower() for name in _CLOSING_BRACKET.findall(text)} if "[/" in text else frozenset[str]()
    struck = _strikes_words(text)
    words = Counter[str]()  # opening tags that a sentence speaks of
    for match in _MARKER.finditer(text):
        inner = match[0][1:-1].lower()
        name = inner.strip("/|｜ ").partition(" ")[0].partition("=")[0].replace("▁", "_")
        closes = _CLOSES.search(inner.strip("|｜") if inner[0] in "|｜" else inner) is not None
        special = match["special"] is not None or ":" in name
        role = _role(name, inner, special)
        if match["bracketed"] and name not in partners and (name not in _BRACKETED or match["bracketed"].islower()):
            role = "unknown"
        if role == "formatting" and match["bracketed"]:
            role = "unknown"
        if role == "thought" and closes and words[name]:  # its opening tag was a word
            words[name] -= 1
            continue
        if name == "s" and struck:
            role = "formatting"
        if role == "channel" or _stands_alone(text, match.start(), match.end(), before, closes or special):
            yield Marker(match.start(), match.end(), name, role, closes, special)
            before = match.end()
        elif role == "thought":
            words[name] += not closes


def _strikes_words(text: str) -> bool:
    """Return whether ``<s>`` strikes words out, which go on after it, and begins no turn."""
    end = text.find("</s>", text.find("<s>")) if "<s>" in text else -1
    return end >= 0 and text[end + 4 : end + 8].lstrip()[:1] not in ("", "<", "[")


@lru_cache(maxsize=1024)
def _role(name: str, inner: str, special: bool) -> Role:
    role: Role = next((role for role, pattern in ROLES.items() if pattern.search(name)), "unknown")
    if name == "details" and ("reason" in inner or "think" in inner):  # <details type="reasoning"> folds thinking away
        return "thought"
    if role == "turn" and name == "s" and inner[0] == "/":
        return "end"
    return role if special or role not in ("channel", "header", "turn", "end") or name in _TURN_TAGS else "unknown"


_WINDOW = 200  # characters before a marker that are looked at


def _stands_alone(text: str, start: int, end: int, before: int, may_follow_words: bool) -> bool:
    """Return whether a marker is none that a sentence speaks of."""
    line = text[max(before, start - _WINDOW, text.rfind("\n", max(before, start - _WINDOW), start) + 1) : start]
    words = line.rstrip(" \t\r")
    if not words:
        return True
    glued = len(words) == len(line)
    if glued and words[-1] in _QUOTES and (len(words) == 1 or words[-2].isspace()):
        return False
    if words[-1] in _SENTENCE_END:
        return True
    following = text[end : end + 40].lstrip(" ")[:1]
    return may_follow_words and (glued or not (following.islower() or following in (",", ".", ";")))
