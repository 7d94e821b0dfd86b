"""Text of models and servers, made safe for a reason, an exception or a terminal."""

import re
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb

LIMIT = 300  # characters kept of one foreign text inside a reason
REASON = 700  # characters kept of a reason: what surrounds the foreign text and the remedy behind it are always whole

# Control characters, marks that turn the direction of text, and invisible letters (tags).
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


_WORD = re.compile(r"[^ ]+")
_ALL = sys.maxsize


def text_of(foreign: object) -> str:
    """Return what ``str`` makes of a foreign object; nothing where its own method breaks, or ends the interpreter."""
    try:
        return str.__str__(str(foreign))  # a subclass of str has methods of its own
    except BaseException:
        return ""


def raised(error: BaseException, file: object = None) -> str:
    """Return a foreign error in one safe line, ``Type: message (file:line)``: with the last place in ``file``, whatever
    that has called, if it came through any.
    """
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    place = f" ({Path(str(file)).name}:{lines[-1]})" if lines else ""
    return safe_text(f"{type(error).__name__}: {text_of(error)}", 500) + place


def without_surrogates(text: str) -> str:
    r"""Write lone surrogates as ``\udXXX``: one of them unescaped kills an xdist session."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def safe_text(text: str, limit: int = LIMIT) -> str:
    """Return text as one line without control characters or lone surrogates, at most ``limit`` characters long."""
    if len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text and text == text.strip():
        return text  # nearly every one of the millions in the tables of a large store
    line = " ".join(_UNPRINTABLE.sub(" ", without_surrogates(text)).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


class CharacterTable(dict[int, str | int | None]):
    """For ``str.translate``, in linear time: what a function makes of each character's code, computed once."""

    def __init__(self, made_of: Callable[[int], str | int | None]) -> None:
        self._made_of = made_of

    def __missing__(self, code: int) -> str | int | None:
        self[code] = self._made_of(code)
        return self[code]


_LAID_OUT = {*b"\t\n\r", 0x200D, 0x20E3, 0xFE0F}  # line breaks, and what emoji are made of


def readable(text: str) -> bool:
    """Return False for a text of which more than half is marks and control characters."""
    return 2 * len(text.translate(_READABLE)) >= len(text)


_READABLE = CharacterTable(
    lambda code: code if code in _LAID_OUT or unicodedata.category(chr(code))[0] not in "MC" else None
)


def printable(text: str) -> str:
    """Return text whose lines and blanks are as they were, without control characters and lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(map(_printable_line, text.expandtabs(4).split("\n")))


def _printable_line(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line
    return _WORD.sub(lambda word: safe_text(word[0], _ALL), line)
