"""Prices of the catalogue against what endpoints list at ``/models`` today. Writes nothing."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from independence_bench import __version__
from independence_bench.bad_input import BadInput
from independence_bench.catalog.rows import ModelRow
from independence_bench.chat.carriers import proxy_for
from independence_bench.chat.secret import Secret
from independence_bench.cli.model_table import price
from independence_bench.digest import Json
from independence_bench.report.views.table import Column, fitted
from independence_bench.safe_text import safe_text
from independence_bench.spec import Endpoint

LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes of one list of models."""

_TIMEOUT_S = 30.0
_PER_MILLION = 1_000_000

Prices = tuple[float | None, float | None]
"""US dollars per million prompt and completion tokens; None where the endpoint does not say."""


@dataclass(slots=True)
class Comparison:
    """What differs."""

    compared: int = 0
    differing: list[tuple[str, str, str, str]] = field(default_factory=list)
    """Label, id, the catalogue's prices, the endpoint's."""
    pinned: int = 0
    """Rows that pin a provider, whose price ``/models`` does not tell."""
    troubles: list[str] = field(default_factory=list)
    """Endpoints that could not be asked, and why."""

    @property
    def agrees(self) -> bool:
        """True where every endpoint was asked and nothing differs."""
        return not self.differing and not self.troubles

    def text(self, width: int) -> str:
        """Return what differs as a table, and what was compared."""
        lines = []
        if self.differing:
            heads = ("label", "id", "catalogue", "endpoint")
            columns = [
                Column(head, [row[place] for row in self.differing], right=False, least=16 if place < 2 else None)
                for place, head in enumerate(heads)
            ]
            lines.append(fitted(columns, width)[0])
        lines.append(
            f"{self.compared} prices compared, {len(self.differing)} differ (US dollars per million tokens, prompt / "
            f"completion). {self.pinned} rows pin a provider, whose own price is not listed. Nothing was written."
        )
        return "\n".join([*lines, *self.troubles])


class NotListed(Exception):
    """An endpoint gives no list of its models; the text says why."""


def compare_prices(
    rows: Sequence[ModelRow], endpoints: Mapping[str, Endpoint], environment: Mapping[str, str]
) -> Comparison:
    """Ask every endpoint that costs something for its models, once, and compare the active rows it serves."""
    found = Comparison()
    for name, endpoint in endpoints.items():
        served = [row for row in rows if row.endpoint == name and row.active]
        if endpoint.free or not served:
            continue
        try:
            listed = _listed(endpoint, environment)
        except NotListed as error:
            found.troubles.append(f"{name}: its models could not be listed: {error}")
            continue
        for row in sorted(served, key=lambda row: row.label):
            _compare(row, listed.get(row.served_id or row.id), found)
    return found


def _compare(row: ModelRow, listed: Prices | None, found: Comparison) -> None:
    if listed is None:
        found.differing.append((row.label, row.id, _shown((row.price_in, row.price_out)), "not served any more"))
        return
    if row.provider is not None:
        found.pinned += 1
        return
    if listed == (None, None):
        return  # this endpoint tells no prices
    found.compared += 1
    if not all(map(_equal, (row.price_in, row.price_out), listed)):
        found.differing.append((row.label, row.id, _shown((row.price_in, row.price_out)), _shown(listed)))


def _equal(ours: float | None, theirs: float | None) -> bool:
    return theirs is None or (ours is not None and math.isclose(ours, theirs, rel_tol=1e-6, abs_tol=1e-9))


def _shown(prices: Prices) -> str:
    return f"{price(prices[0])} / {price(prices[1])}"


def _listed(endpoint: Endpoint, environment: Mapping[str, str]) -> dict[str, Prices]:
    try:
        secret = Secret.of(endpoint, environment)
    except BadInput:
        secret = Secret(None)  # many lists are public
    try:
        answer = json.loads(_get(f"{endpoint.base_url}/models", endpoint, secret))
    except (ValueError, RecursionError):
        raise NotListed("the answer is no JSON") from None
    return dict(_models(answer))


def _get(url: str, endpoint: Endpoint, secret: Secret) -> bytes:
    import httpx

    headers = {**secret.headers, "User-Agent": f"independence-bench/{__version__}"}
    timeout = httpx.Timeout(_TIMEOUT_S, connect=endpoint.connect_s)
    body = bytearray()
    try:
        with (
            httpx.Client(proxy=proxy_for(url), trust_env=False, timeout=timeout) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > LARGEST_ANSWER:
                    raise NotListed(f"the answer is larger than {LARGEST_ANSWER >> 20} MB")
    except httpx.HTTPError as error:
        raise NotListed(safe_text(secret.cut(str(error) or type(error).__name__))) from None
    if response.status_code != httpx.codes.OK:
        key = f" (is {endpoint.key_env} set?)" if response.status_code in (401, 403) and endpoint.key_env else ""
        raise NotListed(f"HTTP status {response.status_code}{key}")
    return bytes(body)


def _models(answer: Json) -> Iterator[tuple[str, Prices]]:
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise NotListed("the answer holds no list of models")
    for row in rows:
        if isinstance(row, dict) and isinstance(model_id := row.get("id"), str):
            pricing = row.get("pricing")
            told = pricing if isinstance(pricing, dict) else {}
            yield model_id, (_per_million(told.get("prompt")), _per_million(told.get("completion")))


def _per_million(per_token: Json) -> float | None:
    """Read a price per token; negative ones mean that it depends."""
    if isinstance(per_token, bool) or not isinstance(per_token, int | float | str):
        return None
    try:
        dollars = float(per_token) * _PER_MILLION
    except (ValueError, OverflowError):
        return None
    return dollars if math.isfinite(dollars) and dollars >= 0 else None
