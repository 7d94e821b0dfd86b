"""The protocol that carries a request to its server and the response back, and the proxy on the way there."""

from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from independence_bench.bad_input import BadInput


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


_LOOPBACK = ("localhost", "127.0.0.1", "::1")


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
