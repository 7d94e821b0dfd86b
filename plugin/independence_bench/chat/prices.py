"""What a call cost: what the server reports, else tokens × list price. An unknown price is unknown, not zero."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json, at
from independence_bench.event_log import event_log
from independence_bench.spec import Model
from independence_bench.trial import Usage

_LOG = event_log(__name__)
_TOKENS_PER_PRICE = 1_000_000
_MOST_USD = 1e4
_MOST_LIST_PRICES = 100
_MOST_TOKENS = 10**9  # more than any one call can cost (US dollars; list prices) or use: beyond it is unknown


@dataclass(frozen=True, slots=True)
class Price:
    """What a model's tokens cost, US dollars per million."""

    prompt: float
    completion: float

    @classmethod
    def read(cls, text: str) -> "Price":
        """Read ``--assume-price``. Raises BadInput: it is not two numbers of at least 0 with a comma between."""
        try:
            prompt, completion = map(float, text.split(","))
        except ValueError:
            prompt = completion = math.nan
        if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
            raise BadInput(
                f"--assume-price={text[:60]}: write two prices in US dollars per million tokens, of prompts and of "
                "answers, for example --assume-price=0.5,2"
            )
        return cls(prompt, completion)

    def of(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return what so many tokens cost, US dollars."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / _TOKENS_PER_PRICE


def price_of(model: Model, assumed: Price | None = None) -> Price | None:
    """Return a model's list price; nothing on a free endpoint; else the assumed one, None where there is none."""
    if model.price_in is not None and model.price_out is not None:
        return Price(model.price_in, model.price_out)
    return Price(0.0, 0.0) if model.endpoint.free else assumed


def charge_of(usage: Usage, price: Price) -> float | None:
    """Return what a request counts against a budget: its known cost, else tokens × price; None: nothing known."""
    if usage.absurd or not (usage.cost_usd or usage.prompt_tokens or usage.completion_tokens):
        return None
    return price.of(usage.prompt_tokens, usage.completion_tokens) if usage.cost_usd is None else usage.cost_usd


def usage_of(usage: Json, model: Model, headers: Mapping[str, str]) -> Usage:
    """Return the usage that body and headers report, cost in US dollars or None; LiteLLM's 0 means no known price."""
    reported = usage if isinstance(usage, dict) else None
    usage = reported or {}
    prompt, completion = _tokens(usage.get("prompt_tokens")), _tokens(usage.get("completion_tokens"))
    price = price_of(model) if reported is not None or model.endpoint.free else None
    listed = None if price is None else price.of(prompt, completion)
    cost = _dollars(usage.get("cost"))
    if cost is None and (reported is not None or not model.endpoint.free):
        cost = _dollars(headers.get("x-litellm-response-cost")) or None
    upstream = _dollars(at(usage.get("cost_details"), "upstream_inference_cost"))
    # With a key of one's own at the provider, OpenRouter's ``cost`` is its fee only, often 0.
    if upstream is not None and (usage.get("is_byok") is True or not cost):
        cost = upstream
    absurd = cost is not None and (cost > _MOST_USD or bool(listed and cost > _MOST_LIST_PRICES * listed))
    if absurd:
        _LOG.info("%s: its server says that one call cost $%.6g; that cost is taken as unknown", model.label, cost)
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=completion,
        reasoning_tokens=_tokens(at(usage.get("completion_tokens_details"), "reasoning_tokens")),
        cost_usd=listed if cost is None else None if absurd else cost,
        absurd=absurd,
    )


def _tokens(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_TOKENS:
        return 0
    return int(value)


def _dollars(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        dollars = float(value)
    except ValueError:
        return None
    except OverflowError:
        return math.inf
    return dollars if dollars >= 0 else math.inf
