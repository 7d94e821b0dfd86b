"""An API key, held so that it shows in no repr and is cut out of whatever a server echoes."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from independence_bench.bad_input import BadInput
from independence_bench.chat.answer import Answer
from independence_bench.chat.key_echoes import KeyEchoes
from independence_bench.spec import Endpoint

T = TypeVar("T", str, bytes)

_SHORTEST_IN_MESSAGES = 4
_SHORTEST_IN_ANSWERS = 12
"""Local servers take dummy keys such as ``ollama``: a model may well say that word, and its answer stays as it is."""
MARK = "[key]"
"""Stands where the key was cut out."""
LONGEST_ERROR = 1 << 14
"""Characters that are kept of either end of an error: nothing more of it is searched, for the key or for words."""


def both_ends(text: T) -> T:
    """Return a long text or body without its middle."""
    return text if len(text) <= 2 * LONGEST_ERROR else text[:LONGEST_ERROR] + text[-LONGEST_ERROR:]


class Secret:
    """The key of one endpoint, or none."""

    def __init__(self, key: str | None) -> None:
        """Hold a key; None where the endpoint takes none."""
        self.__key = key or ""

    @classmethod
    def of(cls, endpoint: Endpoint, environment: Mapping[str, str]) -> "Secret":
        """Return an endpoint's key from the environment.

        Raises:
            BadInput: the variable is unset or empty, or its value cannot stand in an HTTP header.
        """
        if endpoint.key_env is None:
            return cls(None)
        key = environment.get(endpoint.key_env, "").strip()
        if not key:
            raise BadInput(f"{endpoint.key_env}: no API key for {endpoint.name}; set this environment variable")
        if not key.isascii() or not key.isprintable():
            raise BadInput(f"{endpoint.key_env}: its value holds characters that no HTTP header can carry")
        return cls(key)

    def __repr__(self) -> str:
        """Show nothing."""
        return "Secret(…)"

    @property
    def headers(self) -> dict[str, str]:
        """The Authorization header, if any."""
        return {"Authorization": f"Bearer {self.__key}"} if self.__key else {}

    def cut(self, text: str) -> str:
        """Return a server's text without the key, in whatever guise it was echoed."""
        if len(self.__key) < _SHORTEST_IN_MESSAGES:
            return text
        if len(self.__key) < _SHORTEST_IN_ANSWERS:
            return text.replace(self.__key, MARK)
        return self._echoes.cut(text, MARK)

    def cut_bytes(self, body: bytes, in_answer: bool) -> bytes:
        """Return a server's raw answer without the key, the same object where it holds none.

        Cut before anything is shortened, or half a key would stay.
        """
        if len(self.__key) < _SHORTEST_IN_ANSWERS:
            short = not in_answer and len(self.__key) >= _SHORTEST_IN_MESSAGES
            key = self.__key.encode("ascii")
            return body.replace(key, MARK.encode("ascii")) if short and key in body else body
        # Latin-1 keeps every byte as it is, and the key is ASCII.
        text = body.decode("latin-1")
        if in_answer and not self._echoes.may_be_in(text):
            return body
        cut = self._echoes.cut(text, MARK)
        return body if cut is text else cut.encode("latin-1")

    def cut_answer(self, answer: Answer) -> Answer:
        """Return an answer without the key, whatever part it was echoed in; the same object where there is no echo."""
        if len(self.__key) < _SHORTEST_IN_ANSWERS:
            return answer
        parts = (answer.text, answer.private_thought, answer.reasoning, answer.tool_arguments)
        if not any(part and self._echoes.may_be_in(part) for part in parts):
            return answer
        text, thought, reasoning, arguments = (part and self._echoes.cut(part, MARK) for part in parts)
        if (text, thought, reasoning, arguments) == parts:
            return answer
        if arguments is not None and text != answer.text:
            arguments = MARK  # they may hold it in yet other escapes; unreplayable, the message is encoded anew
        return replace(answer, text=text or "", private_thought=thought, reasoning=reasoning, tool_arguments=arguments)

    @cached_property
    def _echoes(self) -> KeyEchoes:
        return KeyEchoes(self.__key)
