"""Requests over the network, with aiohttp. Imported with the first request that leaves this process."""

import os
import ssl
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

import aiohttp

from independence_bench.chat.transport import RawAnswer

_KEEP_ALIVE_S = 4.0  # common servers close idle connections after 5 s; reusing one just then costs an attempt


class Network:
    """Connections of one kind: with or without TLS, through one proxy or none. Used on one loop."""

    def __init__(self, secure: bool, proxy: str | None) -> None:
        """Connect nothing yet; called on the loop."""
        self._proxy, authorization = _without_credentials(proxy)
        # A tunnel is asked for with headers of its own; without one the proxy reads those of the request.
        self._of_tunnel = authorization if secure else {}
        self._of_request = {} if secure else authorization
        # Reading the certificate store takes 50 ms; a plain connection gets a context that trusts no one instead.
        trust = _certificates() if secure or proxy else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # How many connections there are is the throttle's business. Cookies would tie one trial to another.
        connector = aiohttp.TCPConnector(limit=0, ssl=trust, keepalive_timeout=_KEEP_ALIVE_S, ttl_dns_cache=300)
        self._session = aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False
        )

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> RawAnswer:
        """See ``transport.Transport``."""
        async with self._session.request(
            method,
            url,
            headers={**headers, **self._of_request},
            data=body,
            # Reading has no limit of its own: the call's deadline covers everything.
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=connect_s),
            proxy=self._proxy,
            proxy_headers=self._of_tunnel or None,
            allow_redirects=False,
        ) as response:
            content = bytearray()
            async for chunk in response.content.iter_any():
                content += chunk
                if len(content) > largest:
                    break
            return RawAnswer(response.status, response.headers, bytes(content))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._session.close()


def _without_credentials(proxy: str | None) -> tuple[str | None, dict[str, str]]:
    """Split a proxy's URL into one that may be shown, which errors do, and the header that holds name and password."""
    if proxy is None:
        return None, {}
    parts = urlsplit(proxy)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    if parts.username is None:
        return bare, {}
    credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return bare, {"Proxy-Authorization": f"Basic {b64encode(credentials).decode('ascii')}"}


def _certificates() -> ssl.SSLContext:
    """Trust what the environment names, else the authorities that browsers trust: not every machine has a list."""
    import certifi

    folder = os.environ.get("SSL_CERT_DIR") or None
    file = os.environ.get("SSL_CERT_FILE") or (None if folder else certifi.where())
    return ssl.create_default_context(cafile=file, capath=None if file else folder)
