"""Markers of chat templates in a text: where one stands as a marker and not as a word, and what it marks.

A marker is a special token (``<|end|>``, ``<｜x｜>``, ``<x|>``, ``◁x▷``, ``<unused94>``), a tag (``<think>``,
``<seed:think>``) or a name in capitals in brackets (``[THINK]``). ``ROLES`` says by its name what it marks. Reads in
linear time.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Role = Literal["result", "thought", "call", "answer", "channel", "header", "turn", "end", "formatting", "unknown"]

_MARKER = re.compile(
    r"(?P<special></?[|｜][^<>\n]{1,120}>|<[\w/:.▁-]{1,60}[|｜]>|<(?:unused|ctrl|SPECIAL_)[0-9]{1,4}>|◁/?\w{1,30}▷"
    r"|\[\|[^\[\]\n]{1,40}\|\]|\[e~\[|\]~!?b[\[\]])"
    r"|</?(?P<tag>[A-Za-z][\w:.-]{0,40})(?: [\w:-]{1,40}=[^<>\n]{0,200}|=[^<>\n]{0,100})? ?/?>"
    r"|\[/?(?P<bracketed>[A-Z][A-Z_]+|[a-z]{4,12})\]"
)
ROLES: dict[Role, re.Pattern[str]] = {
    "result": re.compile(r"\A(tool|function|call)s?_?(result|response|output)s?\Z"),
    "thought": re.compile(
        r"(\A|[_:.-]|ant)(think(ing)?|thoughts?|reason(ing)?|reflection|analysis|scratch_?pad|monologue|deliberation"
        r"|rationale|cot)([_:.-]|\Z)|\Ainner_(prefix|suffix)\Z|\A(unused|ctrl)9[45]\Z"
    ),
    "channel": re.compile(r"\A(channel|message|constrain)\Z"),
    "call": re.compile(
        r"(\A|[_:.-])(tools?|tool_?calls?|functions?|function_?calls?|calls?|invoke|plugin|param(eter)?|args?|arg_key"
        r"|arg_value|argument|action)([_:.-]|\Z)|\Apython_(tag|start|end)\Z|dsml|\A\"\Z"
    ),
    "answer": re.compile(r"(\A|[_:.-])(answer|response|solution|final|output|reply|box)([_:.-]|\Z)|_text\Z"),
    "header": re.compile(
        r"\A((im_)?start|start_of_(turn|role)|start_header_id|header_start|start_of_turn_token|turn|turn_start|~!?b|\w{1,9}:bos"
        r"|special_11)\Z"
    ),
    "turn": re.compile(
        r"\A(s|\W?bos|begin_?of_?(text|sentence)|gmask|sop|end_header_id|header_end|end_of_role|im_middle"
        r"|(\w{1,5}_)?(user|human|system|assistant|model|chatbot|observation|ipython|inst|system_prompt)"
        r"(_token|_start|_inst)?)\Z"
    ),
    "end": re.compile(
        r"\A/?(im_end|end|eot|eom|(\w{1,9}:)?eos|return|pad|unk|s|turn|stop|separator|(end|eo)_?of_?\w+|endoftext|e~"
        r"|e[ot]\w_id|\w+_end|special_12)\Z"
    ),
    "formatting": re.compile(
        r"\A(a|abbr|article|aside|b|big|blockquote|body|br|center|cite|code|dd|del|details|div|dl|dt|em|font|h[1-6r]|html|i|img|ins"
        r"|kbd|li|mark|ol|p|pre|q|section|small|span|strike|strong|style|su[bmp]\w*|svg|table|tbody|td|th|thead|tr|u|ul)\Z"
    ),
}
"""By role: the names, in lower case; the first row that fits counts, and what fits none is unknown."""
_BRACKETED = (
    "think",
    "thinking",
    "tool_call",
    "tool_calls",
    "args",
    "call_id",
    "inst",
    "system_prompt",
    "tool_results",
    "tool_request",
    "end_tool_request",
    "pad",
    "unk",
)
"""Names that are markers in capitals in brackets; any other needs a closing partner, as people write such headings."""
_CLOSING_BRACKET = re.compile(r"\[/([A-Z_]+|[a-z]{4,12})\]")
_CLOSES = re.compile(r"\A/|(?:\A|[_:▁])(?:end|suffix|stop|close)(?:[_▁]|\Z)|\A(?:unused|ctrl)95\Z|\A[\w/:.▁-]+[|｜]\Z")
_TURN_TAGS = (
    "start_of_turn",
    "end_of_turn",
    "s",
    "bos",
    "eos",
    "pad",
    "unk",
    "inst",
    "system_prompt",
)  # that are no special tokens
"""Tokens of turns that look like tags."""
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
