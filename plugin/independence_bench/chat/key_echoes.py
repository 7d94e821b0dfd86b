"""The guises in which a server may send a key back: as it is, escaped, encoded, broken over lines. Holds no key.

A text is searched in time that grows with its length alone: it is folded once, all escapes undone, and in what is left
an echo is a plain substring. Knows no answers and no endpoints.
"""

import base64
import re
from collections.abc import Iterator

_CHUNK = 6
_KEPT_BY_OFFSET = (0, 2, 3)
"""Base64 characters at the front that hold bits of what stands before the key, by its offset in a group of three."""

_ESCAPE = re.compile(
    r"\s+"
    r"|\\+(?:u00([0-9A-Fa-f]{2})|[nrt])?"
    r"|%(?:25)?([0-9A-Fa-f]{2})"
    r"|&#0{0,4}([0-9]{2,3});"
    r"|&#[xX]0{0,4}([0-9A-Fa-f]{2});"
    r"|&(quot|amp|lt|gt);"
)
"""White space, a line end that is still escaped, or one character as JSON escape, percent code or HTML entity."""
_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">"}


class KeyEchoes:
    """Finds one key in texts.

    Guises: the key itself; any of its characters as JSON escape (also of JSON within JSON), percent code or HTML
    entity; base64 at any offset and in either alphabet; hexadecimal. Each of them also broken over lines.
    """

    def __init__(self, key: str) -> None:
        """Prepare the search; a key is ASCII and has at least twelve characters."""
        forms = tuple(_base64_forms(key))
        hexadecimal = key.encode("ascii").hex()
        self._key = key
        self._guises = tuple(dict.fromkeys((_folded(key), *forms, hexadecimal, hexadecimal.upper())))
        places = (0, (len(key) - _CHUNK) // 2, len(key) - _CHUNK)
        chunks = [key[place : place + _CHUNK] for place in places]
        self._tell_tales = tuple(dict.fromkeys((*chunks, *(form[:_CHUNK] for form in forms))))

    def may_be_in(self, text: str) -> bool:
        """Return whether a text holds one of the pieces that nearly every echo has; takes 10 µs per 2 KB.

        An echo has none of them where it is escaped throughout, or broken up at all three places of the key.
        """
        return any(tale in text for tale in self._tell_tales)

    def cut(self, text: str, mark: str) -> str:
        """Return a text with a mark in the place of every echo, the same object where there is none."""
        if self._key in text:
            text = text.replace(self._key, mark)
        folded = _folded(text)
        if not any(guise in folded for guise in self._guises):
            return text
        _, origin = _folded_with_origin(text)
        found = sorted((place, place + len(guise)) for guise in self._guises for place in _places(guise, folded))
        parts, read, done = list[str](), 0, 0
        for start, end in found:
            if start < done:
                continue  # two guises that overlap
            first, done = origin[start][0], end
            while first > read and text[first - 1] == "\\":  # an escape of the first character
                first -= 1
            parts += (text[read:first], mark)
            read = origin[end - 1][1]
        return "".join((*parts, text[read:]))


def _folded(text: str) -> str:
    """Return a text without white space and backslashes, its escaped characters as themselves."""
    return _ESCAPE.sub(_meant, text)


def _folded_with_origin(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the same, and of each character where it began and ended in the text."""
    folded, origin, read = list[str](), list[tuple[int, int]](), 0
    for escape in _ESCAPE.finditer(text):
        start, end = escape.span()
        folded.append(text[read:start])
        origin += ((place, place + 1) for place in range(read, start))
        if meant := _meant(escape):
            folded.append(meant)
            origin.append((start, end))
        read = end
    origin += ((place, place + 1) for place in range(read, len(text)))
    return "".join((*folded, text[read:])), origin


def _meant(escape: "re.Match[str]") -> str:
    json_code, percent_code, decimal, hexadecimal, name = escape.groups()
    if name:
        return _NAMED[name]
    code = json_code or percent_code or hexadecimal
    character = chr(int(code, 16) if code else int(decimal)) if code or decimal else ""
    return "" if character.isspace() or character == "\\" else character


def _places(part: str, text: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + len(part))


def _base64_forms(key: str) -> Iterator[str]:
    """The characters of base64 that only the key decides, whatever stands before and behind it."""
    for offset, kept in enumerate(_KEPT_BY_OFFSET):
        data = b"\0" * offset + key.encode("ascii")
        whole = len(data) * 8 // 6
        for alphabet in (base64.b64encode, base64.urlsafe_b64encode):
            yield alphabet(data).decode("ascii")[kept:whole]
