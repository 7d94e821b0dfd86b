"""Missing keys are told before any call, by variable and by what needs them; keys are never shown."""

import pytest
from session_samples import one, plan

from independence_bench.bad_input import BadInput
from independence_bench.session.plan import Plan
from independence_bench.session.refusals import refuse_missing_keys
from independence_bench.session.stored_state import PanelVerdict, StoredState

KEYED = {"endpoint_key_env": "MODEL_KEY", "judge_endpoint_key_env": "JUDGE_KEY"}
BOTH = {"MODEL_KEY": "a", "JUDGE_KEY": "b"}


def refusal(made: Plan, standing: dict[str, StoredState], environment: dict[str, str]) -> str | None:
    try:
        refuse_missing_keys(made, made.by_key, environment, lambda: standing)
    except BadInput as error:
        return str(error)
    return None


def test_nothing_is_refused_where_every_key_is_set() -> None:
    assert refusal(plan(**KEYED), {}, BOTH) is None


def test_endpoints_without_a_key_variable_need_none() -> None:
    assert refusal(plan(), {}, {}) is None


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_variable_that_is_unset_or_empty_is_told_with_the_model_that_needs_it(value: str | None) -> None:
    environment = {"JUDGE_KEY": "b"} | ({} if value is None else {"MODEL_KEY": value})

    assert refusal(plan(**KEYED), {}, environment) == (
        "MODEL_KEY: this key is not set, and test/a+127.0.0.1:9 cannot be asked without it; export it or add it to .env"
    )


def test_a_judges_missing_key_is_told_too() -> None:
    told = refusal(plan(**KEYED), {}, {"MODEL_KEY": "a"})

    assert told is not None
    assert told.startswith("JUDGE_KEY: this key is not set, and test/judge+127.0.0.1:9 cannot be asked")
    assert "--judge=offline/lexical" in told
    assert "--judge-endpoint" in told


def test_of_many_models_three_are_named() -> None:
    told = refusal(plan(models=("t/d", "t/c", "t/b", "t/a"), **KEYED), {}, {"JUDGE_KEY": "b"})

    assert told is not None
    assert "t/a+127.0.0.1:9, t/b+127.0.0.1:9, t/c+127.0.0.1:9 and others cannot" in told


def test_a_models_key_is_not_needed_where_only_judging_is_left() -> None:
    made = plan(**KEYED)
    standing = dict.fromkeys(made.by_key, StoredState("hash", {}))

    assert refusal(made, standing, {"JUDGE_KEY": "b"}) is None


def test_no_key_is_needed_where_everything_is_measured() -> None:
    made = plan(**KEYED)
    judged = {judge.configuration: PanelVerdict(judge.label, {}, "") for judge in made.panel}

    assert refusal(made, dict.fromkeys(made.by_key, StoredState("hash", judged)), {}) is None


def test_only_the_trials_that_are_asked_for_count() -> None:
    made = plan(**KEYED)
    key, _ = one(made)

    refuse_missing_keys(made, [], {}, dict)
    with pytest.raises(BadInput):
        refuse_missing_keys(made, [key], {}, dict)


def test_the_store_is_looked_up_only_where_a_key_is_missing() -> None:
    made = plan(**KEYED)

    refuse_missing_keys(made, made.by_key, BOTH, lambda: pytest.fail("nobody needs the store"))
