"""Requests over the network, by aiohttp. Imported with the first request that leaves this process."""

import os
import ssl
from collections.abc import Mapping
from pathlib import Path

import aiohttp

from independence_bench.bad_input import BadInput
from independence_bench.chat.transport import RawAnswer, without_credentials

_KEEP_ALIVE_S = 4.0  # common servers close idle connections after 5 s; reusing one just then costs an attempt


class Network:
    """Connections of one kind: with or without TLS, through one proxy or none. Used on one loop.

    Without httpx: around these connections it added a tenth to a seventh to the processor time of a session whose
    server answers at once.
    """

    def __init__(self, secure: bool, proxy: str | None) -> None:
        self._proxy, authorization = without_credentials(proxy)
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


def _certificates() -> ssl.SSLContext:
    """Trust what the environment names, else the authorities that browsers trust: not every machine has a list.
    Raises BadInput: a variable names nothing that can be read.
    """
    import certifi

    name = "SSL_CERT_FILE"
    file, folder = (os.environ.get(each) or None for each in (name, "SSL_CERT_DIR"))
    if not file and not folder and (bundle := os.environ.get("REQUESTS_CA_BUNDLE")):
        name = "REQUESTS_CA_BUNDLE"
        file, folder = (None, bundle) if Path(bundle).is_dir() else (bundle, None)
    if folder and not Path(folder).is_dir():
        raise BadInput(f"SSL_CERT_DIR={folder}: there is no such folder of trusted certificates")
    try:
        return ssl.create_default_context(cafile=file or (None if folder else certifi.where()), capath=folder)
    except OSError as error:  # an SSLError where the file holds no certificate
        why = "holds no certificate" if isinstance(error, ssl.SSLError) else f"cannot be read: {error.strerror}"
        raise BadInput(f"{name}={file}: this file of trusted certificates {why}") from None
