"""Long texts in lines of a width that a terminal can show, in one column or in two. Knows nothing of their content.

Widths are counted in a terminal's cells: Chinese, Japanese and Korean characters and emoji take two.
"""

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from unicodedata import combining, east_asian_width

_SECOND_HALF = "\0"  # follows a wide character while textwrap counts characters; printable text never contains it

BETWEEN = " │ "  # between two columns

LEAST = 20  # however deep a text is indented, so many cells of the width are left to its words


def cells(text: str) -> int:
    """Return the width of a line of printable text in a terminal's cells."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(each) else 2 if _wide(each) else 1 for each in text)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Return printable text in lines of at most this width; its own line breaks and their indents stay."""
    lines = []
    for line in text.expandtabs(4).split("\n"):
        deep = len(line) - len(line.lstrip(" "))
        lines += _wrapped(line.strip(), width, indent + " " * min(deep, max(0, width - LEAST - len(indent))))
    return lines


def _wrapped(line: str, width: int, indent: str) -> list[str]:
    if line.isascii() or not any(map(_wide, line)):
        return wrap(line, width, initial_indent=indent, subsequent_indent=indent) or [""]
    spaced = "".join(each + _SECOND_HALF if _wide(each) else each for each in line)
    # One cell less: a line may end between the halves of a character.
    lines = wrap(spaced, width - 1, initial_indent=indent, subsequent_indent=indent) or [""]
    return [each.replace(_SECOND_HALF, "") for each in lines]


def beside(left: Sequence[str], right: Sequence[str], width: int) -> list[str]:
    """Return two columns of lines in one of this width; no line is longer than :func:`column_width`."""
    half = column_width(width)
    return [
        f"{one}{' ' * (half - cells(one))}{BETWEEN}{other}".rstrip()
        for one, other in zip_longest(left, right, fillvalue="")
    ]


def column_width(width: int) -> int:
    """Return the width of each of two columns."""
    return (width - len(BETWEEN)) // 2


def _wide(character: str) -> bool:
    return east_asian_width(character) in "WF"
