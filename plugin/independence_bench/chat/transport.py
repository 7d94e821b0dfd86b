"""The protocol that carries a request to its server and the response back. Does not read responses."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol


class RawAnswer(NamedTuple):
    """An HTTP response as received."""

    status: int
    headers: Mapping[str, str]  # looked up by names in lower case
    body: bytes  # not decompressed


class Transport(Protocol):
    """Sends requests; used on one loop."""

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> RawAnswer:
        """Return the answer to a request; a body of more than ``largest`` bytes is not read to its end.
        Raises Exception: there was no connection, or it broke; ``faults.classify`` knows it.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...
