"""Rows of the catalogue as a table, and their prices compared with those that endpoints list today. Writes no file."""

import asyncio
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from independence_bench.bad_input import BadInput
from independence_bench.catalog.rows import ModelRow
from independence_bench.chat.faults import classify
from independence_bench.chat.reply import Malformed
from independence_bench.chat.secret import Secret
from independence_bench.chat.transports import Transports
from independence_bench.chat.wire import decompressed
from independence_bench.digest import Json
from independence_bench.report.blocks import Column, Table, record_column
from independence_bench.report.views.text import column_name, filled, fitted, table_text
from independence_bench.report.views.tidy_text import shown_records
from independence_bench.spec import Endpoint
from independence_bench.version import __version__


def models_text(rows: Sequence[ModelRow], width: int) -> str:
    """Return the table with a note on its prices below."""
    table, left_out = fitted(Table(_COLUMNS, rows), width)
    notes = [
        "Prices are US dollars per million tokens; – is unknown. Thinks: known to think before it answers; must: it "
        "cannot answer without. Inactive and retired models are found by their full name only."
    ]
    if left_out:
        notes.append(f"Hidden (terminal too narrow): {', '.join(map(column_name, left_out))}.")
    return "\n".join([table, *(filled(note, width) for note in notes)])


def rows_shown(rows: Sequence[ModelRow], form: str) -> str:
    """Return every field of the rows as ``csv``, ``json`` or ``markdown``."""
    records = [row.model_dump() | {"default_in": ", ".join(row.default_in)} for row in rows]
    return shown_records(form, [*ModelRow.model_fields], records)


_YES_OR_NO = {True: "yes", False: "no", None: "–"}
_COLUMNS: list[Column[ModelRow]] = [
    Column("label", lambda row: row.label, right=False, least=32),
    Column("id", lambda row: row.id, right=False, least=16, importance=2.0),
    Column("endpoint", lambda row: row.endpoint, right=False, importance=0.5),
    Column("thinks", lambda row: _thinks(row), right=False, importance=0.7),
    Column("USD in", lambda row: price(row.price_in)),
    Column("USD out", lambda row: price(row.price_out)),
    Column("as of", lambda row: row.price_date or "–", right=False, importance=1.0),
    Column("active", lambda row: f"retired {row.retired}" if row.retired else _YES_OR_NO[row.active], right=False),
]


def _thinks(row: ModelRow) -> str:
    return "must" if row.reasoning_required else _YES_OR_NO[row.thinking]


def price(dollars: float | None) -> str:
    """Return a price in US dollars per million tokens; ``–`` where it is unknown."""
    return "–" if dollars is None else f"{dollars:.4f}".rstrip("0").rstrip(".")


LARGEST_ANSWER = 64 * 1024 * 1024  # bytes of one list of models

_TIMEOUT_S = 30.0
_PER_MILLION = 1_000_000

Prices = tuple[float | None, float | None]  # US dollars per million prompt and completion tokens, None: not listed


_DIFFERENCES = [
    *(record_column(name, least=16) for name in ("label", "id")),
    *map(record_column, ("catalogue", "endpoint")),
]


@dataclass(slots=True)
class PriceComparison:
    """What differs."""

    compared: int = 0
    differing: list[dict[str, str]] = field(default_factory=list)
    pinned: int = 0  # rows that pin a provider, whose price ``/models`` does not list
    troubles: list[str] = field(default_factory=list)  # endpoints that could not be reached, and why

    @property
    def agrees(self) -> bool:
        """True if every endpoint answered and no price differs."""
        return not self.differing and not self.troubles

    def text(self, width: int) -> str:
        """Return the differences as a table, and how many prices were compared."""
        table = [table_text(Table(_DIFFERENCES, self.differing), width)] if self.differing else []
        counts = (
            f"{self.compared} prices compared, {len(self.differing)} differ (US dollars per million tokens, prompt / "
            f"completion). {self.pinned} rows pin a provider, whose own price is not listed. No file was changed."
        )
        return "\n".join([*table, counts, *self.troubles])


