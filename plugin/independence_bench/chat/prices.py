"""What a call cost: what the server reports, else tokens × list price. An unknown price is unknown, not zero."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json, fields_in
from independence_bench.event_log import event_log
from independence_bench.spec import Model
from independence_bench.trial import Usage

_LOG = event_log(__name__)
_TOKENS_PER_PRICE = 1_000_000
_MOST_USD = 1e4
_MOST_LIST_PRICES = 100
_LEAST_LIST_PRICES = 0.01  # caches take nine tenths off the prompt, nobody so much
_MOST_TOKENS = 10**9
"""What one call can cost (US dollars; list prices) or use: what is beyond it is unknown."""


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

    def least(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return what so many tokens cost at least, if they cost anything, US dollars; an answer has a token."""
        return _LEAST_LIST_PRICES * self.of(prompt_tokens, completion_tokens or 1)


def price_of(model: Model, assumed: Price | None = None) -> Price | None:
    """Return a model's list price; nothing on a free endpoint; else the assumed one, None where there is none."""
    if model.price_in is not None and model.price_out is not None:
        return Price(model.price_in, model.price_out)
    return Price(0.0, 0.0) if model.endpoint.free else assumed


def charge_of(usage: Usage | None, price: Price, most_prompt: float, most_completion: float) -> float | None:
    """Return what a request counts against a budget: its known cost, else tokens × price, where an unknown number is
    the most that it can be; None: nothing known, or nothing that can be. A price says that a cost of 0 is unknown.
    """
    if usage is None or usage.absurd or not (usage.cost_usd or usage.prompt_tokens or usage.completion_tokens):
        return None
    prompt, completion = usage.prompt_tokens or most_prompt, usage.completion_tokens
    if usage.cost_usd:
        return None if usage.cost_usd < price.least(prompt, completion) else usage.cost_usd
    return price.of(prompt, most_completion if usage.completion_unknown else completion)


_PROMPT = ("prompttokens", "inputtokens", "prompttokencount", "promptevalcount")
_COMPLETION = ("completiontokens", "outputtokens", "candidatestokencount", "evalcount")
_REASONING = ("reasoningtokens", "thoughtstokencount")
_TOTAL = ("totaltokens", "totaltokencount")


def usage_of(
    reply: Json, model: Model, headers: Mapping[str, str], likely_prompt: float = 0.0, answered: bool = False
) -> Usage:
    """Return the usage that a reply's body and headers report, cost in US dollars or None; of a name that occurs twice
    the outer number counts. LiteLLM's 0 means no known price.

    Args:
        likely_prompt: tokens of the prompt, which say what the least cost can be where the server does not count them.
        answered: some text came, so an answer of 0 tokens is unknown.
    """
    fields = [*fields_in(reply, 4)]  # ``usage`` may be inside ``usage``
    numbers = {
        name.replace("_", "").lower(): number
        for name, value in reversed(fields)
        if (number := _number(value)) is not None
    }
    prompt, completion, reasoning, total = (
        _tokens(numbers, names) for names in (_PROMPT, _COMPLETION, _REASONING, _TOTAL)
    )
    if completion == 0 and answered:
        completion = None
    if completion is not None and total is not None:  # some count reasoning apart
        completion = max(completion, total - (prompt or total))
    if total is None and completion is not None and reasoning is not None and reasoning > completion:
        completion += reasoning
    price, unknown = price_of(model), not prompt or completion is None
    listed = None if price is None or (unknown and price.of(1, 1)) else price.of(prompt or 0, completion or 0)
    cost = _dollars(numbers.get("cost", numbers.get("totalcost")))
    if cost is None and not (unknown and model.endpoint.free):
        cost = _dollars(_number(headers.get("x-litellm-response-cost"))) or None
    upstream = _dollars(numbers.get("upstreaminferencecost"))
    # With a key of one's own at the provider, OpenRouter's ``cost`` is its fee only, often 0.
    if upstream is not None and (("is_byok", True) in fields or not cost):
        cost = upstream
    least = 0.0 if price is None else price.least(prompt or likely_prompt, completion or 0)
    most = min(_MOST_USD, _MOST_LIST_PRICES * listed if listed else _MOST_USD)
    absurd = cost is not None and cost != 0 and not least <= cost <= most
    if absurd:
        _LOG.info("%s: its server says that one call cost $%.6g; that cost is taken as unknown", model.label, cost)
    return Usage(
        prompt_tokens=prompt or 0,
        completion_tokens=completion or 0,
        reasoning_tokens=reasoning or 0,
        cost_usd=listed if cost is None else None if absurd else cost,
        absurd=absurd,
        completion_unknown=completion is None,
    )


def _tokens(numbers: Mapping[str, float], names: Sequence[str]) -> int | None:
    return next((int(numbers[name]) for name in names if 0 <= numbers.get(name, -1) <= _MOST_TOKENS), None)


def _dollars(number: float | None) -> float | None:
    return math.inf if number is not None and not number >= 0 else number


def _number(value: Json) -> float | None:
    value = value.get("total") if isinstance(value, dict) else value  # a cost by its parts
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
    except OverflowError:
        return math.inf
