"""Requests of httpx, sent over aiohttp or by a client that a package brings. Imported with the first request."""

import os
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from independence_bench.bad_input import BadInput
from independence_bench.chat.transport import RawAnswer, without_credentials

_KEEP_ALIVE_S = 4.0  # common servers close idle connections after 5 s; reusing one just then costs an attempt


class HttpTransport:
    """Makes requests of httpx and reads what answers them."""

    def __init__(
        self,
        answered: Callable[[httpx.Request], Awaitable[httpx.Response]],
        aclose: Callable[[], Coroutine[None, None, None]],
        headers: Mapping[str, str],
    ) -> None:
        """``answered`` sends a request; ``aclose`` closes all connections; ``headers`` go with every request."""
        self.aclose = aclose
        self._answered = answered
        self._headers = headers
        self._addresses: dict[str, httpx.URL] = {}  # parsing an address takes longer than all else that httpx does

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> RawAnswer:
        """See ``transport.Transport``."""
        if (address := self._addresses.get(url)) is None:
            address = self._addresses[url] = httpx.URL(url)
        # Reading has no limit of its own: the call's deadline covers everything.
        limits = {"timeout": {"connect": connect_s, "read": None, "write": None, "pool": None}}
        request = httpx.Request(method, address, headers={**headers, **self._headers}, content=body, extensions=limits)
        response = await self._answered(request)
        try:
            content = bytearray()
            assert isinstance(response.stream, httpx.AsyncByteStream)  # aiter_raw() refuses what a test double has read
            async for chunk in response.stream:
                content += chunk
                if len(content) > largest:
                    break
        finally:
            await response.aclose()
        # A plain mapping: each look into httpx's decodes all names again.
        return RawAnswer(response.status_code, dict(response.headers.items()), bytes(content))


def over_network(secure: bool, proxy: str | None) -> HttpTransport:
    """Connect with or without TLS, through one proxy or none; called on the loop.

    aiohttp makes the connections: httpx's own cost 2 ms of processor time per call, these 0.14. A client of httpx
    around them would add 0.08 ms for redirects, cookies and hooks, which are not wanted here.
    Raises BadInput: a variable names certificates that cannot be read.
    """
    address, authorization = without_credentials(proxy)
    # Reading the certificate store takes 50 ms; a plain connection gets a context that trusts no one instead.
    trust = _certificates() if secure or proxy else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # How many connections there are is the throttle's business. Cookies would tie one trial to another.
    connector = aiohttp.TCPConnector(limit=0, ssl=trust, keepalive_timeout=_KEEP_ALIVE_S, ttl_dns_cache=300)
    session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
    # A tunnel is asked for with headers of its own; without one the proxy reads those of the request.
    tunnel = httpx.Proxy(address, headers=authorization if secure else {}) if address else None
    carrier = AiohttpTransport(verify=trust, client=session, proxy=tunnel)
    return HttpTransport(carrier.handle_async_request, carrier.aclose, {} if secure else authorization)


def _certificates() -> ssl.SSLContext:
    """Trust what the environment names, else the authorities that browsers trust: not every machine has a list.
    Raises BadInput: a variable names nothing that can be read.
    """
    import certifi

    file, folder = (os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
    name, bundle = "SSL_CERT_FILE", file or None
    if not file and not folder and (bundle := os.environ.get("REQUESTS_CA_BUNDLE") or None):
        name = "REQUESTS_CA_BUNDLE"
        if Path(bundle).is_dir():
            bundle, folder = None, bundle
    if folder and not Path(folder).is_dir():
        raise BadInput(f"SSL_CERT_DIR={folder}: there is no such folder of trusted certificates")
    try:
        return ssl.create_default_context(cafile=bundle or (None if folder else certifi.where()), capath=folder or None)
    except OSError as error:  # an SSLError where the file holds no certificate
        why = "holds no certificate" if isinstance(error, ssl.SSLError) else f"cannot be read: {error.strerror}"
        raise BadInput(f"{name}={bundle}: this file of trusted certificates {why}") from None
