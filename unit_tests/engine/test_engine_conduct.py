"""One trial: turns in order, every judge after them, and an honest record whatever happens on the way."""

import asyncio

import pytest
from answering_client import AnsweringClient, make_tasks, verdict_for

from independence_bench.chat.budget import Budget
from independence_bench.chat.failures import CallFailed
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import Price
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.sizes import AnswerLengths
from independence_bench.chat.throttle import Priority
from independence_bench.engine.conduct import Conductor, Progress, Task, record_of
from independence_bench.engine.shared_verdicts import SharedVerdicts
from independence_bench.trial import Reply, TrialRecord, Usage


def conducted(client: AnsweringClient, task: Task) -> TrialRecord:
    progress = Progress()
    asyncio.run(Conductor(client).conduct(task, Priority(order=0), progress))
    return record_of(task, progress)


def failing(when: str, error: Exception) -> AnsweringClient:
    """Answer until the human's text contains ``when``; ``judge`` fails the judge."""

    def answer(request: ChatRequest) -> str | Exception:
        if request.response_format:
            return error if when == "judge" else verdict_for(request)
        return error if when in str(request.messages[-1]["content"]) else "I am someone."

    return AnsweringClient(answer)


def test_a_chain_is_asked_turn_by_turn_and_judged_once_at_its_end() -> None:
    (task,) = make_tasks(["psych"])
    client = AnsweringClient()
    record = conducted(client, task)
    assert [bool(request.response_format) for request in client.requests] == [False] * 5 + [True]
    lengths = [len(request.messages) for request in client.requests[:5]]
    assert lengths == sorted(set(lengths))
    assert record.transcript is not None
    assert [exchange.after for exchange in record.transcript.exchanges] == [None, 0, 1, 2, 3]
    assert [exchange.asked for exchange in record.transcript.exchanges] == list(task.spec.scenario.turns)
    assert record.verdicts[0].transcript_hash == record.transcript.hash
    assert not record.failures


def test_the_request_carries_model_run_and_tool_and_is_of_speech() -> None:
    (task,) = make_tasks(["direct"])
    client = AnsweringClient()
    conducted(client, task)
    asked = client.requests[0]
    assert (asked.model, asked.run, asked.speech, asked.tool) == (
        task.spec.model, 1, True, task.spec.script.tool,
    )  # fmt: skip


def test_a_stored_transcript_is_judged_and_never_generated_again() -> None:
    (task,) = make_tasks(["direct"])
    transcript = conducted(AnsweringClient(), task).transcript
    client = AnsweringClient()
    record = conducted(client, Task(spec=task.spec, key=task.key, judges=task.judges, transcript=transcript))
    assert len(client.requests) == 1
    assert client.requests[0].response_format
    assert (record.generated, record.transcript) == (False, transcript)


def test_a_conversation_broken_off_midway_is_not_kept_but_its_cost_is() -> None:
    (task,) = make_tasks(["negotiation"])
    second_turn = task.spec.scenario.turns[1][:40]
    spent = Usage(prompt_tokens=1, cost_usd=0.5)
    record = conducted(failing(second_turn, CallFailed("HTTP 500", spent, 5)), task)
    assert record.transcript is None
    (failure,) = record.failures
    assert (failure.kind, failure.message, failure.attempts) == ("endpoint", "HTTP 500", 6)
    assert failure.usage.cost_usd == pytest.approx(0.501)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (CallFailed("down"), "endpoint"),
        (CallFailed("nothing to judge", kind="empty"), "empty"),
        (CallFailed("no tools", kind="unsupported"), "unsupported"),
    ],
)
def test_each_way_of_failing_has_its_own_kind(error: Exception, kind: str) -> None:
    (task,) = make_tasks(["direct"])
    assert conducted(failing("", error), task).failures[0].kind == kind


def test_a_judge_that_fails_leaves_the_transcript_alone_to_be_judged_later() -> None:
    (task,) = make_tasks(["direct"])
    record = conducted(failing("judge", CallFailed("down", attempts=5)), task)
    assert record.transcript is not None
    assert not record.verdicts
    assert (record.failures[0].kind, record.failures[0].judge) == ("judge_endpoint", "local/j")


