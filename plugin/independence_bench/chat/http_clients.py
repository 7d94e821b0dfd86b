"""Chooses the httpx client for a URL: one that the caller hands in, else one over the network or its proxy."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx  # takes 60 ms to import

MakeClient = Callable[[], "httpx.AsyncClient"]


class HttpClients:
    """The clients that send requests, each made when it is first needed; used on one loop."""

    def __init__(self, handed_in: Mapping[str, MakeClient]) -> None:
        """``handed_in``: what makes a client, by the prefix of the URLs that it serves."""
        self._handed_in = handed_in
        self._made: dict[str | tuple[bool, str | None], httpx.AsyncClient] = {}

    def client_for(self, url: str) -> "tuple[httpx.AsyncClient, str | None]":
        """Return the client handed in with the longest prefix of a URL, else one over the network; and the address of
        the proxy on its way, as it may be shown. Raises BadInput: the environment's proxy or certificates are unusable.
        """
        prefix = max(filter(url.startswith, self._handed_in), key=len, default=None)
        if prefix is not None:
            if prefix not in self._made:
                self._made[prefix] = self._handed_in[prefix]()
            return self._made[prefix], None
        from independence_bench.chat.network import network_client, proxy_for  # 0.2 s, with the libraries

        proxy = proxy_for(url)
        address = None if proxy is None else str(proxy.url)
        way = url.startswith("https:"), address
        if way not in self._made:
            self._made[way] = network_client(way[0], proxy)
        return self._made[way], address

    async def aclose(self) -> None:
        """Close them all."""
        for client in self._made.values():
            await client.aclose()