class NotListed(Exception):
    """An endpoint returned no list of its models; the text says why."""


def compare_prices(
    rows: Sequence[ModelRow], endpoints: Mapping[str, Endpoint], environment: Mapping[str, str]
) -> PriceComparison:
    """Ask every paid endpoint once for its models, and compare the active rows that it serves."""
    found = PriceComparison()
    for name, endpoint in endpoints.items():
        served = [row for row in rows if row.endpoint == name and row.active]
        if endpoint.free or not served:
            continue
        try:
            listed = _listed(endpoint, environment)
        except NotListed as error:
            found.troubles.append(f"{name}: its models could not be listed: {error}")
            continue
        for row in served:
            _compare(row, listed.get(row.served_id or row.id), found)
    return found


def _compare(row: ModelRow, listed: Prices | None, found: PriceComparison) -> None:
    ours, theirs = (row.price_in, row.price_out), None
    if listed is None:
        theirs = "no longer served"
    elif row.provider is not None:
        found.pinned += 1
    elif listed != (None, None):  # else this endpoint lists no prices
        found.compared += 1
        told = [(own, other) for own, other in zip(ours, listed, strict=True) if other is not None]
        if any(own is None or not math.isclose(own, other, rel_tol=1e-6, abs_tol=1e-9) for own, other in told):
            theirs = _shown(listed)
    if theirs is not None:
        found.differing.append({"label": row.label, "id": row.id, "catalogue": _shown(ours), "endpoint": theirs})


def _shown(prices: Prices) -> str:
    return f"{price(prices[0])} / {price(prices[1])}"


def _listed(endpoint: Endpoint, environment: Mapping[str, str]) -> dict[str, Prices]:
    try:
        secret = Secret.of(endpoint, environment)
    except BadInput:
        secret = Secret(None)  # many lists are public
    try:
        answer = json.loads(asyncio.run(_get(f"{endpoint.base_url}/models", endpoint, secret)))
    except (ValueError, RecursionError):
        raise NotListed("the answer is no JSON") from None
    models = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(models, list):
        raise NotListed("the answer holds no list of models")
    found: dict[str, Prices] = {}
    for row in models:
        if isinstance(row, dict) and isinstance(model_id := row.get("id"), str):
            told = pricing if isinstance(pricing := row.get("pricing"), dict) else {}
            found[model_id] = _per_million(told.get("prompt")), _per_million(told.get("completion"))
    return found


async def _get(url: str, endpoint: Endpoint, secret: Secret) -> bytes:
    headers = {**secret.headers, "Accept-Encoding": "gzip", "User-Agent": f"independence-bench/{__version__}"}
    transports = Transports({})
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            transport = transports.transport_for(url)
            status, told, body = await transport.send(
                "GET", url, headers, b"", connect_s=endpoint.connect_s, largest=LARGEST_ANSWER
            )
        if status == HTTPStatus.OK:
            return decompressed(body, told.get("content-encoding", "identity"), LARGEST_ANSWER)
    except TimeoutError:
        raise NotListed(f"no answer within {_TIMEOUT_S:g} s") from None
    except Malformed as error:
        raise NotListed(f"the answer is {error}") from None
    except Exception as error:
        if (fault := classify(error, endpoint, secret)) is None:
            raise
        raise NotListed(fault.cause) from None
    finally:
        await transports.aclose()
    key = f" (is {endpoint.key_env} set?)" if status in (401, 403) and endpoint.key_env else ""
    raise NotListed(f"HTTP status {status}{key}")


def _per_million(per_token: Json) -> float | None:
    if isinstance(per_token, bool) or not isinstance(per_token, int | float | str):
        return None
    try:
        dollars = float(per_token) * _PER_MILLION
    except (ValueError, OverflowError):
        return None
    return dollars if math.isfinite(dollars) and dollars >= 0 else None