def test_every_judge_of_a_panel_reads_the_same_and_one_failing_does_not_lose_the_others() -> None:
    (task,) = make_tasks(["direct"], judges=["local/a", "local/b", "local/c"])

    def answer(request: ChatRequest) -> str | Exception:
        if request.model.id == "local/b":
            return CallFailed("down")
        return verdict_for(request) if request.response_format else "I am someone."

    client = AnsweringClient(answer)
    record = conducted(client, task)
    assert [verdict.judge for verdict in record.verdicts] == ["local/a", "local/c"]
    assert [failure.judge for failure in record.failures] == ["local/b"]
    prompts = {str(request.messages) for request in client.requests[1:]}
    assert len(prompts) == 1


def test_nothing_is_generated_that_no_judge_can_read() -> None:
    (task,) = make_tasks(["direct"])
    client = AnsweringClient()
    client.no_longer_asked["local/j"] = CallFailed("HTTP 401: wrong key", attempts=3, permanent=True)
    record = conducted(client, task)
    assert (client.requests, record.transcript) == ([], None)
    (failure,) = record.failures
    assert (failure.kind, failure.message, failure.attempts) == (
        "judge_endpoint",
        "judge local/j: HTTP 401: wrong key",
        0,
    )


def test_every_call_of_a_trial_is_told_how_much_of_the_trials_time_is_left() -> None:
    (task,) = make_tasks(["psych"])
    turns = len(task.spec.script.turns)
    slow = AnsweringClient(
        lambda request: Reply(answer=verdict_for(request) if request.response_format else "Slowly.", seconds=100.0)
    )
    conducted(slow, task)
    left = [request.time.left_s for request in slow.requests if request.time]
    assert left == [1800.0 - 100 * asked for asked in range(turns + 1)]
    assert {request.time.total_s for request in slow.requests if request.time} == {1800.0}


def test_the_repair_of_a_verdict_has_the_time_that_the_first_reply_left() -> None:
    (task,) = make_tasks(["creativity"])
    slow = AnsweringClient(lambda request: Reply(answer="no verdict", seconds=100.0))
    conducted(slow, task)
    assert [request.time.left_s for request in slow.requests if request.time][-2:] == [1600.0, 1500.0]


def test_a_stored_transcript_is_judged_in_a_time_of_its_own() -> None:
    (task,) = make_tasks(["creativity"])
    first = conducted(AnsweringClient(lambda request: Reply(answer="Slowly.", seconds=900.0)), task)
    client = AnsweringClient()
    conducted(client, task.after(first))
    assert [request.time.left_s for request in client.requests if request.time] == [1800.0]


def test_the_record_names_everything_the_store_files_it_under() -> None:
    (task,) = make_tasks(["creativity"])
    record = conducted(AnsweringClient(), task)
    spec = task.spec
    assert (record.key, record.label, record.configuration) == (task.key, "local/m", spec.model.configuration)
    assert (record.experiment, record.scenario, record.run) == ("stability", "creativity", 1)
    assert record.script_digest == spec.script.digest
    assert record.transcript_at > 0


def test_equal_conversations_are_judged_once_and_paid_once() -> None:
    (task,) = make_tasks(["direct"])
    twin = Task(spec=task.spec, key="another run of the same", judges=task.judges)
    client = AnsweringClient(seconds=0.01)
    shared, first, second = SharedVerdicts(), Progress(), Progress()

    async def both() -> None:
        await asyncio.gather(
            Conductor(client, shared=shared).conduct(task, Priority(order=0), first),  # type: ignore[arg-type]
            Conductor(client, shared=shared).conduct(twin, Priority(order=1), second),  # type: ignore[arg-type]
        )

    asyncio.run(both())
    assert sum(bool(request.response_format) for request in client.requests) == 1
    records = [record_of(task, first), record_of(twin, second)]
    assert records[0].verdicts == records[1].verdicts
    assert sorted(len(record.shared) for record in records) == [0, 1]


