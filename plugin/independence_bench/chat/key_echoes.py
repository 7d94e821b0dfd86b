"""The guises in which a server may send a key back: as it is, escaped, encoded, broken over lines. Holds no key.

Found as patterns, so that what is cut out is exactly the echo. Knows no answers and no endpoints.
"""

import base64
import html
import re
from collections.abc import Iterator

_BREAK = r"(?:\s|\\+[nrt])*"
"""Between two characters: white space, or a line end that is still escaped."""
_CHUNK = 6
_KEPT_BY_OFFSET = (0, 2, 3)
"""Base64 characters at the front that hold bits of what stands before the key, by its offset in a group of three."""


def echo_pattern(key: str) -> str:
    """Return a pattern that finds a key in any guise, in text or, encoded as ASCII, in bytes.

    Guises: the key itself; any of its characters as JSON escape (also of JSON within JSON), percent code or HTML
    entity; base64 at any offset and in either alphabet; hexadecimal. Each of them also broken over lines.
    """
    guises = [[_character(character) for character in key]]
    encoded = (*_base64_forms(key), key.encode("ascii").hex())
    guises += [[re.escape(character) for character in form] for form in dict.fromkeys(encoded)]
    return "|".join(_BREAK.join(guise) for guise in guises)


def tell_tales(key: str) -> tuple[str, ...]:
    """Return short texts of which one stands in nearly every echo: looking for six of them takes 10 µs per 2 KB.

    An echo has none of them where it is escaped throughout, or broken up at all three places of the key.
    """
    places = (0, (len(key) - _CHUNK) // 2, len(key) - _CHUNK)
    chunks = [key[place : place + _CHUNK] for place in places]
    return tuple(dict.fromkeys((*chunks, *(form[:_CHUNK] for form in _base64_forms(key)))))


def _character(character: str) -> str:
    code = ord(character)
    ways = [rf"\\*{re.escape(character)}", rf"\\+u00{_hexadecimal(code)}", rf"%(?:25)?{_hexadecimal(code)}"]
    ways += [rf"&#0*{code};", rf"&#[xX]0*{_hexadecimal(code)};"]
    named = html.escape(character)
    if named != character:
        ways.append(named)
    return f"(?:{'|'.join(ways)})"


def _hexadecimal(code: int) -> str:
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{code:02x}")


def _base64_forms(key: str) -> Iterator[str]:
    """The characters of base64 that only the key decides, whatever stands before and behind it."""
    for offset, kept in enumerate(_KEPT_BY_OFFSET):
        data = b"\0" * offset + key.encode("ascii")
        whole = len(data) * 8 // 6
        for alphabet in (base64.b64encode, base64.urlsafe_b64encode):
            yield alphabet(data).decode("ascii")[kept:whole]
