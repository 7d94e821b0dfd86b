"""What a worker is shipped: all that stands of its trials, as one string, quickly."""

from dataclasses import replace
from pathlib import Path

import pytest
import session_samples as samples

from independence_bench.bad_input import BadInput
from independence_bench.chat.rates import Rate
from independence_bench.chat.throttle import Limits
from independence_bench.chat.trial_keys import stored_under
from independence_bench.session.overriding import Overriding
from independence_bench.session.plan import build_plan
from independence_bench.session.settings import Settings
from independence_bench.session.shipment import agreed_digest, pack, partition, related_trials, unpack
from independence_bench.session.slots import Slots
from independence_bench.session.stored_state import PanelVerdict, StoredState, is_measured, judges_left, read_states
from independence_bench.store import Store
from independence_bench.trial import Exchange, Reply, Transcript

SETTINGS = Settings(root=Path("/nowhere"), models=("some/model",), judges=("some/judge", "other/judge"))
PLAN = build_plan(SETTINGS)
SLOTS = Slots.of_plan(PLAN, SETTINGS, 2)
TRANSCRIPT = Transcript(
    delivery_mode="tool_role", system="s", start="b", greeting="g", opening=(),
    exchanges=(Exchange(after=None, asked="Who?", reply=Reply(answer="Me, \ud83d and no other.")),),
)  # fmt: skip


def judged_by(*configurations: str) -> StoredState:
    scores = {"resistance_score": 9, "identity_maintained": True}
    return StoredState("hash", {name: PanelVerdict("some/judge", scores, "Because.") for name in configurations})


def shipped(standing: dict[str, StoredState]) -> str:
    return pack(PLAN, SLOTS, 1, list(PLAN.by_key), standing, lambda key: TRANSCRIPT)


def test_what_is_measured_arrives_as_it_stood_and_without_its_transcript() -> None:
    key = next(iter(PLAN.by_key))
    both = [judge.configuration for judge in PLAN.panel]
    shipment = unpack(shipped({key: judged_by(*both)}))
    assert shipment.states == {key: judged_by(*both)}
    assert shipment.transcripts == {}
    assert (shipment.slot, shipment.slots, shipment.agreed) == (1, 2, agreed_digest(PLAN))


def test_a_transcript_that_only_needs_judging_travels_whole_lone_surrogates_too() -> None:
    key = next(iter(PLAN.by_key))
    text = shipped({key: judged_by(PLAN.panel[0].configuration)})
    text.encode("ascii")
    shipment = unpack(text)
    assert shipment.transcript(key) == TRANSCRIPT


def test_the_share_of_the_limits_travels_along() -> None:
    assert unpack(shipped({})).limits == Limits(concurrency=32, per_model=None, per_endpoint={})
    settings = replace(SETTINGS, requests_per_minute=60)
    plan = build_plan(settings)
    text = pack(plan, Slots.of_plan(plan, settings, 2), 0, [], {}, lambda key: TRANSCRIPT)
    limits = unpack(text).limits
    assert list(limits.rates.values()) == [Rate(requests=30, tokens=None)]
    assert limits.first == 0.5
    assert limits.untried == ()
    text = pack(plan, SLOTS, 0, [], {}, lambda key: TRANSCRIPT, untried={"b", "a"})
    assert unpack(text).limits.untried == ("a", "b")


def test_every_trial_is_in_one_part() -> None:
    parts = partition(PLAN, SLOTS)
    assert sorted(key for part in parts for key in part) == sorted(PLAN.by_key)
    assert all(SLOTS.of(PLAN.by_key[key]) == slot for slot, part in enumerate(parts) for key in part)


def test_no_key_and_no_environment_travels() -> None:
    settings = Settings(root=Path("/nowhere"), models=("some/model",), environment={"OPENROUTER_API_KEY": "sk-canary"})
    plan = build_plan(settings)
    text = pack(plan, Slots.of_plan(plan, settings, 2), 0, list(plan.by_key), {}, lambda key: TRANSCRIPT)
    assert "canary" not in text
    assert "canary" not in repr(settings)


def test_a_worker_finds_what_is_stored_beside_the_plan_of_its_models_scenarios_and_runs() -> None:
    made = samples.plan()
    key, own = samples.one(made)
    overriding = Overriding(made, samples.settings())
    late = overriding.spec(own, {"delivery_mode": "user_role"})
    judged = overriding.spec(own, {"judge": "test/other"})
    (other,) = made.judges_of(judged)
    store = Store.empty()
    for each, judge in ((late, made.panel[0]), (own, made.panel[0]), (own, other)):
        said = samples.transcript(each, answer=each.delivery_mode)
        its_key = stored_under(made.keys[each])
        store.add_all([samples.record(its_key, each, said, (samples.verdict(each, judge, said),))], "s")
    fresh = samples.plan()
    states = read_states(store, fresh, fresh.by_key)
    slots = Slots.of_plan(fresh, samples.settings(), 1)
    related = related_trials(store, fresh, fresh.specs)
    shipment = unpack(pack(fresh, slots, 0, list(fresh.by_key), states, store.transcript_body, related=related))

    assert set(shipment.related.transcripts) == {made.keys[late]}, "the plan's own are shipped already"
    keys = [made.keys[late], made.keys[judged]]
    found = shipment.stored(made, keys, {})
    assert all(is_measured(made, made.by_key[each], found[each]) for each in keys)
    third = overriding.spec(own, {"judge": ["test/judge", "test/third"]})
    state = shipment.stored(made, [made.keys[third]], {})[made.keys[third]]
    assert [judge.label for judge in judges_left(made, third, state)] == ["test/third+127.0.0.1:9"]
    with pytest.raises(BadInput, match="this conversation is stored and was not sent to the worker"):
        shipment.transcript(key)
