"""Requests over the network: httpx over connections of aiohttp. Imported with the first that leaves this process.

httpx's own connections (httpcore) cost 20 to 30 times the processor time where hundreds of calls are in flight.
"""

import os
import ssl
from base64 import b64encode
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from independence_bench.bad_input import BadInput

_KEEP_ALIVE_S = 4.0  # common servers close idle connections after 5 s; reusing one just then costs an attempt
_context = cache(ssl.create_default_context)  # reading the certificate store takes 50 ms
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def network_client(url: str) -> tuple[httpx.AsyncClient, str | None]:
    """Return a client for a URL, to be used on this loop, and the address of the proxy on the way, as it may be shown.
    Raises BadInput: the environment names no usable proxy, or no certificates.
    """
    secure, proxy = url.startswith("https:"), proxy_for(url)
    # A plain connection gets a context that trusts no one.
    trust = _certificates() if secure or proxy else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # How many connections there are is the throttle's business: httpx's limits would leave 100.
    connector = aiohttp.TCPConnector(limit=0, ssl=trust, keepalive_timeout=_KEEP_ALIVE_S, ttl_dns_cache=300)
    session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
    way, authorization = None, {}
    if proxy is not None:
        if proxy.raw_auth is not None:  # which aiohttp would send in Latin-1
            authorization = {"Proxy-Authorization": f"Basic {b64encode(b':'.join(proxy.raw_auth)).decode('ascii')}"}
        # A tunnel is asked for with headers of its own; without one the proxy reads those of the request.
        way = httpx.Proxy(proxy.url, headers=authorization if secure else None)
    transport = AiohttpTransport(verify=trust, client=session, proxy=way)
    client = httpx.AsyncClient(transport=transport, headers=None if secure else authorization)
    return client, None if way is None else str(way.url)


def proxy_for(url: str) -> httpx.Proxy | None:
    """The proxy that the environment names for a URL; never one on the way to this machine itself.
    Raises BadInput: it is no http or https address; its value, which may hold a password, is not shown.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    proxies = getproxies()
    name = parts.scheme if proxies.get(parts.scheme) else "all"  # the variable's name, in either case, without _proxy
    value = proxies.get(name)
    if not value or host in _LOOPBACK or proxy_bypass(host):
        return None
    with suppress(ValueError, httpx.InvalidURL):
        proxy = httpx.Proxy(value if "://" in value else f"http://{value}")
        if proxy.url.scheme in ("http", "https") and proxy.url.host and 0 < (proxy.url.port or 80) < 1 << 16:
            return proxy
    raise BadInput(f"{name}_proxy: its value is not a usable proxy; give an address such as http://host:3128")


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
        return _context(cafile=file or (None if folder else certifi.where()), capath=folder)
    except OSError as error:  # an SSLError where the file holds no certificate
        why = "holds no certificate" if isinstance(error, ssl.SSLError) else f"cannot be read: {error.strerror}"
        raise BadInput(f"{name}={file}: this file of trusted certificates {why}") from None
