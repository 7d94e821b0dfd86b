"""Read-ahead: trials run in the background, longest chain first; a case waits for its own and never loses a record."""

import gc
import os
import threading
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import CancelledError

import pytest
from answering_client import AnsweringClient, make_tasks, verdict_for

from independence_bench.chat.failures import CallFailed
from independence_bench.chat.request import ChatRequest
from independence_bench.engine import Engine, Task
from independence_bench.trial import TrialRecord


def engine_with(client: AnsweringClient, attempts: int = 1) -> tuple[Engine, list[TrialRecord]]:
    records: list[TrialRecord] = []
    return Engine(lambda: client, records.extend, attempts), records  # type: ignore[arg-type,return-value]


def test_every_trial_is_conducted_and_each_record_is_handed_over_before_its_waiter_hears(all_tasks: list[Task]) -> None:
    engine, records = engine_with(AnsweringClient())
    engine.start(all_tasks)
    try:
        for task in all_tasks:
            result = engine.result(task.key, timeout=10)
            assert result in records
        assert (engine.started, engine.done, len(records)) == (15, 15, 15)
    finally:
        engine.close()


def test_a_session_that_is_to_end_finishes_what_has_begun_or_is_waited_for_and_nothing_else(
    all_tasks: list[Task],
) -> None:
    waited_for, begun, *others = all_tasks
    engine, records = engine_with(AnsweringClient(seconds=0.05))
    engine.start(all_tasks)
    running = engine._running
    running[waited_for.key].priority.hurried = running[begun.key].priority.started = True
    assert not engine.idle
    engine.begin_nothing()
    keys = [engine.result(task.key, timeout=10).key for task in (waited_for, begun)]
    for task in others:
        with pytest.raises(CancelledError):
            engine.result(task.key, timeout=10)
    while not engine.idle:
        time.sleep(0.001)
    engine.close()
    finished = [record.key for record in records if record.verdicts]
    assert sorted(keys) == sorted(finished)


def test_the_longest_chain_starts_first(all_tasks: list[Task]) -> None:
    client = AnsweringClient(seconds=0.01)
    engine, _ = engine_with(client)
    engine.start(all_tasks)
    for task in all_tasks:
        engine.result(task.key, timeout=10)
    engine.close()
    assert client.requests[0].messages[-1]["content"] == make_tasks(["psych"])[0].spec.scenario.turns[0]


@pytest.mark.slow
def test_a_case_that_waits_makes_its_trial_jump_the_queue(all_tasks: list[Task]) -> None:
    client = AnsweringClient(seconds=0.5)
    engine, _ = engine_with(client)
    engine.start(all_tasks)
    shortest = make_tasks(["direct"])[0]
    engine.result(shortest.key, timeout=10)
    engine.close()
    assert client.hurried


def test_waiting_has_a_timeout_that_loses_nothing(all_tasks: list[Task]) -> None:
    engine, records = engine_with(AnsweringClient(seconds=0.1))
    engine.start(all_tasks[:1])
    with pytest.raises(TimeoutError):
        engine.result(all_tasks[0].key, timeout=0.01)
    engine.result(all_tasks[0].key, timeout=10)
    engine.close()
    assert len(records) == 1


def test_closing_ends_what_is_in_flight_and_keeps_whole_transcripts() -> None:
    judging = threading.Event()

    def answer(request: ChatRequest) -> str:
        return "I am someone."

    class SlowJudge(AnsweringClient):
        async def ask(self, request: ChatRequest, place: object, last_look: object = None) -> object:  # type: ignore[override]
            if request.response_format:
                judging.set()
                self.seconds = 60
            return await super().ask(request, place)  # type: ignore[arg-type]

    client = SlowJudge(answer)
    engine, records = engine_with(client)
    (task,) = make_tasks(["direct"])
    engine.start([task])
    assert judging.wait(10)
    started = time.monotonic()
    engine.close()
    assert time.monotonic() - started < 5
    assert client.closed
    (record,) = records
    assert record.transcript is not None
    assert not record.verdicts
    with pytest.raises(CancelledError):
        engine.result(task.key, timeout=1)


