"""What a call cost: the server's word, else tokens × list price. An unknown price is unknown, not zero."""

import math
from collections.abc import Mapping

from independence_bench.digest import Json
from independence_bench.spec import Model
from independence_bench.trial import Usage

_TOKENS_PER_PRICE = 1_000_000


def usage_of(usage: Json, model: Model) -> Usage:
    """Return the usage a server reports, with its cost in US dollars (None where unknown)."""
    if not isinstance(usage, dict):
        return Usage(cost_usd=0.0 if model.endpoint.free else None)
    prompt, completion = _tokens(usage.get("prompt_tokens")), _tokens(usage.get("completion_tokens"))
    details = usage.get("completion_tokens_details")
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=completion,
        reasoning_tokens=_tokens(details.get("reasoning_tokens")) if isinstance(details, dict) else 0,
        cost_usd=_cost(usage, prompt, completion, model),
    )


def _cost(usage: Mapping[str, Json], prompt: int, completion: int, model: Model) -> float | None:
    cost = _dollars(usage.get("cost"))
    details = usage.get("cost_details")
    upstream = _dollars(details.get("upstream_inference_cost")) if isinstance(details, dict) else None
    # With a key of one's own at the provider, OpenRouter's ``cost`` is its fee only, often 0.
    if upstream is not None and (usage.get("is_byok") is True or not cost):
        return upstream
    if cost is not None:
        return cost
    return list_price(prompt, completion, model)


def list_price(prompt_tokens: int, completion_tokens: int, model: Model) -> float | None:
    """Return tokens × list price in US dollars; 0 on a free endpoint, None where a price is unknown."""
    if model.price_in is not None and model.price_out is not None:
        return (prompt_tokens * model.price_in + completion_tokens * model.price_out) / _TOKENS_PER_PRICE
    return 0.0 if model.endpoint.free else None


def _tokens(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        return 0
    return int(value)


def _dollars(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        dollars = float(value)
    except (ValueError, OverflowError):
        return None
    return dollars if math.isfinite(dollars) and dollars >= 0 else None
