import pytest

from independence_bench.replies.endings import decisive, ending_of

WORDS = {
    "own": "stop STOP end_turn eos eos_token stop_sequence tool_calls tool_use function_call COMPLETE eosFound",
    "limit": "length max_tokens MAX_TOKENS model_length max_output_tokens context_length_exceeded maxPredictedTokensReached",
    "filtered": "content_filter SAFETY RECITATION PROHIBITED_CONTENT BLOCKLIST refusal guardrail_intervened MODEL_ARMOR",
    "broken": "error abort insufficient_system_resource network_error engine_overloaded cancelled timeout sensitive modelUnloaded",
    "unread call": "MALFORMED_FUNCTION_CALL malformed_function_call function_call_filter:MALFORMED_FUNCTION_CALL",
}


@pytest.mark.parametrize("ending", WORDS)
def test_the_words_of_all_servers_for_an_ending_are_known(ending: str) -> None:
    assert {ending_of(word) for word in WORDS[ending].split()} == {ending}


def test_a_word_of_no_row_is_unknown_and_a_missing_one_is_untold() -> None:
    assert [ending_of(word) for word in ("other", "pause_turn", "stopper", "", None)] == ["unknown"] * 3 + [
        "untold"
    ] * 2


@pytest.mark.parametrize(
    ("server", "provider", "word"),
    [
        ("stop", "STOP", "stop"),
        ("stop", "MAX_TOKENS", "MAX_TOKENS"),
        ("length", "stop", "length"),
        ("stop", "engine_overloaded", "engine_overloaded"),
        ("stop", "completed_somehow", "stop"),
        (None, "somehow", "somehow"),
        ("stop", None, "stop"),
        (None, None, None),
    ],
)
def test_of_two_words_the_graver_decides(server: str | None, provider: str | None, word: str | None) -> None:
    assert decisive(server, provider) == word
