"""What a case asks whose fixtures are overridden: from their values to a trial, or to one sentence."""

from typing import Any

import pytest
from session_samples import URL, one, plan, settings, transcript

from independence_bench.bad_input import BadInput
from independence_bench.session.overriding import Overriding
from independence_bench.session.plan import Plan
from independence_bench.session.stored_state import StoredState, judges_left, tasks_left
from independence_bench.spec import Endpoint, TrialSpec

ELSEWHERE = "http://127.0.0.1:10/v1"


def asked(made: Plan, given: dict[str, Any], **options: Any) -> TrialSpec:
    """What the case of ``creativity`` asks whose fixtures return the given values."""
    return Overriding(made, settings(**options)).spec(one(made)[1], given)


def test_each_fixture_changes_what_is_asked_and_nothing_else() -> None:
    made = plan(runs=2)
    own = one(made)[1]
    other = own.model.model_copy(update={"temperature": 0.1})
    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"delivery_mode": "user_role"}, {"delivery_mode": "user_role"}),
        ({"system_variant": "neutral"}, {"system_variant": "neutral"}),
        ({"run": 2}, {"run": 2}),
        ({"scenario": "direct"}, {"scenario": one(made, "direct")[1].scenario}),
        ({"endpoint": ELSEWHERE}, {"url": ELSEWHERE, "label": "test/a+127.0.0.1:10"}),
        ({"endpoint": Endpoint(name="x", base_url=ELSEWHERE)}, {"url": ELSEWHERE}),
        ({"model": "test/b"}, {"label": "test/b+127.0.0.1:9"}),
        ({"model": other}, {"label": f"{own.model.label}+temperature=0.1", "temperature": 0.1}),
        ({"model": "test/b", "endpoint": ELSEWHERE}, {"url": ELSEWHERE, "label": "test/b+127.0.0.1:10"}),
    ]

    def told(spec: TrialSpec) -> dict[str, Any]:
        named = {name: getattr(spec, name) for name in ("delivery_mode", "system_variant", "run", "scenario")}
        model = spec.model
        return {**named, "url": model.endpoint.base_url, "label": model.label, "temperature": model.sent_temperature}

    keys = [one(made)[0]]
    for given, changed in cases:
        spec = asked(made, given)
        assert told(spec) == told(own) | {"label": told(spec)["label"]} | changed, given
        keys.append(made.keys[spec])
        assert made.judges_of(spec) == made.panel
    assert len({*keys}) == len(keys) - 1, "two ways of naming one endpoint ask the same"
    assert spec.model.price_in is None


def test_the_values_of_the_plan_are_the_planned_trial() -> None:
    made = plan(runs=2)
    own = one(made)[1]
    same: dict[str, Any] = {
        "delivery_mode": own.delivery_mode,
        "system_variant": own.system_variant,
        "scenario": own.scenario.model_copy(),
        "run": 1,
        "model": own.model.model_copy(),
        "endpoint": URL,
        "judge": made.panel[0].label,
    }

    assert asked(made, same) is own
    assert asked(made, {"run": 2}) is one(made, run=2)[1]
    assert made.digest == plan(runs=2).digest


def test_another_judge_reads_the_planned_conversation_which_is_not_asked_again() -> None:
    made = plan()
    key, own = one(made)
    spec = asked(made, {"judge": ["test/judge", "test/other"]})
    its_key = made.keys[spec]
    said = StoredState(transcript(own).hash)

    assert [judge.label for judge in made.judges_of(spec)] == ["test/judge+127.0.0.1:9", "test/other+127.0.0.1:9"]
    assert made.judges_of(own) == made.panel
    assert its_key != key and made.by_key[key] is own
    stored: list[str] = []
    tasks = tasks_left(made, {its_key: said}, [its_key], lambda under: stored.append(under) or transcript(own))
    assert stored == [key]
    assert tasks[0].judges == judges_left(made, spec, said) == made.judges_of(spec)
    assert asked(made, {"judge": ("test/judge", "test/other")}) is spec


def test_several_processes_share_the_limits_of_an_endpoint_that_the_plan_does_not_ask() -> None:
    made = plan()
    limited = Endpoint(name="x", base_url=ELSEWHERE, max_concurrency=9, requests_per_minute=3)

    shared = Overriding(made, settings(), processes=4).spec(one(made)[1], {"endpoint": limited})

    assert (shared.model.endpoint.max_concurrency, shared.model.endpoint.requests_per_minute) == (2, 1)
    assert made.keys[shared] == made.keys[asked(made, {"endpoint": ELSEWHERE})]


