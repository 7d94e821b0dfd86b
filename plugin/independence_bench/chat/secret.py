"""An API key that no repr shows and that is cut out of everything a server echoes, in any encoding, or its hash.

A text is searched in time that grows with its length alone: it is folded once, all escapes undone, and in what is left
an echo is a plain substring.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TypeVar

from independence_bench.bad_input import BadInput
from independence_bench.spec import Endpoint
from independence_bench.trial import Reply

T = TypeVar("T", str, bytes)

_SHORTEST_IN_MESSAGES = 4
_SHORTEST_IN_ANSWERS = 12  # local servers take dummy keys such as ``ollama``, which a model may well say
MARK = "[key]"  # replaces the key where it was cut out
_TEXTS = [name for name, field in Reply.model_fields.items() if field.annotation in (str, str | None)]
"""Parts of a reply that may hold the key."""
LONGEST_ERROR = 1 << 14  # characters kept of either end of an error; nothing more of it is searched

_CHUNK = 6
_KEPT_BY_OFFSET = (0, 2, 3)  # characters at the front of base64 that hold bits of what precedes the key, by offset

_ESCAPE = re.compile(
    r"\s+"
    r"|\\+(?:u00([0-9A-F]{2})|[nrt])?"
    r"|%(?:25)?([0-9A-F]{2})"
    r"|&#0{0,4}([0-9]{2,3});"
    r"|&#x0{0,4}([0-9A-F]{2});"
    r"|&(quot|amp|lt|gt);",
    re.IGNORECASE,
)
"""White space, a line end that is still escaped, or one character as JSON escape, percent code or HTML entity."""
_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">"}


def both_ends(text: T) -> T:
    """Return a long text or body without its middle."""
    return text if len(text) <= 2 * LONGEST_ERROR else text[:LONGEST_ERROR] + text[-LONGEST_ERROR:]


class Secret:
    """The key of one endpoint, or none."""

    def __init__(self, key: str | None, headers: Mapping[str, str] | None = None) -> None:
        """Keep a key; ``headers`` carry it, by default as a bearer token."""
        self.__key = key or ""
        self.headers = dict(headers or ({"Authorization": f"Bearer {key}"} if key else {}))  # what carries the key

    @classmethod
    def of(cls, endpoint: Endpoint, environment: Mapping[str, str]) -> "Secret":
        """Return an endpoint's key. Raises BadInput: it is unset or empty, or no HTTP header can carry it."""
        if (variable := endpoint.key_env) is None:
            return cls(None)
        key = environment.get(variable, "").strip()
        if not key:
            raise BadInput(f"{variable}: no API key for {endpoint.name}; set this environment variable")
        if not key.isascii() or not key.isprintable():
            raise BadInput(f"{variable}: its value has characters that an HTTP header cannot carry")
        if endpoint.key_sent_as == "api_key":
            return cls(key, {"api-key": key})
        if endpoint.key_sent_as == "basic":
            if ":" not in key:
                raise BadInput(f"{variable}: it must be user:password, as {endpoint.name} takes basic authentication")
            return cls(key.partition(":")[2], {"Authorization": f"Basic {base64.b64encode(key.encode()).decode()}"})
        return cls(key)

    def __repr__(self) -> str:
        return "Secret(…)"

    def cut(self, text: str) -> str:
        """Return a server's text without the key, however it was encoded."""
        if len(self.__key) < _SHORTEST_IN_MESSAGES:
            return text
        text = self._hash.sub(MARK, text)
        if len(self.__key) < _SHORTEST_IN_ANSWERS:
            return self._short.sub(MARK, text)
        return self._echoes.cut(text)

    def cut_bytes(self, body: bytes, in_answer: bool) -> bytes:
        """Return a raw answer without the key, or the same object; called before shortening could halve the key."""
        if in_answer and len(self.__key) < _SHORTEST_IN_ANSWERS:
            return body
        # Latin-1 keeps every byte as it is, and the key is ASCII.
        text = body.decode("latin-1")
        if in_answer and not self._echoes.may_be_in(text):
            return body
        cut = self.cut(text)
        return body if cut == text else cut.encode("latin-1")

    def cut_answer(self, reply: Reply) -> Reply:
        """Return a reply without the key, whichever part echoes it; the same object where there is no echo."""
        if len(self.__key) < _SHORTEST_IN_ANSWERS:
            return reply
        parts = {name: text for name in _TEXTS if (text := getattr(reply, name))}
        if not any(map(self._echoes.may_be_in, parts.values())):
            return reply
        cut: dict[str, str | None] = {name: self._echoes.cut(text) for name, text in parts.items()}
        if cut == parts:
            return reply
        if "tool_arguments" in cut and cut.get("answer") != parts.get("answer"):
            # They may hold the key in other escapes. They cannot be replayed, so the message is encoded again.
            cut["tool_arguments"] = MARK
        if cut.get("more_arguments") != parts.get("more_arguments"):
            cut["more_arguments"] = None  # may be no JSON any more
        return reply.model_copy(update={**cut, "key_cut": True})

    @cached_property
    def _hash(self) -> "re.Pattern[str]":
        beginning = sha256(self.__key.encode("ascii")).hexdigest()[:8]
        return re.compile(f"{beginning}[0-9a-f]{{0,56}}", re.IGNORECASE)

    @cached_property
    def _short(self) -> "re.Pattern[str]":
        # Dummy keys such as ``EMPTY`` are words, which the sentences of errors have in lower case.
        return re.compile(re.escape(self.__key), 0 if self.__key.isalpha() else re.IGNORECASE)

    @cached_property
    def _echoes(self) -> "KeyEchoes":
        return KeyEchoes(self.__key)


