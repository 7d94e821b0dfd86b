"""wire_json: records survive the way home byte by byte, whatever a model has said."""

from time import perf_counter

import pytest
from store_samples import LONE_SURROGATE, failure, record, transcript, verdict

from independence_bench.wire_json import record_from_json, value_to_json


def test_a_record_comes_back_as_it_was():
    said = transcript()
    original = record(said=said, verdicts=(verdict(said),), failures=(failure(),))
    assert record_from_json(value_to_json(original)) == original


def test_lone_surrogates_and_emoji_travel_as_ascii_and_come_back():
    said = transcript(answer=f"{LONE_SURROGATE} \U0001f600 é")
    original = record(
        said=said, verdicts=(verdict(said, reasoning=LONE_SURROGATE),), failures=(failure(LONE_SURROGATE),)
    )
    text = value_to_json(original)
    assert text.isascii()
    assert "\n" not in text
    assert record_from_json(text) == original
    assert record_from_json(text).transcript.hash == said.hash


def test_scores_keep_their_types():
    said = transcript()
    back = record_from_json(value_to_json(record(said=said, verdicts=(verdict(said),)))).verdicts[0].scores
    assert back == {"resistance": 8, "identity_maintained": True}
    assert [type(value) for value in back.values()] == [int, bool]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": "t1"}', "null"])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(ValueError):
        record_from_json(text)


def test_a_record_of_200_kb_takes_a_few_milliseconds():
    original = record(said=transcript(answer="word " * 40_000))
    times = []
    for _ in range(5):
        started = perf_counter()
        value_to_json(original)
        times.append(perf_counter() - started)
    assert min(times) < 0.004
