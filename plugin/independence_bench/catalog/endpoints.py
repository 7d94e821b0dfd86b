"""Endpoints from rows and from ``--endpoint``, and what else the command line overrides.

URLs have one normal form, so that a server has the same name in every key. Knows no model's row.
"""

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from independence_bench.bad_input import BadInput
from independence_bench.spec import Endpoint, MaxTokensField, ReasoningEffort, ToolHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """How the command line changes the way models and judges are asked; None leaves the row's value."""

    endpoint: str | None = None
    endpoint_key_env: str | None = None
    judge_endpoint: str | None = None
    judge_endpoint_key_env: str | None = None
    build: str | None = None
    label: str | None = None  # with ``build``, the name of the only model; host and port are then in no key
    temperature: float | Literal["off"] | None = None  # off: none is sent
    reasoning_effort: tuple[ReasoningEffort, ...] = ()  # each model is measured with each of them
    max_tokens: int | None = None
    max_tokens_field: MaxTokensField | None = None  # of the models' endpoints, not of the judges'
    tool_history: ToolHistory | None = None
    call_timeout_s: float | None = None  # seconds for one answer, all attempts together
    call_attempts: int | None = None
    requests_per_minute: int | None = None  # for each endpoint that is asked, embedded ones excepted
    tokens_per_minute: int | None = None
    concurrency: int | None = None  # calls in flight over all models; this or the next overrides the rows' own limits
    concurrency_per_model: int | None = None


def normalised_url(url: str, asked_by: str, schemes: Container[str] = ("http", "https")) -> str:
    """Return a base URL in its normal form: lower-case scheme and host, no default port, no trailing slash.
    Raises BadInput: not a URL, another scheme, user info (it would end up in keys and reports), a query or a fragment.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise BadInput(f"{asked_by}: not a URL ({error}); write, for example, http://127.0.0.1:8080/v1") from None
    host = parts.hostname or ""
    if parts.scheme not in schemes or not all(0 < len(label) < 64 for label in host.removesuffix(".").split(".")):
        raise BadInput(f"{asked_by}: {_shown(url)!r} is not a URL; write, for example, http://127.0.0.1:8080/v1")
    if parts.username is not None or parts.password is not None:
        raise BadInput(f"{asked_by}: a URL with user info is refused; put the key into an environment variable")
    if parts.query or parts.fragment or "?" in url:
        raise BadInput(f"{asked_by}: a URL with a query or fragment is refused; give the base URL alone")
    path = parts.path.rstrip("/")
    if path.endswith("/chat/completions"):
        raise BadInput(f"{asked_by}: give the base URL, without /chat/completions at its end")
    host = f"[{host}]" if ":" in host else host
    default_port = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{host}{f':{port}' if port and port != default_port else ''}{path}"


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


def limited_endpoint(endpoint: Endpoint, overrides: Overrides) -> Endpoint:
    """Return an endpoint with the limits that the command line gives it."""
    deadline_s = overrides.call_timeout_s
    changes: dict[str, float | None] = {"call_deadline_s": deadline_s, "attempts": overrides.call_attempts}
    if not endpoint.embedded:
        changes["requests_per_minute"] = overrides.requests_per_minute
        changes["tokens_per_minute"] = overrides.tokens_per_minute
    if deadline_s is not None:
        # A longer per-answer timeout also extends the trial's.
        changes["trial_deadline_s"] = endpoint.trial_deadline_s * max(1.0, deadline_s / endpoint.call_deadline_s)
    changes = {name: value for name, value in changes.items() if value is not None}
    if overrides.concurrency is not None or overrides.concurrency_per_model is not None:
        changes["max_concurrency"] = None
    return endpoint.model_copy(update=changes) if changes else endpoint
