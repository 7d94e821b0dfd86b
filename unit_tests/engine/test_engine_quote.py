"""What a trial is held for before it begins."""

from dataclasses import replace

import pytest
from answering_client import make_tasks

from independence_bench.chat.budget import Budget
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import Price
from independence_bench.chat.sizes import AnswerLengths
from independence_bench.engine import Task
from independence_bench.engine.quote import quote
from independence_bench.spec import Model
from independence_bench.trial import Exchange, Reply, Transcript, Usage


def paid(task: Task, price_in: float = 0.0, price_out: float = 0.0, judge_out: float = 0.0) -> Task:
    """The task with prices of its own, per million tokens."""

    def priced(model: Model, out: float) -> Model:
        return model.model_copy(update={"price_in": price_in, "price_out": out})

    spec = replace(task.spec, model=priced(task.spec.model, price_out))
    return Task(spec, task.key, tuple(priced(judge, judge_out) for judge in task.judges), task.transcript)


def usd(task: Task, lengths: AnswerLengths | None = None) -> float:
    payments = Payments(Budget(1.0), Price(0, 0))
    return quote(task.spec, task.judges, task.transcript, payments, lengths or AnswerLengths())


PSYCH = make_tasks(["psych"])[0]
TURNS = len(PSYCH.spec.script.turns)


def test_it_holds_likely_answers_and_one_of_full_length() -> None:
    assert usd(paid(PSYCH, price_out=1e6)) == pytest.approx((TURNS - 1) * 350 + 2048)


def test_once_answers_are_known_it_holds_their_usual_length() -> None:
    task, lengths = paid(PSYCH, price_out=1e6), AnswerLengths()
    lengths.add(task.spec.model, Usage(completion_tokens=1000))
    assert usd(task, lengths) == pytest.approx((TURNS - 1) * 1000 + 2048)


def test_judges_are_asked_together_so_the_worst_of_all_is_held() -> None:
    panel = make_tasks(["psych"], judges=("local/j", "local/k", "offline/lexical"))[0]
    assert usd(paid(panel, judge_out=1e6)) == pytest.approx(2 * 1024)


def test_prompts_grow_with_what_was_said_before() -> None:
    one, five = (usd(paid(task, price_in=1.0)) for task in make_tasks(["direct", "psych"]))
    assert five > 3 * one


def test_a_stored_transcript_costs_its_judging_alone() -> None:
    script = PSYCH.spec.script
    said = Transcript(
        delivery_mode=script.delivery_mode, system=script.system, start=script.start, greeting=script.greeting,
        opening=script.opening, exchanges=(Exchange(after=None, asked="Who?", reply=Reply(answer="I. " * 1000)),),
    )  # fmt: skip
    judged = Task(PSYCH.spec, PSYCH.key, PSYCH.judges, said)
    assert usd(paid(judged, price_out=1e6, judge_out=1e6)) == 1024
    assert usd(paid(judged, price_in=1e6)) > 1500


def test_embedded_models_and_judges_need_nothing() -> None:
    (task,) = make_tasks(["direct"], model="offline/mirror", judges=("offline/lexical",))
    assert usd(task) == 0.0
