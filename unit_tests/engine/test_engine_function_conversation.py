"""The conversation of a Python scenario: each answer is handed over at once, and one that is kept is not asked for again."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from answering_client import AnsweringClient, make_tasks

from independence_bench.engine import Engine, FunctionConversation, Task
from independence_bench.kinds.scripted_conversations import ScriptedConversations
from independence_bench.spec import FunctionScript, ScenarioFunction
from independence_bench.trial import Checks, TrialRecord

FUNCTION = ScenarioFunction(name="test_it", source="d", max_calls=2)


def python_scenario(kept: FunctionConversation | None = None) -> Task:
    """A trial of at most two turns, which has the answers of an earlier attempt."""
    (task,) = make_tasks(["creativity"])
    script = FunctionScript(**dict(task.spec.script) | {"turns": ()}, function=FUNCTION)
    spec = replace(task.spec, cell=replace(task.spec.cell, script=script))
    return Task(spec, "t1", task.judges, conversation=FunctionConversation(kept.answers if kept else {}))


def conducted(task: Task, lead: Callable[[FunctionConversation], None]) -> tuple[AnsweringClient, list[TrialRecord]]:
    """Let a function lead a trial; return what was asked and every record that was handed over."""
    client, records = AnsweringClient(), list[TrialRecord]()
    engine = Engine(lambda: client, records.extend, attempts=3)  # type: ignore[arg-type, return-value]
    try:
        engine.start([task])
        assert task.conversation is not None
        lead(task.conversation)
        assert engine.result("t1", timeout=10) is records[-1]
    finally:
        engine.close()
    return client, records


def both(conversation: FunctionConversation) -> None:
    for turn in ("one", "two"):
        assert conversation.say(turn).result(10).answer == "I am someone."
    conversation.end(Checks(held=False, reason="it gave in"))


def test_each_answer_is_handed_over_before_the_next_turn_and_judges_read_the_whole() -> None:
    client, records = conducted(python_scenario(), both)

    assert [len(record.answers) for record in records] == [1, 1, 0]
    whole = records[-1].transcript
    assert whole is not None
    assert [(each.after, each.asked) for each in whole.exchanges] == [(None, "one"), (0, "two")]
    assert whole.checks == Checks(held=False, reason="it gave in")
    assert (len(client.requests), len(records[-1].verdicts)) == (3, 1)


def test_what_is_asked_as_before_is_answered_as_before_and_what_is_asked_otherwise_is_asked() -> None:
    first = python_scenario()
    conducted(first, lambda conversation: [conversation.say("one").result(10), conversation.break_off("it broke")])

    def otherwise(conversation: FunctionConversation) -> None:
        conversation.say("one").result(10)
        conversation.say("three").result(10)
        conversation.end(Checks(held=True))

    client, records = conducted(python_scenario(first.conversation), otherwise)

    assert [request.messages[-1]["content"] for request in client.requests[:-1]] == ["three"]
    assert records[-1].transcript is not None


@pytest.mark.parametrize(
    ("lead", "told"),
    [
        (lambda it: [it.say(turn) for turn in "1"] and it.break_off("its function broke"), "its function broke"),
        (lambda it: it.end(Checks(held=True)), "without asking the model anything"),
        (lambda it: it.consult(), "asks for a verdict before anything was said"),
        (lambda it: [it.say("1").result(10), it.say("2").result(10), it.say("3")], "more than the 2 answers"),
    ],
)
def test_a_function_that_breaks_leaves_no_transcript_and_one_failure(
    lead: Callable[[FunctionConversation], None], told: str
) -> None:
    task = python_scenario()

    def waiting(conversation: FunctionConversation) -> None:
        lead(conversation)

    _, records = conducted(task, waiting)

    assert records[-1].transcript is None
    (failure,) = records[-1].failures
    assert (failure.kind, told in failure.message) == ("function", True)
    assert failure.usage.cost_usd == 0.0  # its answers are kept
    assert task.conversation is not None
    assert task.conversation.say("on").cancelled()


def test_the_key_of_its_trial_holds_the_function_and_not_where_its_file_is() -> None:
    script = python_scenario().spec.script
    elsewhere = python_scenario().spec.script.model_copy(
        update={"function": FUNCTION.model_copy(update={"source": "e"})}
    )
    content = ScriptedConversations().content
    model = python_scenario().spec.model

    assert content(model, script) != content(model, elsewhere)
    assert script.calls == python_scenario().spec.script.chain_in(1) == 2
    assert python_scenario().chain == 2 + len(python_scenario().judges)
    assert len(list(ScriptedConversations().call_sizes(model, script, 1, 100.0))) == 2
