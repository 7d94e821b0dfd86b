"""What a plan would take: calls counted exactly, money estimated from list prices, unknown prices told as unknown."""

from pathlib import Path

import pytest
from session_samples import one, plan

from independence_bench.session.estimate import ANSWER_TOKENS, VERDICT_TOKENS, estimate
from independence_bench.session.plan import Plan
from independence_bench.session.plan_text import plan_text
from independence_bench.session.standing import Judged, Standing


@pytest.fixture
def priced(tmp_path: Path) -> Plan:
    """A plan of a model and a judge with prices, on an endpoint that is not free."""
    (tmp_path / "endpoints.yaml").write_text("endpoints: [{name: paid, base_url: 'http://127.0.0.1:9/v1'}]")
    (tmp_path / "models.yaml").write_text(
        "models:\n"
        "  - {label: t/a, id: t/a, endpoint: paid, price_in: 0, price_out: 1000}\n"
        "  - {label: t/b, id: t/b, endpoint: paid}\n"
        "  - {label: t/j, id: t/j, endpoint: paid, price_in: 0, price_out: 2000}\n"
    )
    return plan(configs=tmp_path, models=("t/a", "t/b"), judges=("t/j",), endpoint=None, judge_endpoint=None, runs=2)


def of(made: Plan, label: str) -> list[str]:
    return [key for key, spec in made.by_key.items() if spec.model.label == label]


def test_every_trial_and_call_is_counted(priced: Plan) -> None:
    first, second = estimate(priced, {}, list(priced.by_key))

    assert [row.label for row in (first, second)] == ["t/a", "t/b"]
    assert (first.trials, first.measured, first.generation_calls, first.judge_calls) == (30, 0, 52, 30)


def test_a_cost_is_the_assumed_tokens_at_list_price(priced: Plan) -> None:
    (row,) = estimate(priced, {}, of(priced, "t/a"))

    assert row.generation_usd == pytest.approx(52 * ANSWER_TOKENS * 1000 / 1e6)
    assert row.judging_usd == pytest.approx(30 * VERDICT_TOKENS * 2000 / 1e6)


def test_an_unknown_price_is_unknown_and_not_zero(priced: Plan) -> None:
    (row,) = estimate(priced, {}, of(priced, "t/b"))

    assert row.generation_usd is None
    assert row.judging_usd is not None


def test_prompts_cost_too_and_later_turns_cost_more(tmp_path: Path) -> None:
    (tmp_path / "endpoints.yaml").write_text("endpoints: [{name: paid, base_url: 'http://127.0.0.1:9/v1'}]")
    (tmp_path / "models.yaml").write_text(
        "models: [{label: t/a, id: t/a, endpoint: paid, price_in: 1000, price_out: 0}]"
    )
    made = plan(configs=tmp_path, models=("t/a",), judges=("t/a",), endpoint=None, judge_endpoint=None)
    key, spec = one(made, "psych")

    (row,) = estimate(made, {}, [key])

    said_before = sum(len(turn) / 4 * (5 - number) for number, turn in enumerate(spec.script.turns))
    answered_before = ANSWER_TOKENS * (1 + 2 + 3 + 4)
    expected = (5 * len(spec.script.system) / 4 + said_before + answered_before) * 1000 / 1e6
    assert row.generation_usd == pytest.approx(expected)


def test_what_is_free_costs_nothing_even_without_a_price() -> None:
    made = plan(models=("local/x",), judges=("offline/lexical",), endpoint=None, judge_endpoint=None)

    (row,) = estimate(made, {}, list(made.by_key))

    assert (row.generation_usd, row.judging_usd) == (0.0, 0.0)


def test_what_is_measured_is_neither_asked_nor_paid(priced: Plan) -> None:
    keys = of(priced, "t/a")
    judged = {priced.panel[0].configuration: Judged("j", {}, "")}

    (row,) = estimate(priced, dict.fromkeys(keys, Standing("hash", judged)), keys)

    assert (row.measured, row.generation_calls, row.judge_calls) == (30, 0, 0)
    assert (row.generation_usd, row.judging_usd) == (0.0, 0.0)


def test_a_stored_transcript_is_only_judged(priced: Plan) -> None:
    keys = of(priced, "t/a")

    (row,) = estimate(priced, dict.fromkeys(keys, Standing("hash", {})), keys)

    assert (row.measured, row.generation_calls, row.judge_calls, row.generation_usd) == (0, 0, 30, 0.0)


def test_models_without_a_selected_trial_have_no_row(priced: Plan) -> None:
    assert [row.label for row in estimate(priced, {}, of(priced, "t/b"))] == ["t/b"]


# --- as text --------------------------------------------------------------------------------------------------------


def test_the_text_names_edition_runs_judges_and_all_calls(priced: Plan) -> None:
    lines = plan_text(priced, {}, list(priced.by_key)).splitlines()

    assert lines[:2] == ["edition v2, 2 runs, judged by t/j", "60 trials, 164 calls to make"]
    assert lines[-1] == "Nothing was asked and nothing written."


def test_the_text_sums_up_several_models_and_an_unknown_part_makes_the_sum_unknown(priced: Plan) -> None:
    lines = plan_text(priced, {}, list(priced.by_key)).splitlines()

    (everything,) = [line.split() for line in lines if line.startswith("all ")]
    assert everything[1:5] == ["60", "0", "104", "60"]
    assert everything[5] == "unknown"
    assert float(everything[6]) == pytest.approx(18.0)


def test_the_text_of_one_model_has_no_sum(priced: Plan) -> None:
    text = plan_text(priced, {}, of(priced, "t/a"))

    assert not any(line.startswith("all ") for line in text.splitlines())
    assert "18.2000" in text


def test_the_text_of_nothing_says_so(priced: Plan) -> None:
    assert "0 trials, 0 calls to make" in plan_text(priced, {}, [])
