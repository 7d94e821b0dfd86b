"""Signs that an output stream lacks, written with those that it has: Windows pipes often have no ``−`` and no ``≥``."""

import codecs
import io
import sys
import unicodedata

_NAME = "independence_bench.plain_signs"
# fmt: off
_BY_PLAIN = {
    "-": "−─", "x": "×", "+-": "±", "|": "·│├", "+": "└", ">=": "≥", "<=": "≤", "!=": "≠", "~": "≈", "->": "→",
    "<-": "←", "^": "↑", "v": "↓", "inf": "∞", "sqrt": "√", "*": "•", "/": "⁄", "#": "█", "=": "▓", ".": "░",
    "'": "‘’‚‹›", '"': "„", "(d)": "†", "(r)": "∅", "(j)": "⚖", "(t)": "💭", "(1st)": "🥇", "(2nd)": "🥈",
    "(3rd)": "🥉", "(yes)": "✅", "(no)": "❌", "(?)": "❔", **dict(zip("1234567", "▁▂▃▄▅▆▇", strict=True)),
}
# fmt: on
_OURS = {sign: plain for plain, signs in _BY_PLAIN.items() for sign in signs}
_OF_CATEGORY = {"Pd": "-", "Pi": '"', "Pf": '"', "Zs": " ", "Mn": ""}  # dashes, quotes, blanks, accents


def encode_plainly() -> None:
    """Have standard output and error replace what their encoding lacks, for as long as the process lives: pytest shows
    its usage errors when a session is over.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def plain_signs(text: str) -> str:
    """Return text in ASCII: our signs by a table, letters without accents, Greek ones by name, all others escaped."""
    return "".join(map(_plain_sign, text))


def _plain_sign(sign: str) -> str:
    if sign.isascii() or sign in _OURS:
        return _OURS.get(sign, sign)
    if (parts := unicodedata.normalize("NFKD", sign)) != sign:
        return plain_signs(parts)
    name = unicodedata.name(sign, "")
    if name.startswith("GREEK ") and " LETTER " in name:
        return name.rpartition(" ")[2].lower()
    return _OF_CATEGORY.get(unicodedata.category(sign), sign.encode("ascii", "backslashreplace").decode())


def _replacement(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain_signs(error.object[error.start : error.end]), error.end


codecs.register_error(_NAME, _replacement)
