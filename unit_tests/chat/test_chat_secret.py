import pytest
from chat_samples import endpoint

from independence_bench.bad_input import BadInput
from independence_bench.chat.answer import Answer
from independence_bench.chat.secret import Secret

KEY = "sk-canary-0123456789"


def test_a_key_shows_in_no_repr() -> None:
    assert KEY not in f"{Secret(KEY)!r} {Secret(KEY)} {[Secret(KEY)]}"


def test_the_key_comes_from_the_endpoints_variable() -> None:
    secret = Secret.of(endpoint(key_env="K"), {"K": f" {KEY}\n"})
    assert secret.headers == [(b"Authorization", f"Bearer {KEY}".encode())]
    assert Secret.of(endpoint(), {"K": KEY}).headers == []


@pytest.mark.parametrize("environment", [{}, {"K": ""}, {"K": "  "}])
def test_a_missing_key_is_said_by_the_name_of_its_variable(environment: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"^K: no API key for test; set this environment variable$"):
        Secret.of(endpoint(key_env="K"), environment)


@pytest.mark.parametrize("key", ["sk-ключ", "sk-one\nsk-two"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(BadInput, match="no HTTP header can carry") as caught:
        Secret.of(endpoint(key_env="K"), {"K": key})
    assert "sk-" not in str(caught.value)


def test_the_key_is_cut_out_of_every_part_of_an_answer() -> None:
    answer = Answer(f"It is {KEY}.", f"a {KEY}", f"b {KEY}", f'{{"message": "It is {KEY}."}}')
    cut = Secret(KEY).cut_answer(answer)
    assert KEY not in repr(cut)
    assert cut.text == "It is [key]."


def test_a_key_in_the_reasoning_alone_leaves_the_other_parts_as_they_are() -> None:
    cut = Secret(KEY).cut_answer(Answer("Hi.", reasoning=f"The key is {KEY}", tool_arguments='{"message": "Hi."}'))
    assert cut == Answer("Hi.", reasoning="The key is [key]", tool_arguments='{"message": "Hi."}')


def test_arguments_that_hold_the_key_in_escapes_are_dropped() -> None:
    escaped = '{"message": "\\u0073k-canary-0123456789"}'
    assert Secret(KEY).cut_answer(Answer(KEY, tool_arguments=escaped)).tool_arguments == "[key]"


def test_an_answer_without_the_key_and_a_dummy_key_stay_untouched() -> None:
    answer = Answer("ollama is a llama", reasoning=None)
    assert Secret(KEY).cut_answer(answer) is answer
    assert Secret("ollama").cut_answer(answer) is answer
    assert Secret(None).cut_answer(answer) is answer


def test_a_raw_body_loses_the_key_and_dummy_keys_only_in_errors() -> None:
    assert Secret(KEY).cut_bytes(f"x{KEY}x".encode(), in_answer=True) == b"x[key]x"
    assert Secret("ollama").cut_bytes(b"ollama", in_answer=True) == b"ollama"
    assert Secret("ollama").cut_bytes(b"ollama", in_answer=False) == b"[key]"
    assert Secret(None).cut_bytes(b"abc", in_answer=False) == b"abc"
    assert Secret("x").cut("xyz") == "xyz"
