"""Interviews: both sides of the conversation, branches and growing dialogues, answers asked for twice."""

import asyncio
from collections.abc import Callable

import pytest
from answering_client import AnsweringClient

from independence_bench.chat.failures import CallFailed
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.throttle import Priority
from independence_bench.chat.trial_keys import trial_key
from independence_bench.engine.conduct import Conductor, Progress, Task
from independence_bench.kinds.roles.interview import Interview, InterviewQuestion, InterviewScript, Sampling
from independence_bench.spec import Cell, Endpoint, Model, Scenario, TrialSpec
from independence_bench.trial import Exchange

TALK = Sampling(temperature=0.7, max_tokens=100)
ANSWER = Sampling(temperature=0, max_tokens=32)


def question(item: int | None, options: tuple[int, ...] = (2, 1, 3)) -> InterviewQuestion:
    return InterviewQuestion(text=f"question {item}", item=item, options=options)


def task_of(interview: Interview, **model: object) -> Task:
    script = InterviewScript(delivery_mode="user_role", system=interview.system, turns=(), interview=interview)
    scenario = Scenario(id="chess-ada", experiment="roles", title="", claim="", turns=(), rubric=None)
    asked = {"label": "m", "id": "m", "served_id": "m", "endpoint": Endpoint(name="e", base_url="http://e"), **model}
    cell = Cell(scenario=scenario, system_variant="persona", delivery_mode="user_role", script=script)
    spec = TrialSpec("roles", cell, Model.model_validate(asked), run=1)
    return Task(spec=spec, key=trial_key(spec), judges=())


def interview_of(*dialogues: tuple[InterviewQuestion, ...], opening: str | None = "1. e4") -> Interview:
    return Interview(
        system="You are Ada.",
        opening=opening,
        interlocutor="You are Bob.",
        interlocutor_start="Begin.",
        talk=TALK,
        answer=ANSWER,
        dialogues=dialogues,
    )


def conducted(task: Task, answer: Callable[[ChatRequest], "str | BaseException"]) -> tuple[Progress, AnsweringClient]:
    client, progress = AnsweringClient(answer), Progress()
    asyncio.run(Conductor(client).conduct(task, Priority(order=0), progress))  # type: ignore[arg-type]
    return progress, client


def exchanges(progress: Progress) -> tuple[Exchange, ...]:
    assert progress.transcript is not None
    return progress.transcript.exchanges


def texts(request: ChatRequest) -> list[tuple[str, str]]:
    return [(str(message["role"]), str(message["content"])) for message in request.messages]


def said_in_turn(request: ChatRequest) -> str:
    last = str(request.messages[-1]["content"])
    return "(B)" if last.startswith("question") else f"after {last}"


def test_the_model_speaks_for_both_sides_each_from_its_own_view() -> None:
    progress, client = conducted(task_of(interview_of((question(1),))), said_in_turn)
    first, second, third, asked = (texts(request) for request in client.requests)
    assert first == [("system", "You are Ada."), ("user", "1. e4")]
    assert second == [("system", "You are Bob."), ("user", "Begin."), ("assistant", "1. e4"), ("user", "after 1. e4")]
    assert third == [*first, ("assistant", "after 1. e4"), ("user", "after after 1. e4")]
    assert asked == [*third, ("assistant", "after after after 1. e4"), ("user", "question 1")]
    assert [exchange.by_interlocutor for exchange in exchanges(progress)] == [False, True, False, False]
    assert [exchange.after for exchange in exchanges(progress)] == [None, 0, 1, 2]


def test_the_conversation_and_the_answers_have_settings_of_their_own() -> None:
    _, client = conducted(task_of(interview_of((question(1),)), temperature=1.3, max_tokens=2048), said_in_turn)
    asked = [(request.model.sent_temperature, request.model.max_tokens) for request in client.requests]
    assert asked == [(0.7, 100)] * 3 + [(0.0, 32)]


@pytest.mark.parametrize("thinking", [{"thinking": True}, {"reasoning_effort": "low"}, {"reasoning_required": True}])
def test_a_model_that_thinks_keeps_its_own_limit(thinking: dict[str, object]) -> None:
    _, client = conducted(task_of(interview_of((question(1),)), max_tokens=2048, **thinking), said_in_turn)
    assert {request.model.max_tokens for request in client.requests} == {2048}


def test_without_an_opening_the_questions_come_at_once() -> None:
    progress, client = conducted(task_of(interview_of((question(1),), opening=None)), said_in_turn)
    assert [texts(request) for request in client.requests] == [[("system", "You are Ada."), ("user", "question 1")]]
    assert exchanges(progress)[0].after is None


def test_items_branch_from_one_conversation_and_a_survey_grows() -> None:
    progress, client = conducted(
        task_of(interview_of((question(1),), (question(2), question(3)), opening=None)), said_in_turn
    )
    asked = {str(request.messages[-1]["content"]): len(request.messages) for request in client.requests}
    assert asked == {"question 1": 2, "question 2": 2, "question 3": 4}
    assert [(exchange.item, exchange.after) for exchange in exchanges(progress)] == [(1, None), (2, None), (3, 1)]
    assert exchanges(progress)[2].options == (2, 1, 3)


def test_an_answer_that_names_no_option_is_asked_for_once_more_from_the_same_place() -> None:
    answers = iter(["no idea", "(A)", "(A) or (B)", "none of them"])
    progress, client = conducted(
        task_of(interview_of((question(1), question(2)), opening=None)), lambda request: next(answers)
    )
    assert [texts(request)[-1][1] for request in client.requests] == ["question 1"] * 2 + ["question 2"] * 2
    assert [(exchange.item, exchange.after) for exchange in exchanges(progress)] == [(1, None)] * 2 + [(2, 1)] * 2
    # The dialogue grows by the answer that counts.
    assert texts(client.requests[2])[1:3] == [("user", "question 1"), ("assistant", "(A)")]


def test_a_call_that_fails_ends_the_interview_and_every_answer_is_paid_for() -> None:
    def answer(request: ChatRequest) -> "str | BaseException":
        last = str(request.messages[-1]["content"])
        return CallFailed("down", attempts=5) if last == "question 3" else said_in_turn(request)

    task = task_of(interview_of((question(1),), (question(2),), (question(3),)))
    progress, _ = conducted(task, answer)
    assert progress.transcript is None
    (failure,) = progress.failures
    assert (failure.kind, failure.message) == ("endpoint", "down")
    assert failure.attempts == 5 + 5  # three messages and two answers came before it
    assert failure.usage.prompt_tokens == 50


def test_a_key_changes_with_every_text_and_not_with_the_label() -> None:
    base = task_of(interview_of((question(1),)))
    assert task_of(interview_of((question(1),)), label="other").key == base.key
    assert task_of(interview_of((question(2),))).key != base.key
    assert task_of(interview_of((question(1, (1, 2, 3)),))).key != base.key
    assert task_of(interview_of((question(1),)), id="other").key != base.key


def test_calls_and_chain_are_known_before() -> None:
    script = task_of(interview_of((question(1),), (question(2), question(3)))).spec.script
    assert (script.calls, script.chain_in(1)) == (6, 5)
    alone = task_of(interview_of((question(1),), opening=None))
    assert (alone.spec.script.calls, alone.chain) == (1, 1)