def test_a_conversation_cut_short_by_closing_is_not_kept(all_tasks: list[Task]) -> None:
    engine, records = engine_with(AnsweringClient(seconds=60))
    engine.start(all_tasks)
    time.sleep(0.05)
    engine.close()
    assert not records


@pytest.mark.parametrize(
    ("fault", "reported"), [(ZeroDivisionError("ours"), ZeroDivisionError), (TimeoutError("ours"), RuntimeError)]
)
def test_a_fault_of_our_own_reaches_the_case_instead_of_hanging_it(
    all_tasks: list[Task], fault: Exception, reported: type[Exception]
) -> None:
    engine, _ = engine_with(AnsweringClient(lambda request: fault))
    engine.start(all_tasks[:1])
    with pytest.raises(reported, match="ours"):
        engine.result(all_tasks[0].key, timeout=10)
    engine.close()


@pytest.mark.parametrize(
    "error", [OSError("too big"), SystemExit("too big"), TimeoutError("too big"), StopIteration("too big")]
)
def test_trials_that_end_together_are_handed_over_together_and_one_that_cannot_be_fails_alone(
    all_tasks: list[Task], error: BaseException
) -> None:
    stored: list[str] = []
    sizes: list[int] = []
    bad = all_tasks[3].key

    def one_is_refused(records: Sequence[TrialRecord]) -> None:
        sizes.append(len(records))
        if bad in {record.key for record in records}:
            raise error
        stored.extend(record.key for record in records)

    engine = Engine(lambda: AnsweringClient(), one_is_refused)  # type: ignore[arg-type,return-value]
    engine.start(all_tasks)
    for task in all_tasks:
        if task.key == bad:
            with pytest.raises(Exception, match="too big"):
                engine.result(task.key, timeout=10)
        else:
            assert engine.result(task.key, timeout=10).key == task.key
    engine.close()
    assert sorted(stored) == sorted(task.key for task in all_tasks if task.key != bad), "each once"
    assert max(sizes) > 1


def test_an_engine_that_was_never_started_closes_and_has_spent_nothing() -> None:
    engine, _ = engine_with(AnsweringClient())
    engine.start([])
    engine.close()
    assert (engine.pace.in_flight, engine.pace.spent_usd, engine.knows("x")) == (0, 0.0, False)


def test_a_client_that_cannot_be_made_fails_the_cases_instead_of_hanging_them(all_tasks: list[Task]) -> None:
    def no_client() -> AnsweringClient:
        raise ImportError("a library is missing")

    engine = Engine(no_client, lambda records: None)  # type: ignore[arg-type]
    engine.start(all_tasks)
    with pytest.raises(ImportError, match="a library is missing"):
        engine.result(all_tasks[0].key, timeout=5)
    engine.close()


def test_a_transcript_whose_judging_takes_long_is_handed_over_before_its_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("independence_bench.engine.ahead.JUDGING_S", 0.02)

    class SlowJudge(AnsweringClient):
        async def ask(self, request: ChatRequest, place: object, last_look: object = None) -> object:  # type: ignore[override]
            self.seconds = 0.3 if request.response_format else 0.0
            return await super().ask(request, place)  # type: ignore[arg-type]

    engine, records = engine_with(SlowJudge())
    (task,) = make_tasks(["direct"])
    engine.start([task])
    engine.result(task.key, timeout=10)
    engine.close()
    early, final = records
    assert early.transcript == final.transcript
    assert (len(early.verdicts), len(final.verdicts)) == (0, 1)


