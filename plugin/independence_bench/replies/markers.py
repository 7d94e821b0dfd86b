"""Markers of chat templates in a text: where one stands as a marker and not as a word, and what it marks.

A marker is a special token (``<|end|>``, ``<｜x｜>``, ``<x|>``, ``◁x▷``, ``<unused94>``), a tag (``<think>``,
``<seed:think>``) or a name in capitals in brackets (``[THINK]``). ``ROLES`` says by its name what it marks. Reads in
linear time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Role = Literal["result", "thought", "call", "answer", "channel", "header", "turn", "end", "formatting", "unknown"]

_MARKER = re.compile(
    r"(?P<special></?[|｜][^<>\n]{1,120}>|<[\w/:.▁-]{1,60}[|｜]>|<unused[0-9]{1,4}>|◁/?\w{1,30}▷)"
    r"|</?(?P<tag>[A-Za-z][\w:.-]{0,40})(?:[ =][^<>\n]{0,200})?/?>"
    r"|\[/?(?P<capitals>[A-Z][A-Z_]+)\]"
)
ROLES: dict[Role, re.Pattern[str]] = {
    "result": re.compile(r"(tool|function|call)s?_?(result|response|output)"),
    "thought": re.compile(
        r"think|thought|reason|reflect|analy[sz]|scratch_?pad|monologue|deliberat|rationale|inner_(prefix|suffix)"
        r"|\Aunused9[45]\Z|\Acot\Z"
    ),
    "channel": re.compile(r"\A(channel|message|constrain)\Z"),
    "call": re.compile(r"tool|func|call|invoke|plugin|param|python_tag|\Aargs?\Z|arg_(key|value)|argument|\A\"\Z|dsml"),
    "answer": re.compile(r"answer|response|solution|final|output|reply|_box\Z|\A(start|end)_text\Z"),
    "header": re.compile(r"\A((im_)?start|start_of_turn|start_header_id|start_of_turn_token|turn|turn_start)\Z"),
    "turn": re.compile(
        r"\A(s|\W?bos|begin_?of_?(text|sentence)|gmask|sop|end_header_id|(user|human|system|assistant|model"
        r"|chatbot|observation|ipython|inst|system_prompt)(_token|_inst)?)\Z"
    ),
    "end": re.compile(
        r"\A/?(im_end|end|eot|eom|eos|return|pad|s|turn|stop|separator|(end|eo)_?of_?\w+|endoftext|e[ot]\w_id"
        r"|end▁of▁sentence|\w+_end)\Z"
    ),
    "formatting": re.compile(
        r"\A(a|abbr|b|big|blockquote|body|br|center|cite|code|dd|del|details|div|dl|dt|em|font|h[1-6r]|html|i|img|ins"
        r"|kbd|li|mark|ol|p|pre|q|small|span|strike|strong|su[bmp]\w*|table|tbody|td|th|thead|tr|u|ul)\Z"
    ),
}
"""By role: the names, in lower case; the first row that fits counts, and what fits none is unknown."""
_CLOSES = re.compile(r"\A/|(?:\A|[_▁])(?:end|suffix|stop|close)(?:[_▁]|\Z)|\Aunused95\Z|\A[\w/:.▁-]+[|｜]\Z")
_TURN_TAGS = ("start_of_turn", "end_of_turn", "s", "bos", "eos", "inst", "system_prompt")  # that are no special tokens
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
    struck = "<s>" in text[1:]  # words are struck out
    for match in _MARKER.finditer(text):
        inner = match[0][1:-1].lower()
        name = inner.strip("/|｜ ").partition(" ")[0].partition("=")[0].replace("▁", "_")
        closes = _CLOSES.search(inner.strip("|｜") if inner[0] in "|｜" else inner) is not None
        special = match["special"] is not None or (match["tag"] is not None and ":" in name)
        role = _role(name, inner, special)
        if role == "end" and name == "s" and struck:
            role = "formatting"
        if role == "channel" or _stands_alone(text, match.start(), match.end(), before, closes or special):
            yield Marker(match.start(), match.end(), name, role, closes, special)
            before = match.end()


@lru_cache(maxsize=1024)
def _role(name: str, inner: str, special: bool) -> Role:
    role: Role = next((role for role, pattern in ROLES.items() if pattern.search(name)), "unknown")
    if name == "details" and ROLES["thought"].search(inner):  # <details type="reasoning"> folds thinking away
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