@pytest.mark.parametrize(
    "given, words",
    [
        ({"delivery_mode": "by_post"}, "fixture delivery_mode: there is no 'by_post'; known are tool_role, user_role"),
        ({"delivery_mode": None}, "fixture delivery_mode: it returned a value of type NoneType; return the name of"),
        ({"system_variant": "neutrl"}, "fixture system_variant: there is no 'neutrl'; did you mean neutral?"),
        ({"run": 0}, "fixture run: 0 is no run of --runs=1; return one, or ask for more"),
        ({"run": 2}, "fixture run: 2 is no run of --runs=1"),
        ({"run": True}, "fixture run: True is no run"),
        (
            {"scenario": "creativty"},
            "fixture scenario: edition v2 has no scenario 'creativty' (did you mean creativity?",
        ),
        ({"model": "no-such"}, "fixture model: no-such: there is no such label or id"),
        ({"model": "gpt-5*"}, "names several models"),
        ({"endpoint": "127.0.0.1"}, "fixture endpoint: 127.0.0.1: '127.0.0.1' is not a URL"),
        (
            {"endpoint": 3},
            "fixture endpoint: it returned a value of type int; return a base URL, an Endpoint, or a function",
        ),
        ({"model": "offline/steadfast", "endpoint": ELSEWHERE}, "fixture endpoint: offline/steadfast cannot be asked"),
        ({"judge": []}, "fixture judge: return one judge, or several"),
        ({"judge": ["test/x", "test/x"]}, "fixture judge: two judges are the same model"),
        ({"judge": "nobody"}, "fixture judge: nobody: there is no such judge"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as refused:
        asked(plan(), given)

    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("changes", [{"turns": ("Yield.",)}, {"id": "mine"}])
def test_a_scenario_that_the_edition_lacks_is_refused_with_the_way_to_add_it(changes: dict[str, Any]) -> None:
    made = plan()
    with pytest.raises(BadInput, match="name its file under `scenarios:` in an edition file of your own"):
        asked(made, {"scenario": one(made)[1].scenario.model_copy(update=changes)})


def test_a_refusal_names_the_place_of_the_fixture_that_is_refused() -> None:
    made = plan()
    places = {"model": "overridden in tests/conftest.py:3", "run": "a parameter in bench/test_a.py"}
    values: dict[str, Any] = {"model": "ours", "run": 9}
    for left_out, words in (
        ("run", "fixture model, overridden in tests/conftest.py:3: ours: there is no such label or id; "),
        ("model", "fixture run, a parameter in bench/test_a.py: 9 is no run of --runs=1; "),
    ):
        given = {name: value for name, value in values.items() if name != left_out}
        with pytest.raises(BadInput) as refused:
            Overriding(made, settings()).spec(one(made)[1], given, places)
        assert str(refused.value).startswith(words)


@pytest.mark.parametrize("option", ["judge_check", "labels"])
def test_an_unchecked_judge_is_refused_where_checked_ones_are_required(option) -> None:
    words = f"--require-{option.replace('_', '-')} checks the judges of --judge alone"
    with pytest.raises(BadInput, match=words):
        asked(plan(), {"judge": "test/other"}, **{f"require_{option}": True})


def test_what_has_no_price_or_no_key_is_refused_before_it_is_asked() -> None:
    made = plan()
    for options, words in (({"max_cost": 1.0}, "--max-cost: the price of"), ({"endpoint_key_env": "KEY"}, "KEY: this")):
        overriding = Overriding(made, settings(**options))
        spec = overriding.spec(one(made)[1], {"endpoint": "http://127.0.0.1:11/v1" if "KEY" in words else ELSEWHERE})
        with pytest.raises(BadInput, match=words) as refused:
            overriding.refuse_unaskable(spec, {}, {"endpoint": "overridden in conftest.py:3"})
        assert str(refused.value).startswith("fixture endpoint, overridden" if "price" in words else "KEY: this key")
        assert "another judge" not in str(refused.value), "the model lacks it"


def test_an_edition_of_roles_takes_what_applies_to_it_and_refuses_the_rest() -> None:
    options: dict[str, Any] = {"edition": "roles-mini", "judges": (), "judge_endpoint": None, "models": ("test/a",)}
    made = plan(**options)
    own, other = made.specs[:2]
    overriding = Overriding(made, settings(**options))

    assert overriding.spec(own, {"scenario": other.scenario.id}) is other
    assert overriding.spec(own, {"endpoint": ELSEWHERE}).model.endpoint.base_url == ELSEWHERE
    foreign = one(plan())[1].scenario
    for given, words in (
        ({"delivery_mode": "user_role"}, "fixture delivery_mode: edition roles-mini takes none"),
        ({"system_variant": "neutral"}, "fixture system_variant: edition roles-mini takes none"),
        ({"judge": "offline/lexical"}, "fixture judge: edition roles-mini takes none"),
        ({"scenario": foreign}, "fixture scenario: edition roles-mini has no scenario 'creativity'"),
    ):
        with pytest.raises(BadInput, match=words):
            overriding.spec(own, given)
