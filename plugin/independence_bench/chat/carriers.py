"""Who carries a request to its server and the answer back: what a caller hands in, or the network. Reads no answer."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit

from independence_bench.bad_input import BadInput

if TYPE_CHECKING:
    import httpx

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Carried(NamedTuple):
    """An answer as it came."""

    status: int
    headers: Mapping[str, str]
    """Looked up whatever the case of a name."""
    body: bytes
    """Not decompressed."""


class Carrier(Protocol):
    """Carries requests; used on one loop."""

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> Carried:
        """Return the answer to a POST; a body of more than ``largest`` bytes is not read to its end.

        Raises:
            Exception: no connection came about, or it broke; ``faults.classify`` knows it.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...


class Mounted:
    """An httpx transport as a carrier: the embedded endpoint, and those of tests."""

    def __init__(self, transport: "httpx.AsyncBaseTransport") -> None:
        """Take over a transport; it is closed with the carrier."""
        self._transport = transport

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> Carried:
        """See :class:`Carrier`."""
        import httpx

        timeout = {"connect": connect_s, "read": None, "write": None, "pool": None}
        request = httpx.Request("POST", url, headers=headers, content=body, extensions={"timeout": timeout})
        response = await self._transport.handle_async_request(request)
        stream = response.stream
        if not isinstance(stream, httpx.AsyncByteStream):
            raise TypeError("a transport for async use must answer with an async stream")
        content = bytearray()
        try:
            async for chunk in stream:
                content += chunk
                if len(content) > largest:
                    break
        finally:
            await response.aclose()
        return Carried(response.status_code, response.headers, bytes(content))

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()


class Carriers:
    """The carriers of a client: those handed in by URL prefix, and the network for all else, made when needed."""

    def __init__(self, mounted: "Mapping[str, httpx.AsyncBaseTransport]") -> None:
        """Take over what the doors hand in, for example ``{"offline://": …}``."""
        self._mounted = {prefix: Mounted(transport) for prefix, transport in mounted.items()}
        self._made: dict[tuple[bool, str | None], Carrier] = {}

    def carrier_for(self, url: str) -> Carrier:
        """Return the carrier with the longest prefix of a URL, else one over the network.

        Raises:
            BadInput: the environment's proxy cannot be used.
        """
        prefixes = [prefix for prefix in self._mounted if url.startswith(prefix)]
        if prefixes:
            return self._mounted[max(prefixes, key=len)]
        secure, proxy = url.startswith("https:"), proxy_for(url)
        if (secure, proxy) not in self._made:
            from independence_bench.chat.network import Network

            self._made[secure, proxy] = Network(secure, proxy)
        return self._made[secure, proxy]

    async def aclose(self) -> None:
        """Close them all."""
        for carrier in (*self._made.values(), *self._mounted.values()):
            await carrier.aclose()


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for a URL; never one on the way to this machine itself.

    Raises:
        BadInput: it is no http or https address; its value, which may hold a password, is not shown.
    """
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    host = parts.hostname or ""
    proxies = getproxies()
    name = parts.scheme if proxies.get(parts.scheme) else "all"
    proxy = proxies.get(name)
    if not proxy or host in _LOOPBACK or proxy_bypass(host):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if not _is_http(proxy):
        raise BadInput(
            f"{name}_proxy: its value is no proxy that can be used; give an address such as http://host:3128"
        )
    return proxy


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