def test_a_verdict_that_stands_from_an_earlier_session_is_not_asked_again() -> None:
    (task,) = make_tasks(["direct"])
    first, records = engine_with(AnsweringClient())
    first.start([task])
    first.result(task.key, timeout=10)
    first.close()
    (stored,) = records[0].verdicts
    client = AnsweringClient()
    second = Engine(lambda: client, lambda records: None, known_verdict={stored.key: stored}.get)  # type: ignore[arg-type,return-value]
    second.start([task])
    record = second.result(task.key, timeout=10)
    second.close()
    assert (record.verdicts, record.shared) == ((stored,), (stored.key,))
    assert not any(request.response_format for request in client.requests)


def test_an_attempt_that_was_never_made_has_the_record_of_the_one_that_measured() -> None:
    (task,) = make_tasks(["direct"])
    client = AnsweringClient()
    engine = Engine(lambda: client, lambda records: None, attempts=3)  # type: ignore[arg-type,return-value]
    engine.start([task])
    records = [engine.result(task.key, timeout=10, attempt=attempt) for attempt in (1, 2, 3, 4)]
    engine.close()
    assert records == [records[0]] * 4
    assert client.calls == 2


def test_the_next_attempt_is_made_at_once_and_not_when_its_case_comes() -> None:
    down = iter([True, False])

    def answer(request: ChatRequest) -> "str | BaseException":
        if request.response_format:
            return verdict_for(request)
        return CallFailed("down", attempts=1) if next(down) else "I am someone."

    (task,) = make_tasks(["direct"])
    engine, records = engine_with(AnsweringClient(answer), attempts=2)
    engine.start([task])
    assert engine.result(task.key, timeout=10).failures
    until = time.monotonic() + 10
    while len(records) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    engine.close()
    assert [bool(record.failures) for record in records] == [True, False]


def test_a_case_that_need_not_wait_lets_a_busy_engine_go_on_for_a_while(all_tasks: list[Task]) -> None:
    busy = threading.Event()

    def work(request: ChatRequest) -> str:
        if busy.is_set():
            time.sleep(0.005)  # the loop has work of its own and no moment for anybody else
        return verdict_for(request) if request.response_format else "I am someone."

    client = AnsweringClient(work)
    engine, _ = engine_with(client)
    (direct,) = make_tasks(["direct"])
    engine.start([direct])
    first = engine.result(direct.key, timeout=10)
    asked = client.calls
    busy.set()
    engine.start([task for task in all_tasks if task.key != direct.key])
    try:
        while client.calls == asked:
            time.sleep(0.001)
        asked = client.calls
        assert engine.result(direct.key) == first
        assert client.calls > asked
    finally:
        engine.close()


def test_a_record_that_cannot_be_stored_is_counted_and_ends_no_task_unheard(
    all_tasks: list[Task], caplog: pytest.LogCaptureFixture
) -> None:
    def full(records: Sequence[TrialRecord]) -> None:
        raise OSError("disk full")

    engine = Engine(lambda: AnsweringClient(), full)  # type: ignore[arg-type,return-value]
    engine.start(all_tasks[:3])
    for task in all_tasks[:3]:
        with pytest.raises(OSError, match="disk full"):
            engine.result(task.key, timeout=10)
    assert (engine.started, engine.done) == (3, 3)
    engine.close()
    gc.collect()
    assert not caplog.records


@pytest.mark.parametrize("error", [OSError("disk full"), TimeoutError("locked")])
def test_a_record_that_cannot_be_stored_is_told_at_the_end_where_no_case_has_waited_for_it(
    all_tasks: list[Task], error: Exception
) -> None:
    handed = threading.Event()

    def full(records: Sequence[TrialRecord]) -> None:
        handed.set()
        raise error

    client = AnsweringClient()
    engine = Engine(lambda: client, full)  # type: ignore[arg-type,return-value]
    engine.start(all_tasks[:1])
    assert handed.wait(10)
    with pytest.raises(Exception, match=str(error)):
        engine.close()
    assert client.closed
    engine.close()


