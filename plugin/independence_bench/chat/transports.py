"""Chooses the transport for a URL: one that the caller hands in, else the network, with or without a proxy."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.chat.transport import Transport, proxy_for, without_credentials
from independence_bench.extensions import TRANSPORT_SCHEMES, load_extension

if TYPE_CHECKING:
    import httpx


class Transports:
    """The transports of a client, each made when it is first needed."""

    def __init__(self, handed_in: Mapping[str, Callable[[], Transport]]) -> None:
        self._handed_in = dict(handed_in)
        self._made: dict[str | tuple[bool, str | None], Transport] = {}

    def transport_for(self, url: str) -> Transport:
        """Return the transport with the longest prefix of a URL, else one over the network, or an installed package's.
        Raises BadInput: the environment's proxy cannot be used.
        """
        prefix = self._prefix(url)
        kind = (url.startswith("https:"), proxy_for(url)) if prefix is None else prefix
        if kind not in self._made:
            if isinstance(kind, str):
                self._made[kind] = self._handed_in[kind]()
            else:
                from independence_bench.chat.network import Network  # aiohttp takes 100 ms to import

                self._made[kind] = Network(*kind)
        return self._made[kind]

    def proxy_shown(self, url: str) -> str | None:
        """Return the address of the proxy on the way to a URL, or None. Raises BadInput: it cannot be used."""
        return without_credentials(proxy_for(url))[0] if self._prefix(url) is None else None

    def _prefix(self, url: str) -> str | None:
        scheme = url.partition("://")[0]
        known = max(filter(url.startswith, self._handed_in), key=len, default=None)
        if known is None and (extension := TRANSPORT_SCHEMES.origin(scheme)) is not None:
            known = f"{scheme}://"
            self._handed_in[known] = partial(_by_client, load_extension(extension), known)
        return known

    async def aclose(self) -> None:
        """Close them all."""
        for transport in self._made.values():
            await transport.aclose()


def _by_client(make_client: "Callable[[], httpx.AsyncClient]", prefix: str) -> Transport:
    import httpx

    from independence_bench.chat.http_client import HttpTransport

    client = make_client()
    if not isinstance(client, httpx.AsyncClient):
        raise BadInput(f"{prefix}: the package that carries its requests must make an httpx.AsyncClient")
    return HttpTransport(client)