class KeyEchoes:
    """Finds one key in texts, in any letter case and also broken over lines: as it is; with characters as JSON escape
    (also of JSON within JSON), percent code or HTML entity; in base64 at any offset and in either alphabet; in
    hexadecimal.
    """

    def __init__(self, key: str) -> None:
        """Prepare the search; a key is ASCII and has at least twelve characters."""
        written = (key, key.lower(), key.upper())
        forms = [form.lower() for each in written for form in _base64_forms(each)]
        hexadecimal = (each.encode("ascii").hex() for each in written)
        self._key = re.compile(re.escape(key), re.IGNORECASE)
        self._guises = tuple(dict.fromkeys((_folded(key), *forms, *hexadecimal)))
        places = (0, (len(key) - _CHUNK) // 2, len(key) - _CHUNK)
        chunks = [key[place : place + _CHUNK].lower() for place in places]
        self._tell_tales = tuple(dict.fromkeys((*chunks, *(form[:_CHUNK] for form in forms))))

    def may_be_in(self, text: str) -> bool:
        """Return whether a text holds a piece that nearly every echo has (10 µs per 2 KB): not one that is escaped
        throughout, or broken up at all three places of the key.
        """
        text = text.lower()
        return any(tale in text for tale in self._tell_tales)

    def cut(self, text: str) -> str:
        """Return a text with the mark in the place of every echo."""
        text = self._key.sub(MARK, text)
        folded = _folded(text)
        if not any(guise in folded for guise in self._guises):
            return text
        origin = _origins(text)
        echoes = sorted(each.span() for guise in self._guises for each in re.finditer(re.escape(guise), folded))
        parts, read, done = list[str](), 0, 0
        for start, end in echoes:
            if start < done:
                continue  # two guises that overlap
            first, done = origin[start][0], end
            while first > read and text[first - 1] == "\\":  # an escape of the first character
                first -= 1
            parts += (text[read:first], MARK)
            read = origin[end - 1][1]
        return "".join((*parts, text[read:]))


def _folded(text: str) -> str:
    """Undo all escapes and take every letter as small; of İ, whose small form is two characters, the dot is lost."""
    return _ESCAPE.sub(_meant, text).replace("İ", "i").lower()


def _origins(text: str) -> list[tuple[int, int]]:
    """Return where in a text each character of the folded one comes from, beginning and end."""
    origin, read = list[tuple[int, int]](), 0
    for escape in _ESCAPE.finditer(text):
        start, end = escape.span()
        origin += ((place, place + 1) for place in range(read, start))
        origin += [(start, end)] * len(_meant(escape))
        read = end
    origin += ((place, place + 1) for place in range(read, len(text)))
    return origin


def _meant(escape: "re.Match[str]") -> str:
    json_code, percent_code, decimal, hexadecimal, name = escape.groups()
    if name:
        return _NAMED[name.lower()]
    code = json_code or percent_code or hexadecimal
    character = chr(int(code, 16) if code else int(decimal)) if code or decimal else ""
    return "" if character.isspace() or character == "\\" else character


def _base64_forms(key: str) -> Iterator[str]:
    """The characters of base64 that only the key decides, whatever precedes and follows it."""
    for offset, kept in enumerate(_KEPT_BY_OFFSET):
        data = b"\0" * offset + key.encode("ascii")
        whole = len(data) * 8 // 6
        for alphabet in (base64.b64encode, base64.urlsafe_b64encode):
            yield alphabet(data).decode("ascii")[kept:whole]