def test_a_whole_transcript_that_cannot_be_stored_before_its_judging_ends_is_told_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("independence_bench.engine.ahead.JUDGING_S", 0.0)
    handed: list[TrialRecord] = []

    def first_is_lost(records: Sequence[TrialRecord]) -> None:
        handed.extend(records)
        if not records[0].verdicts:
            raise OSError("disk full")

    class SlowJudge(AnsweringClient):
        async def ask(self, request: ChatRequest, place: object, last_look: object = None) -> object:  # type: ignore[override]
            self.seconds = 0.1 if request.response_format else 0.0
            return await super().ask(request, place)  # type: ignore[arg-type]

    engine = Engine(lambda: SlowJudge(), first_is_lost)  # type: ignore[arg-type,return-value]
    (task,) = make_tasks(["direct"])
    engine.start([task])
    assert engine.result(task.key, timeout=10).verdicts
    assert len(handed) == 2
    with pytest.raises(OSError, match="disk full"):
        engine.close()


def test_a_fault_while_judging_leaves_the_whole_transcript_in_hand() -> None:
    def answer(request: ChatRequest) -> str | Exception:
        return ZeroDivisionError("ours") if request.response_format else "I am someone."

    engine, records = engine_with(AnsweringClient(answer))
    (task,) = make_tasks(["direct"])
    engine.start([task])
    with pytest.raises(ZeroDivisionError):
        engine.result(task.key, timeout=10)
    engine.close()
    (record,) = records
    assert record.transcript is not None
    assert not record.verdicts


def test_a_released_trial_stays_known_and_nothing_of_its_conversation_is_kept() -> None:
    kept: list[weakref.ref[object]] = []
    engine = Engine(lambda: AnsweringClient(), lambda records: None)  # type: ignore[arg-type,return-value]
    tasks = make_tasks(["direct", "psych"])
    gc.disable()  # a full collection comes after minutes: what is over must not wait for it
    engine.start(tasks)
    for task in tasks:
        record = engine.result(task.key, timeout=10)
        kept.append(weakref.ref(record.transcript))
    del record
    first, *others = tasks
    engine.release(first.key)
    while engine.done < engine.started:
        time.sleep(0.001)
    gc.enable()
    assert [each() is None for each in kept] == [True, *(False for _ in others)]
    assert engine.knows(first.key)
    with pytest.raises(KeyError):
        engine.result(first.key)
    engine.close()


@pytest.mark.parametrize("leaves", [SystemExit, KeyboardInterrupt])
def test_what_would_end_the_engines_thread_fails_its_trial_alone_and_nothing_waits_for_ever(
    all_tasks: list[Task], leaves: type[BaseException]
) -> None:
    leaving = iter([leaves(0)])
    client = AnsweringClient()
    usual = client.answer
    client.answer = lambda request: next(leaving, None) or usual(request)
    engine, records = engine_with(client)
    engine.start(all_tasks[:3])
    assert engine._loop is not None
    engine._loop.set_exception_handler(lambda loop, context: None)  # which would print it
    ends: list[object] = []
    for task in all_tasks[:3]:
        try:
            ends.append(engine.result(task.key, timeout=10).key)
        except RuntimeError as error:
            ends.append(error.__cause__)
    engine.close()
    assert [type(end) for end in ends].count(leaves) == 1 and len(records) == 2


def test_a_loop_that_breaks_fails_all_trials_and_later_ones(all_tasks: list[Task]) -> None:
    client = AnsweringClient(seconds=60)
    engine, _ = engine_with(client)
    engine.start(all_tasks[:1])
    while not client.requests:
        time.sleep(0.001)
    loop = engine._loop
    assert loop is not None
    loop.set_exception_handler(lambda loop, context: None)  # which would print what was pending
    loop.call_soon_threadsafe(setattr, loop, "_run_once", lambda: os.close(-1))  # as where its selector was closed
    with pytest.raises(RuntimeError, match="Bad file descriptor"):
        engine.result(all_tasks[0].key, timeout=10)
    engine.start(all_tasks[1:2])
    with pytest.raises(RuntimeError, match="Bad file descriptor"):
        engine.result(all_tasks[1].key, timeout=10)
    assert engine.idle
    engine.close()
