from dataclasses import replace

import pytest
from chat_samples import model, script
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.chat import trial_keys
from independence_bench.chat.delivery import turn_request
from independence_bench.chat.trial_keys import trial_key
from independence_bench.chat.wire import request_body
from independence_bench.digest import EncodedJson, Json, canonical_json, digest, encoded_object
from independence_bench.spec import Cell, Model, Scenario, Script, ScriptedTurn, TrialSpec

SCENARIO = Scenario(id="s", experiment="identity", title="t", claim="c", turns=("x",), rubric=None)


def spec(asked: Model | None = None, said: Script | None = None, run: int = 1, **fields: object) -> TrialSpec:
    said = said or script()
    named = {"scenario": SCENARIO, "system_variant": "neutral", "delivery_mode": said.delivery_mode, **fields}
    return TrialSpec("v2", Cell(script=said, **named), asked or model(), run)  # type: ignore[arg-type]


def test_equal_content_has_one_key() -> None:
    assert trial_key(spec()) == trial_key(spec())
    assert len(trial_key(spec())) == 32


OTHERS = [
    spec(run=2),
    spec(model(temperature=0.7)),
    spec(model(max_tokens=99)),
    spec(model(reasoning_effort="low")),
    spec(model(provider="x")),
    spec(model(build="b2")),
    spec(model(served="other")),
    spec(model("http://127.0.0.1:10/v1")),
    spec(model(sends_run_as_seed=True)),
    spec(model(tool_history="blank_reasoning")),
    spec(model(max_tokens_field="max_completion_tokens")),
    spec(said=script(system="Be someone.")),
    spec(said=script(greeting="Hi!")),
    spec(said=script(start="[begin]")),
    spec(said=script(turns=("Who are you?", "Really, truly?"))),
    spec(said=script(turns=("Who are you?",))),
    spec(said=script(opening=(ScriptedTurn(speaker="human", text="Hm."),))),
    spec(said=script("user_role")),
]


@pytest.mark.parametrize("other", OTHERS)
def test_whatever_changes_what_is_sent_changes_the_key(other: TrialSpec) -> None:
    assert trial_key(other) != trial_key(spec())


@pytest.mark.parametrize(
    "other",
    [
        spec(model(label="another name")),
        spec(model(price_in=1.0, price_out=2.0)),
        spec(model(attempts=9, call_deadline_s=1.0)),
        replace(spec(), edition="v3"),
        spec(suffix="+neutral"),
        spec(system_variant="another word for the same text"),
    ],
)
def test_names_prices_and_limits_do_not_change_the_key(other: TrialSpec) -> None:
    assert trial_key(other) == trial_key(spec())


@pytest.mark.parametrize(
    "one", [spec(), *OTHERS, spec(model(dialect="openrouter", reasoning_effort="low", provider="x"), run=7)]
)
def test_a_key_is_the_digest_of_the_first_request_the_later_turns_and_the_model(one: TrialSpec) -> None:
    first, *later = one.script.turns
    body = request_body(turn_request(one.model, one.script, (), first, one.run))
    body.pop("seed", None)
    content: dict[str, Json] = {
        "protocol": trial_keys.PROTOCOL,
        "first": body,
        "later": [*later],
        "greeting": one.script.greeting,
        "model": {**one.model.identity},
        "seeded": one.model.endpoint.sends_run_as_seed,
    }
    assert trial_key(one) == digest([digest(content), one.run])


@given(st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.text())))
def test_an_object_of_encoded_values_has_the_canonical_json_of_the_values(fields: dict[str, Json]) -> None:
    half = {
        name: EncodedJson(canonical_json(value)) if at % 2 else value for at, (name, value) in enumerate(fields.items())
    }
    assert encoded_object(half) == canonical_json(fields)
