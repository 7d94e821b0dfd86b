"""What a plan would take: calls counted exactly, money estimated from list prices, unknown prices told as unknown."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from session_samples import one, plan, record, settings, transcript, verdict

from independence_bench.chat.prices import Price
from independence_bench.chat.sizes import ANSWER_TOKENS, VERDICT_TOKENS
from independence_bench.session.estimate import (
    THINKING_TOKENS,
    TokenCounts,
    Tokens,
    estimates,
    least_minutes,
    read_token_counts,
    remaining_work,
)
from independence_bench.session.plan import Plan
from independence_bench.session.plan_text import plan_text
from independence_bench.session.recorder import planned_configurations, planned_session
from independence_bench.session.stored_state import PanelVerdict, StoredState, questions_left
from independence_bench.spec import Model
from independence_bench.store import Store
from independence_bench.trial import Usage


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
    first, second, both = estimates(priced, {}, list(priced.by_key))

    assert [row.label for row in (first, second, both)] == ["t/a", "t/b", "all"]
    assert both.generation.calls == first.generation.calls + second.generation.calls
    assert (first.trials, first.measured, first.generation.calls, first.judging.calls) == (30, 0, 52, 30)
    assert (
        sum(calls for *_, calls in questions_left(priced, {}, priced.by_key))
        == both.generation.calls + both.judging.calls
    )


def test_a_cost_is_the_assumed_tokens_at_list_price(priced: Plan) -> None:
    (row,) = estimates(priced, {}, of(priced, "t/a"))

    assert row.generation.usd == pytest.approx(52 * ANSWER_TOKENS * 1000 / 1e6)
    assert row.judging.usd == pytest.approx(30 * VERDICT_TOKENS * 2000 / 1e6)


def test_an_unknown_price_is_unknown_and_not_zero(priced: Plan) -> None:
    (row,) = estimates(priced, {}, of(priced, "t/b"))

    assert row.generation.usd is None
    assert row.judging.usd is not None


def test_prompts_cost_too_and_later_turns_cost_more(tmp_path: Path) -> None:
    (tmp_path / "endpoints.yaml").write_text("endpoints: [{name: paid, base_url: 'http://127.0.0.1:9/v1'}]")
    (tmp_path / "models.yaml").write_text(
        "models: [{label: t/a, id: t/a, endpoint: paid, price_in: 1000, price_out: 0}]"
    )
    made = plan(configs=tmp_path, models=("t/a",), judges=("t/a",), endpoint=None, judge_endpoint=None)
    key, spec = one(made, "psych")

    (row,) = estimates(made, {}, [key])

    said_before = sum(len(turn) / 4 * (5 - number) for number, turn in enumerate(spec.script.turns))
    answered_before = ANSWER_TOKENS * (1 + 2 + 3 + 4)
    texts = (5 * len(spec.script.system) / 4 + said_before + answered_before) * 1000 / 1e6
    assert row.generation.usd is not None
    assert texts < row.generation.usd < 1.5 * texts  # the tool's description and the names of fields are sent too


def test_what_is_free_costs_nothing_even_without_a_price() -> None:
    made = plan(models=("local/x",), judges=("offline/lexical",), endpoint=None, judge_endpoint=None)

    (row,) = estimates(made, {}, list(made.by_key))

    assert (row.generation.usd, row.judging.usd) == (0.0, 0.0)


def test_what_is_measured_is_neither_asked_nor_paid(priced: Plan) -> None:
    keys = of(priced, "t/a")
    judged = {priced.panel[0].configuration: PanelVerdict("j", {}, "")}

    (row,) = estimates(priced, dict.fromkeys(keys, StoredState("hash", judged)), keys)

    assert (row.measured, row.generation.calls, row.judging.calls) == (30, 0, 0)
    assert (row.generation.usd, row.judging.usd) == (0.0, 0.0)


def test_a_stored_transcript_is_only_judged(priced: Plan) -> None:
    keys = of(priced, "t/a")

    (row,) = estimates(priced, dict.fromkeys(keys, StoredState("hash", {})), keys)

    assert (row.measured, row.generation.calls, row.judging.calls, row.generation.usd) == (0, 0, 30, 0.0)


def test_models_without_a_selected_trial_have_no_row(priced: Plan) -> None:
    assert [row.label for row in estimates(priced, {}, of(priced, "t/b"))] == ["t/b"]


# --- as text --------------------------------------------------------------------------------------------------------


def test_the_text_names_edition_runs_judges_and_all_calls(priced: Plan) -> None:
    lines = plan_text(priced, {}, list(priced.by_key)).splitlines()

    assert lines[:2] == ["edition v2, 2 runs, judged by t/j", "60 trials, 164 calls to make"]
    assert lines[-1] == "No request was sent and nothing was written."


def test_the_text_sums_up_several_models_and_an_unknown_part_makes_the_sum_unknown(priced: Plan) -> None:
    lines = plan_text(priced, {}, list(priced.by_key)).splitlines()

    (everything,) = [line.split() for line in lines if line.startswith("all ")]
    assert everything[1:5] == ["60", "0", "104", "60"]
    assert everything[5] == "unknown"
    assert float(everything[6]) == pytest.approx(18.0)


def test_the_text_says_in_a_line_what_its_runs_can_tell(priced: Plan) -> None:
    lines = plan_text(priced, {}, list(priced.by_key), precision="Enough.").splitlines()

    assert lines[-2:] == ["Enough.", "No request was sent and nothing was written."]


def test_the_text_of_one_model_has_no_sum(priced: Plan) -> None:
    text = plan_text(priced, {}, of(priced, "t/a"))

    assert not any(line.startswith("all ") for line in text.splitlines())
    assert "18.2000" in text


def test_the_text_fits_80_columns_and_says_which_calls_need_no_server() -> None:
    models = ("offline/steadfast", "offline/diplomat")
    made = plan(models=models, judges=("offline/lexical",), endpoint=None, judge_endpoint=None)
    text = plan_text(made, {}, list(made.by_key), precision="A long sentence on precision. " * 9, width=80)

    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert "30 trials, 82 calls to make, 82 of them by embedded models, without a server" in flat


def test_the_text_of_nothing_says_so(priced: Plan) -> None:
    assert "0 trials, 0 calls to make" in plan_text(priced, {}, [])


# --- tokens that were measured before ----------------------------------------------------------------------------------


def means(own: dict[str, float] | None = None, others: float | None = None, plan: Plan | None = None) -> TokenCounts:
    """Means of one script: of model configurations, and of all."""
    assert plan is not None
    _, spec = one(plan, "psych")
    of_others = {(None, spec.script.digest): Tokens(0, others, "others")} if others else {}
    return TokenCounts(
        {(name, spec.script.digest): Tokens(0, count, "own") for name, count in (own or {}).items()} | of_others
    )


def test_a_models_own_measurements_come_first_then_others_then_the_assumption(priced: Plan) -> None:
    key, spec = one(priced, "psych")
    configuration = spec.model.configuration
    for counts, tokens, basis in (
        (means({configuration: 9}, 5, priced), 9, "own"),
        (means({"elsewhere": 9}, 5, priced), 5, "others"),
        (TokenCounts(), 5 * ANSWER_TOKENS, "assumed"),
    ):
        (row,) = estimates(priced, {}, [key], counts=counts)
        assert row.generation.usd == pytest.approx(tokens * 1000 / 1e6)
        assert row.generation.basis == {basis}
        assert row.judging.basis == {"assumed"}


def named(model: Model, name: str) -> Model:
    # Not model_copy: that would copy the configuration, which is worked out once.
    return Model(**(model.model_dump() | {"id": name, "label": name}))


def test_the_store_tells_the_means_of_models_that_have_a_price_and_do_not_reason(priced: Plan, tmp_path: Path) -> None:
    _, spec = one(priced, "psych")
    judge = priced.panel[0]
    with Store.open(tmp_path / "trials.sqlite") as store:
        models = {name: named(spec.model, name) for name in ("a", "b", "offline/mirror", "silent", "half")}
        models["toy"] = Model(**(named(spec.model, "toy").model_dump() | {"price_out": None}))
        models["thinker"] = Model(**(named(spec.model, "thinker").model_dump() | {"reasoning_effort": "high"}))
        begun = replace(priced, models=tuple(models.values()))
        store.begin_session(planned_session(settings(), begun), planned_configurations(begun))
        answered = {"a": 100, "b": 300, "offline/mirror": 9000, "silent": 0, "toy": 5, "thinker": 8000, "half": 700}
        for name, tokens in answered.items():
            prompt = 0 if name == "half" else 50  # its server does not count prompts
            usage = Usage(prompt_tokens=prompt, completion_tokens=tokens)
            model = models[name]
            asked = replace(spec, model=model)
            said = transcript(asked, answer=name)
            exchanges = tuple(
                each.model_copy(update={"reply": each.reply.model_copy(update={"usage": usage})})
                for each in said.exchanges
            )
            said = said.model_copy(update={"exchanges": exchanges})
            found = verdict(asked, judge, said).model_copy(
                update={"usage": Usage(prompt_tokens=prompt, completion_tokens=tokens // 10)}
            )
            store.add_all([record(name, asked, said, (found,))], "s")
        counts = read_token_counts(store, priced)
    rubric = spec.scenario.rubric
    assert rubric is not None
    assert counts.of_trial(spec.model, spec.script) == Tokens(5 * 50, 5 * 200, "others")
    judged = [tokens // 10 for name, tokens in answered.items() if tokens // 10 and name != "half"]
    assert counts.of_verdicts(judge, rubric, spec.script).basis == "own"
    assert counts.of_verdicts(judge, rubric, spec.script).completion == pytest.approx(sum(judged) / len(judged))
    assert counts.of_verdicts(spec.model, rubric, spec.script).basis == "others"
    for name in ("offline/mirror", "toy", "thinker"):
        assert counts.of_trial(models[name], spec.script) == Tokens(5 * 50, 5 * answered[name], "own")
    other = Model(**(named(models["thinker"], "other").model_dump()))
    assumed = TokenCounts().of_trial(spec.model, spec.script)
    reasoned = Tokens(assumed.prompt, 5 * (ANSWER_TOKENS + THINKING_TOKENS), "reasoning")
    assert counts.of_trial(other, spec.script) == reasoned
    assert counts.of_verdicts(other, rubric, spec.script).completion == VERDICT_TOKENS + THINKING_TOKENS


def test_the_text_says_what_its_numbers_rest_on(priced: Plan) -> None:
    _, spec = one(priced, "psych")
    text = plan_text(priced, {}, list(priced.by_key), counts=means({spec.model.configuration: 9}, plan=priced))

    assert "The tokens of conversations of t/a rest partly on its own measurements." in text
    assert "The tokens of conversations rest partly on an assumption (350 tokens an answer" in text
    assert "The tokens of verdicts rest on an assumption" in text
    assert "of other models" not in text


# --- budget and limits ----------------------------------------------------------------------------------------------


def told(plan: Plan, keys: list[str], **given: Any) -> str:
    (line,) = [line for line in plan_text(plan, {}, keys, settings(**given)).splitlines() if line.startswith("Budget")]
    return line


def test_the_text_says_whether_the_budget_suffices(priced: Plan) -> None:
    keys = of(priced, "t/a")

    assert told(priced, keys, max_cost=100) == (
        "Budget: 100 US dollars for this session; about 27.2000 are needed: it suffices."
    )
    assert told(priced, keys, max_cost=6.8).endswith("it pays for about 25 %; the next session can continue.")
    assert "Budget" not in plan_text(priced, {}, keys, settings())


def test_a_budget_and_an_unknown_price_are_told_to_be_refused_unless_one_is_assumed(priced: Plan) -> None:
    keys = of(priced, "t/b")

    assert "it will be refused unless --assume-price=IN,OUT is given" in told(priced, keys, max_cost=100)
    assumed = told(priced, keys, max_cost=100, assume_price=Price(0, 1000))
    assert "about 27.2000 are needed, unknown prices as assumed: it suffices" in assumed
    assert "unknown" in plan_text(priced, {}, keys, settings(max_cost=100, assume_price=Price(0, 1000)))


def test_limits_per_minute_say_how_long_it_takes_at_least() -> None:
    slow = plan(requests_per_minute=10)
    assert "With its limits per minute it takes at least 4.1 minutes." in plan_text(slow, {}, list(slow.by_key))
    slower = plan(requests_per_minute=10, tokens_per_minute=1)
    assert least_minutes(remaining_work(slower, {}, slower.by_key)) > 26 * ANSWER_TOKENS
    assert "minutes" not in plan_text(plan(), {}, list(plan().by_key))