def test_a_trial_that_waits_for_the_verdict_on_its_twin_makes_room_for_a_new_one() -> None:
    (task,) = make_tasks(["direct"])
    twin = Task(spec=task.spec, key="another run of the same", judges=task.judges)
    freed: list[str] = []
    room = asyncio.Event()

    class JudgeThatWaits(AnsweringClient):
        async def ask(self, request: ChatRequest, place: Priority, last_look: object = None) -> Reply:  # type: ignore[override]
            if request.response_format:
                await asyncio.wait_for(room.wait(), 10)
                freed.append("judged")
            return await super().ask(request, place)

    async def both() -> None:
        client, shared, first, second = JudgeThatWaits(), SharedVerdicts(), Priority(order=0), Priority(order=1)
        first.on_finish = lambda: freed.append("first")
        second.on_finish = lambda: (freed.append("second"), room.set())[0]
        with first, second:
            await asyncio.gather(
                Conductor(client, shared=shared).conduct(task, first, Progress()),  # type: ignore[arg-type]
                Conductor(client, shared=shared).conduct(twin, second, Progress()),  # type: ignore[arg-type]
            )

    asyncio.run(both())
    assert freed == ["second", "judged", "first"]


def test_a_judge_that_failed_for_one_conversation_fails_for_its_twin_without_a_second_bill() -> None:
    (task,) = make_tasks(["direct"])
    twin = Task(spec=task.spec, key="another run of the same", judges=task.judges)
    client = failing("judge", CallFailed("down", Usage(cost_usd=0.5), 5))
    client.seconds = 0.01
    shared, first, second = SharedVerdicts(), Progress(), Progress()

    async def both() -> None:
        await asyncio.gather(
            Conductor(client, shared=shared).conduct(task, Priority(order=0), first),  # type: ignore[arg-type]
            Conductor(client, shared=shared).conduct(twin, Priority(order=1), second),  # type: ignore[arg-type]
        )

    asyncio.run(both())
    failures = [*first.failures, *second.failures]
    assert sorted(failure.usage.cost_usd or 0 for failure in failures) == [0.0, 0.5]
    assert not shared.asked


def test_where_one_judge_raises_something_unexpected_the_others_end_while_the_trial_has_its_money() -> None:
    (task,) = make_tasks(["direct"], judges=["local/a", "local/b", "local/c"])
    held: list[bool] = []

    class Judges(AnsweringClient):
        async def ask(self, request: ChatRequest, place: Priority, last_look: object = None) -> Reply:  # type: ignore[override]
            if request.model.id == "local/a" and request.response_format:
                raise ZeroDivisionError("ours")
            reply = await super().ask(request, place)
            held.append(place.reservation is not None)
            return reply

    progress = Progress()
    payments = Payments(Budget(10.0), Price(0.1, 0.1))
    client = Judges(seconds=0.01)
    client.lengths = AnswerLengths()  # type: ignore[attr-defined]

    async def panel() -> None:
        shared = SharedVerdicts()
        with pytest.raises(ZeroDivisionError):
            await Conductor(client, shared=shared, payments=payments).conduct(task, Priority(order=0), progress)  # type: ignore[arg-type]
        assert not [verdict for verdict in shared.asked.values() if not verdict.done()]

    asyncio.run(panel())
    assert sorted(verdict.judge for verdict in progress.verdicts) == ["local/b", "local/c"]
    assert held == [True] * 3


def test_after_an_unexpected_error_an_equal_conversation_is_judged_anew() -> None:
    (task,) = make_tasks(["direct"])
    errors = [ZeroDivisionError("ours")]

    def answer(request: ChatRequest) -> str | Exception:
        if request.response_format and errors:
            return errors.pop()
        return verdict_for(request) if request.response_format else "I am someone."

    client, shared, second = AnsweringClient(answer), SharedVerdicts(), Progress()

    async def one_after_the_other() -> None:
        with pytest.raises(ZeroDivisionError):
            await Conductor(client, shared=shared).conduct(task, Priority(order=0), Progress())  # type: ignore[arg-type]
        await Conductor(client, shared=shared).conduct(task, Priority(order=1), second)  # type: ignore[arg-type]

    asyncio.run(one_after_the_other())
    assert second.verdicts
