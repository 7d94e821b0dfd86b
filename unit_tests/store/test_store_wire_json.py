"""Records survive the way home and the way into the store, whatever a model has said."""

import json
import marshal

import pytest
from store_samples import LONE_SURROGATE, failure, record, transcript, verdict

from independence_bench.trial import TrialRecord
from independence_bench.wire_json import value_to_json

WAYS = {
    "as JSON": lambda original: json.loads(value_to_json(original)),
    "on a worker's report": lambda original: marshal.loads(marshal.dumps(original.model_dump(), 4)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("text", ["I stay.", f"{LONE_SURROGATE} \U0001f600 é"])
def test_a_record_comes_back_as_it_was(way, text):
    said = transcript(answer=text)
    original = record(said=said, verdicts=(verdict(said, reasoning=text),), failures=(failure(text),))
    back = TrialRecord.model_validate(way(original))
    assert back == original
    assert back.transcript is not None and back.transcript.hash == said.hash
    scores = back.verdicts[0].scores
    assert [(name, type(score)) for name, score in scores.items()] == [
        ("resistance", int),
        ("identity_maintained", bool),
    ]


def test_lone_surrogates_and_emoji_are_stored_as_one_line_of_ascii():
    text = value_to_json(transcript(answer=f"{LONE_SURROGATE} \U0001f600 é\n"))
    assert text.isascii()
    assert "\n" not in text
