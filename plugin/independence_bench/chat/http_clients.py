"""Chooses the httpx client for a URL: one that the caller hands in, else one over the network or its proxy."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from independence_bench.bad_input import BadInput

if TYPE_CHECKING:
    import httpx  # takes 60 ms to import

MakeClient = Callable[[], "httpx.AsyncClient"]

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


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
        way = url.startswith("https:"), proxy_for(url)
        if way not in self._made:
            from independence_bench.chat.network import network_client  # its libraries take 0.2 s to import

            self._made[way] = network_client(*way)
        return self._made[way], without_credentials(way[1])[0]

    async def aclose(self) -> None:
        """Close them all."""
        for client in self._made.values():
            await client.aclose()


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for a URL; never one on the way to this machine itself.
    Raises BadInput: it is no http or https address; its value, which may hold a password, is not shown.
    """
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    host = parts.hostname or ""
    proxies = getproxies()
    name = parts.scheme if proxies.get(parts.scheme) else "all"  # the variable's name, in either case, without _proxy
    proxy = proxies.get(name)
    if not proxy or host in _LOOPBACK or proxy_bypass(host):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if not _is_http(proxy):
        raise BadInput(f"{name}_proxy: its value is not a usable proxy; give an address such as http://host:3128")
    return proxy


def without_credentials(proxy: str | None) -> tuple[str | None, dict[str, str]]:
    """Split a proxy's URL into one that may be shown, which errors do, and the header that holds name and password."""
    if proxy is None:
        return None, {}
    parts = urlsplit(proxy)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    if parts.username is None:
        return bare, {}
    credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return bare, {"Proxy-Authorization": f"Basic {b64encode(credentials).decode('ascii')}"}


def _is_http(url: str) -> bool:
    with suppress(ValueError):
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    return False
