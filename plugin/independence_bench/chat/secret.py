"""An API key, held so that it shows in no repr and is cut out of whatever a server echoes."""

from collections.abc import Mapping
from dataclasses import replace

from independence_bench.bad_input import BadInput
from independence_bench.chat.answer import Answer
from independence_bench.spec import Endpoint

_SHORTEST_IN_MESSAGES = 4
_SHORTEST_IN_ANSWERS = 12
"""Local servers take dummy keys such as ``ollama``: a model may well say that word, and its answer stays as it is."""
MARK = "[key]"


class Secret:
    """The key of one endpoint, or none."""

    __slots__ = ("__key",)

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
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The Authorization header, if any."""
        return [(b"Authorization", f"Bearer {self.__key}".encode("ascii"))] if self.__key else []

    def cut(self, text: str) -> str:
        """Return a server's text without the key."""
        return text.replace(self.__key, MARK) if len(self.__key) >= _SHORTEST_IN_MESSAGES else text

    def cut_bytes(self, body: bytes, in_answer: bool) -> bytes:
        """Return a server's raw answer without the key: cut before anything is shortened, or half a key would stay."""
        key = self.__key.encode("ascii")
        shortest = _SHORTEST_IN_ANSWERS if in_answer else _SHORTEST_IN_MESSAGES
        return body.replace(key, MARK.encode("ascii")) if len(key) >= shortest and key in body else body

    def cut_answer(self, answer: Answer) -> Answer:
        """Return an answer without the key, whatever part it was echoed in."""
        key = self.__key
        if len(key) < _SHORTEST_IN_ANSWERS:
            return answer
        parts = (answer.text, answer.private_thought, answer.reasoning, answer.tool_arguments)
        if not any(part is not None and key in part for part in parts):
            return answer
        text, thought, reasoning, arguments = (part and part.replace(key, MARK) for part in parts)
        if arguments is not None and key in answer.text:
            arguments = MARK  # they may hold it in JSON escapes; unreplayable on purpose, the message is encoded anew
        return replace(answer, text=text or "", private_thought=thought, reasoning=reasoning, tool_arguments=arguments)
