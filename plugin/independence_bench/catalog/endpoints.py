"""Endpoints from rows and from ``--endpoint``.

URLs have one normal form, so that a server has the same name in every key. Knows no model.
"""

from collections.abc import Container
from urllib.parse import urlsplit

from independence_bench.bad_input import BadInput
from independence_bench.spec import Endpoint


def normalised_url(url: str, asked_by: str, schemes: Container[str] = ("http", "https")) -> str:
    """Return a base URL in its normal form: lower-case scheme and host, no default port, no trailing slash.
    Raises BadInput: not a URL, another scheme, user info (it would end up in keys and reports), a query or a fragment.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise BadInput(f"{asked_by}: not a URL ({error}); write, for example, http://127.0.0.1:8080/v1") from None
    if parts.scheme.lower() not in schemes or not parts.hostname:
        raise BadInput(f"{asked_by}: {_shown(url)!r} is not a URL; write, for example, http://127.0.0.1:8080/v1")
    if parts.username is not None or parts.password is not None:
        raise BadInput(f"{asked_by}: a URL with user info is refused; put the key into an environment variable")
    if parts.query or parts.fragment or "?" in url:
        raise BadInput(f"{asked_by}: a URL with a query or fragment is refused; give the base URL alone")
    path = parts.path.rstrip("/")
    if path.endswith("/chat/completions"):
        raise BadInput(f"{asked_by}: give the base URL, without /chat/completions at its end")
    scheme = parts.scheme.lower()
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default_port = {"http": 80, "https": 443}.get(scheme)
    return f"{scheme}://{host}{f':{port}' if port and port != default_port else ''}{path}"


def _shown(url: str) -> str:
    return url.rpartition("@")[2].partition("?")[0].partition("#")[0][:120]


def host_and_port(url: str) -> str:
    """Return ``host:port`` of a normalised URL, as used in labels."""
    return urlsplit(url).netloc


def ad_hoc_endpoint(url: str, key_env: str | None, known: dict[str, Endpoint], option: str) -> Endpoint:
    """Return the endpoint for a URL given on the command line; a catalogue row with that URL provides its settings."""
    base_url = normalised_url(url, f"{option}={_shown(url)}")
    for endpoint in known.values():
        if endpoint.base_url == base_url:
            return endpoint.model_copy(update={"ad_hoc": True, "key_env": key_env or endpoint.key_env})
    return Endpoint(name=host_and_port(base_url), base_url=base_url, key_env=key_env, ad_hoc=True)
