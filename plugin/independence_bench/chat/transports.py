"""Chooses the transport for a URL: one that the caller hands in, else the network, with or without a proxy."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from urllib.parse import unquote, urlsplit

from independence_bench.bad_input import BadInput
from independence_bench.chat.transport import Transport
from independence_bench.extensions import TRANSPORT_SCHEMES, loaded

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Transports:
    """The transports of a client, each made when it is first needed."""

    def __init__(self, handed_in: Mapping[str, Callable[[], Transport]]) -> None:
        """Take over what makes transports, by URL prefix, for example ``{"offline://": …}``."""
        self._handed_in = dict(handed_in)
        self._made: dict[str | tuple[bool, str | None], Transport] = {}

    def transport_for(self, url: str) -> Transport:
        """Return the transport with the longest prefix of a URL, else one over the network, or an installed package's.

        Raises:
            BadInput: the environment's proxy cannot be used.
        """
        prefix = self._prefix(url)
        kind = (url.startswith("https:"), proxy_for(url)) if prefix is None else prefix
        if kind not in self._made:
            if isinstance(kind, str):
                self._made[kind] = self._handed_in[kind]()
            else:
                from independence_bench.chat.network import Network  # aiohttp takes 60 ms to import

                self._made[kind] = Network(*kind)
        return self._made[kind]

    def proxy_shown(self, url: str) -> str | None:
        """Return the address of the proxy on the way to a URL, None where there is none.

        Raises:
            BadInput: the environment's proxy cannot be used.
        """
        return without_credentials(proxy_for(url))[0] if self._prefix(url) is None else None

    def _prefix(self, url: str) -> str | None:
        scheme = url.partition("://")[0]
        known = max(filter(url.startswith, self._handed_in), key=len, default=None)
        if known is None and (extension := TRANSPORT_SCHEMES.origin(scheme)) is not None:
            known = f"{scheme}://"
            self._handed_in[known] = loaded(extension)
        return known

    async def aclose(self) -> None:
        """Close them all."""
        for transport in self._made.values():
            await transport.aclose()


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for a URL; never one on the way to this machine itself.

    Raises:
        BadInput: it is no http or https address; its value, which may hold a password, is not shown.
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
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
