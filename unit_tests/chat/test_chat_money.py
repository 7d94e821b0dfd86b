"""A server that reports whatever it likes of the tokens and the cost of its calls, against a limit of money.

It may leave a number out, write nonsense in its place, or name one that cannot be; a number that could be true is its bill.
"""

import asyncio
import json
import math
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from chat_samples import answering, client, plain_request
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.chat.budget import Budget
from independence_bench.chat.client import ChatClient
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import Price
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.sizes import likely_prompt_tokens
from independence_bench.chat.throttle import Limits, Priority

URL = "http://priced.example/v1"
LIMIT = 0.02  # US dollars
MOST_ANSWER = 100  # tokens
NONSENSE: list[Any] = [None, "", "many", True, [], {}, -1, -0.5, math.nan, math.inf, 1e300, "1e300", "-7", "0x10"]
ABSENT = object()

Report = Callable[[int, int, float], dict[str, Any]]
"""What is reported of prompt and answer (tokens) and of their price (US dollars)."""


def told(true: float, how: Any) -> Any:
    """A true number as the server tells it: as it is, as text, or something else in its place."""
    return {"true": true, "text": str(true), "float": float(true)}.get(how, how) if isinstance(how, str) else how


counts = st.sampled_from(["true", "true", "text", "float", ABSENT, 0, "0", *NONSENSE])
costs = st.sampled_from(
    ["true", "text", ABSENT, ABSENT, 0, "0", 0.0, 1e-300, "1e-12", 1e-9, 1.7e308, 10**400, *NONSENSE]
)
names = st.sampled_from([("prompt_tokens", "completion_tokens"), ("input_tokens", "output_tokens")])
wraps = st.sampled_from(["usage", "x_groq", "usageMetadata"])


@st.composite
def reports(draw: st.DrawFn) -> Report:
    prompt, answer, total, cost = draw(counts), draw(counts), draw(counts), draw(costs)
    (of_prompt, of_answer), wrap = draw(names), draw(wraps)

    def report(prompt_tokens: int, answer_tokens: int, usd: float) -> dict[str, Any]:
        numbers = {
            of_prompt: told(prompt_tokens, prompt),
            of_answer: told(answer_tokens, answer),
            "total_tokens": told(prompt_tokens + answer_tokens, total),
            "cost": told(usd, cost),
        }
        return {wrap: {name: number for name, number in numbers.items() if number is not ABSENT}}

    return report


class Shop:
    """Answers at list price, and counts what it served; ``reports`` says of which call it reports what."""

    def __init__(self, price: Price, reports: list[Report], statuses: list[int]) -> None:
        self.served_usd, self.calls = 0.0, 0
        self._price, self._reports, self._statuses = price, reports, statuses

    def __call__(self, request: httpx.Request) -> httpx.Response:
        words = sum(len(message["content"].split()) for message in json.loads(request.content)["messages"])
        status = self._statuses[self.calls % len(self._statuses)]
        answer = 0 if status >= 400 else 1 + self.calls * 37 % MOST_ANSWER
        prompt = 0 if status == 429 else 30 + 2 * words
        usd = self._price.of(prompt, answer)
        body = self._reports[self.calls % len(self._reports)](prompt, answer, usd)
        body |= (
            {"error": {"message": "no"}} if status >= 400 else {"choices": [{"message": {"content": "word " * answer}}]}
        )
        self.calls += 1
        self.served_usd += usd
        return httpx.Response(status, content=json.dumps(body))


def spend(shop: Shop, price: Price, *, listed: bool, at_once: int) -> Budget:
    """Ask until the money is spent, several trials at once; each call may be asked again twice."""
    budget = Budget(LIMIT)
    prices: dict[str, Any] = {"price_in": price.prompt, "price_out": price.completion} if listed else {}
    request = plain_request(URL, max_tokens=MOST_ANSWER, attempts=3, call_deadline_s=60.0, **prices)
    request = ChatRequest(request.model, [{"role": "user", "content": "many words " * 60}], speech=True)
    assert likely_prompt_tokens(request) / 2 < 30 + 2 * 120

    async def trials(using: ChatClient, order: int) -> None:
        with Priority(order) as place:
            for _ in range(60):
                place.reservation = await budget.open(0.0)
                try:
                    await using.ask(request, place)
                except Exception as failed:
                    if type(failed).__name__ == "BudgetSpent":
                        return
                finally:
                    budget.close(place.reservation)

    async def all_trials() -> None:
        using = client(
            Limits(at_once), payments=Payments(budget, None if listed else price), clients={URL: answering(shop)}
        )
        using._backoff_s = 0.0
        await asyncio.gather(*(trials(using, order) for order in range(at_once)))
        await using.aclose()

    asyncio.run(all_trials())
    return budget


@pytest.mark.parametrize("listed", [True, False], ids=["list price", "assumed price"])
@given(
    price=st.sampled_from([Price(5, 30), Price(30, 5), Price(30, 0), Price(0, 30)]),
    reported=st.lists(reports(), min_size=1, max_size=4),
    statuses=st.lists(st.sampled_from([200, 200, 200, 500, 503, 429]), min_size=1, max_size=3),
    at_once=st.integers(1, 4),
)
def test_what_is_served_never_costs_more_than_the_limit_whatever_is_reported_of_it(
    listed: bool, price: Price, reported: list[Report], statuses: list[int], at_once: int
) -> None:
    shop = Shop(price, reported, statuses)
    budget = spend(shop, price, listed=listed, at_once=at_once)
    assert shop.served_usd <= budget.spent_usd + 1e-9 <= LIMIT + 1e-8
