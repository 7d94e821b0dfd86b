"""Requests over the network: httpx over connections of aiohttp. Imported with the first that leaves this process.

httpx's own connections (httpcore) cost 20 to 30 times the processor time where hundreds of calls are in flight.
"""

import os
import ssl
from pathlib import Path

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from independence_bench.bad_input import BadInput
from independence_bench.chat.http_clients import without_credentials

_KEEP_ALIVE_S = 4.0  # common servers close idle connections after 5 s; reusing one just then costs an attempt


def network_client(secure: bool, proxy: str | None) -> httpx.AsyncClient:
    """Return a client for connections of one kind: with or without TLS, through one proxy or none. Made on its loop.
    Raises BadInput: a variable of the environment names no certificates.
    """
    address, authorization = without_credentials(proxy)
    # Reading the certificate store takes 50 ms; a plain connection gets a context that trusts no one instead.
    trust = _certificates() if secure or proxy else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # How many connections there are is the throttle's business: httpx's limits would leave 100.
    connector = aiohttp.TCPConnector(limit=0, ssl=trust, keepalive_timeout=_KEEP_ALIVE_S, ttl_dns_cache=300)
    session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
    # A tunnel is asked for with headers of its own; without one the proxy reads those of the request.
    way = address and httpx.Proxy(address, headers=authorization if secure else None)
    return httpx.AsyncClient(
        transport=AiohttpTransport(verify=trust, client=session, proxy=way or None),
        headers=None if secure else authorization,
    )


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
