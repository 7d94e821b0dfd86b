"""Foreign text made inert: labels, reasons and names of models and servers can neither be markup nor links.

In Markdown a backslash makes any punctuation literal and ``&lt;`` cannot open a tag; a word joiner after ``@`` keeps
GitHub from making a mail address of ``model@low-t0.7``.
"""

import re

from independence_bench.safe_text import LIMIT, safe_text

_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
    "`": "&#96;",
    "|": "&#124;",
    "@": "@&#8288;",
}
_PUNCTUATION = re.compile(r"[\\*\[\]~$&<>\"'`|@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=/)|(?<=[Ww])\.")
_PLAIN = re.compile(r"[A-Za-z0-9 ._/:+@#=,-]*[A-Za-z0-9._/:+@#=,-]")

_BLOCK = re.compile(r"(?:\d+(?=[.)](?:\s|$))|(?![+-]\d))([#+=.)-])")
"""What opens a heading, a list or a rule at the start of a line, as no number does; the other marks are escaped
anywhere, but for an underscore within a word, which is no markup."""


def in_markdown(text: str, limit: int = LIMIT) -> str:
    """Return text, cut to ``limit``, that Markdown and HTML show unchanged: in a table cell, at the start of a line."""
    inert = _PUNCTUATION.sub(_escaped, safe_text(text, limit))
    block = _BLOCK.match(inert)
    return f"{inert[: block.start(1)]}\\{inert[block.start(1) :]}" if block else inert


def name_in_markdown(text: str) -> str:
    """Return a label or file name as code where it holds nothing special, else as inert text."""
    return f"`{text}`" if _PLAIN.fullmatch(text) else in_markdown(text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    return _ENTITIES.get(character, f"\\{character}")
