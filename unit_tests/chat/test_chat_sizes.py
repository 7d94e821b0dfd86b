"""Sizes and prices of calls: likely for limits, safe for money."""

from dataclasses import replace

import pytest
from chat_samples import judge_request, model, plain_request, tool_request
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.bad_input import BadInput
from independence_bench.chat.budget import Budget
from independence_bench.chat.failures import BudgetSpent
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import Price, charge_of, price_of
from independence_bench.chat.sizes import AnswerLengths, likely_prompt_tokens, most_prompt_tokens, most_tokens
from independence_bench.trial import Usage

URL = "http://127.0.0.1:9/v1"


@given(st.text(max_size=300))
def test_a_safe_count_lies_between_half_a_token_per_sign_and_one_per_byte(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    assert len(text) / 2 <= most_tokens(text) <= size


def test_text_of_other_scripts_counts_one_token_per_byte() -> None:
    assert most_tokens("ab你") == 1 + 3
    assert most_tokens("\ud83d") == 3


def test_all_that_goes_out_counts_tools_and_response_format_too() -> None:
    plain, tool, judge = plain_request(URL), tool_request(URL), judge_request(URL)
    assert likely_prompt_tokens(plain) < likely_prompt_tokens(judge) < likely_prompt_tokens(tool)
    assert most_prompt_tokens(plain) < most_prompt_tokens(judge)
    assert most_prompt_tokens(tool) > most_prompt_tokens(plain) + 500
    longer = replace(plain, messages=[{"role": "user", "content": "x" * 1000}])
    assert most_prompt_tokens(longer) > 500 > likely_prompt_tokens(longer) >= 250


def test_a_message_of_parts_and_numbers_is_counted_by_its_texts() -> None:
    request = replace(plain_request(URL), messages=[{"content": [{"text": "x" * 400, "n": 3}, None]}])
    assert likely_prompt_tokens(request) == (len("content") + len("text") + len("n") + 400) / 4


def test_the_length_of_answers_is_learned_per_model() -> None:
    lengths, one, other = AnswerLengths(), model(URL, served="a"), model(URL, served="b")
    assert lengths.mean(one) is None
    for tokens in (10, 30, 0):  # the last server does not tell
        lengths.add(one, Usage(completion_tokens=tokens))
    assert (lengths.mean(one), lengths.mean(other)) == (20.0, None)


def test_a_price_is_the_list_price_then_free_then_assumed() -> None:
    assumed = Price(1, 2)
    assert price_of(model(URL, price_in=3.0, price_out=4.0), assumed) == Price(3, 4)
    assert price_of(model(URL, free=True), assumed) == Price(0, 0)
    assert price_of(model(URL, price_in=3.0), assumed) == assumed
    assert price_of(model(URL)) is None


@pytest.mark.parametrize(
    ("usage", "charge"),
    [
        (Usage(prompt_tokens=10, completion_tokens=20, cost_usd=0.7), 0.7),
        (Usage(prompt_tokens=10, completion_tokens=20, cost_usd=None), 50e-6),
        (Usage(prompt_tokens=10, completion_tokens=20, cost_usd=0.0), 50e-6),  # who has a price is not free
        (Usage(prompt_tokens=10, completion_tokens=20, cost_usd=1e-300), None),
        (Usage(prompt_tokens=10, completion_unknown=True, cost_usd=0.2e-6), 0.2e-6),
        (Usage(cost_usd=1e-300), None),
        (Usage(cost_usd=0.7), 0.7),
        (Usage(cost_usd=0.0), None),
        (Usage(completion_tokens=20, cost_usd=None), 140e-6),
        (Usage(prompt_tokens=10, completion_unknown=True, cost_usd=None), 1010e-6),
        (Usage(prompt_tokens=10, completion_tokens=0, cost_usd=None), 10e-6),
        (Usage(cost_usd=None), None),
    ],
)
def test_a_request_is_charged_what_is_known_of_it(usage: Usage, charge: float | None) -> None:
    charged = charge_of(usage, Price(1, 2), 100, 500)
    assert charged == (None if charge is None else pytest.approx(charge))


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "-1,2", "1,nan", "inf,1"])
def test_an_assumed_price_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="write two prices"):
        Price.read(text)


def test_an_assumed_price_is_read_as_typed() -> None:
    assert Price.read("0.5, 2") == Price(0.5, 2)


def test_a_model_without_a_price_is_not_paid_for() -> None:
    payments = Payments(Budget(1.0))
    assert not payments.knows(model(URL))
    with pytest.raises(BudgetSpent, match="the price of m is not known"):
        payments.price(model(URL))
