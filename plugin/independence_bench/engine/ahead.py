"""Read-ahead: every trial of this process is started at once and competes per call; a case waits for its own.

pytest runs cases one at a time, but a session spends its time waiting for servers. One asyncio loop in one background
thread, shared by all calls, so long texts are read elsewhere (``chat.wire``). Knows neither pytest nor the store:
finished records go to a callback.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass

from independence_bench.chat.client import ChatClient
from independence_bench.chat.paying import Payments
from independence_bench.chat.throttle import Priority
from independence_bench.engine.conduct import Conductor, Progress, Task, record_of
from independence_bench.engine.shared_verdicts import SharedVerdicts
from independence_bench.event_log import event_log
from independence_bench.pace import Pace
from independence_bench.safe_text import text_of
from independence_bench.trial import TrialRecord, Verdict

_LOG = event_log(__name__)

JUDGING_S = 2.0
"""A transcript whose judging takes longer than this is handed over alone: a kill then costs no conversation that was
paid for. Judged sooner, it is handed over once, with its verdicts."""

WAY_S = 0.05  # a case whose trial is finished gives a busy loop at most this long
AT_ONCE_S = 0.001  # a loop that answers later than this is busy

_FINAL = ("unsupported", "budget")  # kinds of failure that another attempt in this session would meet again


@dataclass(slots=True)
class _RunningTrial:
    task: Task
    priority: Priority
    attempts: list[Future[TrialRecord]]  # one per attempt; one that measures leaves the later ones unused


class Engine:
    """Conducts trials in the background; safe to call from the main thread."""

    def __init__(
        self,
        client: Callable[[], ChatClient],
        on_records: Callable[[Sequence[TrialRecord]], None],
        attempts: int = 1,
        known_verdict: Callable[[str], Verdict | None] = lambda key: None,
        payments: Payments | None = None,
    ) -> None:
        """Prepare an engine; ``client`` is called once, inside the loop, which starts with the first trial.
        In the loop's thread ``on_records`` gets every finished record, those that end in one turn of the loop together,
        and ``known_verdict`` a verdict's key before a judge is asked. A trial that could not be measured is conducted
        ``attempts`` times in all.
        """
        self.kept: Callable[[str, TrialRecord], TrialRecord] = lambda key, record: record
        """Called in the loop's thread with the key and the record of each first attempt, after ``on_records``; returns
        what :meth:`result` will return. A trial may be finished long before somebody asks, and a record is large."""
        self._payments = payments
        self._attempts = attempts
        self._make_client = client
        self._on_records = on_records
        self._ended: list[tuple[TrialRecord, asyncio.Future[None]]] = []  # in this turn of the loop
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: ChatClient | None = None
        self._running: dict[str, _RunningTrial] = {}
        self._released: set[str] = set()
        self._conductor: Conductor | None = None
        self._shared = SharedVerdicts(known=known_verdict)
        self._tasks: dict[asyncio.Task[None], _RunningTrial] = {}
        self._ending = False  # no further trial begins
        self.started = 0  # trials handed in
        self.done = 0  # trials finished, measured or not
        self._broken: Exception | None = None  # what ended the loop
        self._lost: Exception | None = None  # the first error of ``on_records``, until a caller has seen it

    @property
    def pace(self) -> Pace:
        """How far it is."""
        charged = self._payments.budget.spent_usd if self._payments else None
        if (client := self._client) is None:
            return Pace(self.done, charged_usd=charged)
        return Pace(self.done, client.in_flight, client.spent_usd, charged, client.absurd_costs, client.ended)

    def exposure(self) -> tuple[float, float]:
        """Return the most that may have been spent, and the cost of a call that needs a larger lease, US dollars."""
        assert self._payments is not None
        return self._payments.budget.exposed_usd, self._payments.budget.wanted_usd

    def lend(self, usd: float) -> None:
        """Let more of the budget be used, ``usd`` in all."""
        if self._payments is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._payments.budget.lend, usd)

    def start(self, tasks: Sequence[Task]) -> None:
        """Start trials, longest chain first; returns at once."""
        if not tasks:
            return
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._work, args=[self._loop], name="independence-bench engine", daemon=True
            )
            self._thread.start()
        # A stable sort: trials of one length keep the order in which their cases run.
        ordered = enumerate(sorted(tasks, key=lambda task: -task.chain), start=self.started)
        batch = [_RunningTrial(task, Priority(order), self._futures(task)) for order, task in ordered]
        self._running.update((running.task.key, running) for running in batch)
        self.started += len(batch)
        self._loop.call_soon_threadsafe(self._launch, batch)
        if self._broken is not None:
            self._fail_all(self._broken)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Run the loop until it is stopped; where it breaks, no case waits for it."""
        while True:
            try:
                return loop.run_forever()
            except (SystemExit, KeyboardInterrupt):
                continue  # of one task, which has told who waits for it; the others go on
            except BaseException as error:
                self._broken = _broke(error)
                return self._fail_all(self._broken)

    def _fail_all(self, error: Exception) -> None:
        for running in [*self._running.values()]:
            self._give_up(running, error)

    def _futures(self, task: Task) -> list[Future[TrialRecord]]:
        # A Python scenario has one attempt: another begins with its case.
        return [Future() for _ in range(self._attempts if task.conversation is None else 1)]

    def result(self, key: str, timeout: float | None = None, attempt: int = 1) -> TrialRecord:
        """Return the record of an attempt at a started trial; while it waits, its calls jump the queue.
        Raises TimeoutError: not finished in time. Raises KeyError: not started, or released. Raises Exception: what
        conducting it, or ``on_records``, raised.
        """
        running = self._running[key]
        # A case that is repeated more often than its trial is conducted gets the last record again.
        future = running.attempts[min(attempt, len(running.attempts)) - 1]
        if self._loop is not None and not future.done():
            self._loop.call_soon_threadsafe(self._hurry, running.priority)
        elif self._loop is not None and self.done < self.started:
            self._give_way(self._loop, timeout)
        try:
            return future.result(timeout)
        except Exception as error:
            if self._lost is not None and self._lost in (error, error.__cause__):
                self._lost = None  # the caller has seen it
            raise

    def _give_way(self, loop: asyncio.AbstractEventLoop, timeout: float | None) -> None:
        """Let the loop do its ready work: its calls go out before another case takes the interpreter. Otherwise cases
        that need not wait keep the loop from its sockets for 5 ms at each look.
        """
        until = time.monotonic() + (WAY_S if timeout is None else min(WAY_S, timeout))
        while (asked := time.monotonic()) < until:
            turn = threading.Event()
            loop.call_soon_threadsafe(turn.set)
            turn.wait(until - asked)
            if time.monotonic() - asked < AT_ONCE_S:
                break

    def knows(self, key: str) -> bool:
        """Return whether this trial was started."""
        return key in self._running or key in self._released

    def released(self, key: str) -> bool:
        """Return whether this trial was started and its record is forgotten."""
        return key in self._released

    def release(self, key: str) -> None:
        """Forget the finished record of a trial that no case will ask for again; the trial stays known."""
        del self._running[key]
        self._released.add(key)

    def begin_nothing(self) -> None:
        """Let what is under way, or waited for, come to its end, and begin no other; returns at once."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._end_unbegun)

    @property
    def idle(self) -> bool:
        """Whether nothing is under way after :meth:`begin_nothing`."""
        return self._loop is None or self._broken is not None or (self._ending and not self._tasks)

    def close(self) -> None:
        """End everything in flight; transcripts already whole are still handed to ``on_records``.
        Raises Exception: the first that ``on_records`` raised, unless :meth:`result` has raised it.
        """
        if self._loop is None or self._thread is None:
            return
        if self._broken is None:
            asyncio.run_coroutine_threadsafe(self._shut_down(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._loop = None
        if self._lost is not None:
            raise self._lost

    def _end_unbegun(self) -> None:
        self._ending = True
        for task, running in [*self._tasks.items()]:
            priority = running.priority
            if not (priority.started or priority.hurried):
                for call in [*priority.calls]:  # that of a judge may belong to a task of its own
                    call.admitted.cancel()
                self._give_up(running, asyncio.CancelledError())  # a task that has not run yet would not do it
                task.cancel()

    def _hurry(self, priority: Priority) -> None:
        if self._client is not None:
            self._client.hurry(priority)

    def _launch(self, batch: list[_RunningTrial]) -> None:
        assert self._loop is not None
        if self._client is None:
            try:
                self._client = self._make_client()
                self._conductor = Conductor(self._client, shared=self._shared, payments=self._payments)
            except BaseException as error:
                # Without a client no answer would ever come: tell each waiting case why.
                for running in batch:
                    self._give_up(running, error)
                return
        for running in batch:
            task = self._loop.create_task(self._run(running))
            self._tasks[task] = running
            task.add_done_callback(self._tasks.pop)
        if self._ending:
            self._end_unbegun()

    async def _run(self, running: _RunningTrial) -> None:
        task = running.task
        try:
            with running.priority:
                for future in running.attempts:
                    record = await self._attempt(task, running.priority)
                    await self._handed_over(record)
                    counts = (running.priority.order, len(record.verdicts), len(record.failures))
                    _LOG.debug("trial %d ends with %d verdicts and %d failures", *counts)
                    first = future is running.attempts[0]
                    future.set_result(self.kept(task.key, record) if first else record)
                    if self._ending or all(failure.kind in _FINAL for failure in record.failures):
                        for later in running.attempts:  # will not be made
                            if not later.done():
                                later.set_result(record)
                        break
                    task = task.after(record)
        except BaseException as error:
            self._give_up(running, error)
            if not isinstance(error, Exception):
                raise
        self.done += 1

    async def _attempt(self, task: Task, priority: Priority) -> TrialRecord:
        assert self._conductor is not None and self._loop is not None
        loop, timers = self._loop, list[asyncio.TimerHandle]()
        progress = Progress()
        progress.on_whole = lambda: timers.append(loop.call_later(JUDGING_S, self._hand_over_early, task, progress))
        if task.conversation is not None:
            task.conversation.on_answer = lambda answer: self._hand_over_early(task, Progress(answers=[answer]))
            progress.on_verdict = lambda verdict: self._hand_over_early(task, Progress(verdicts=[verdict]))
        _LOG.debug("trial %d is %s", priority.order, task.spec.case_id)
        try:
            await self._conductor.conduct(task, priority, progress)
        except BaseException:
            # Even at the session's end: a whole transcript is kept, a broken conversation is not.
            if progress.transcript is not None and (task.transcript is None or progress.verdicts):
                self._hand_over_early(task, progress)
            raise
        finally:
            for timer in timers:
                timer.cancel()
            progress.on_whole = (
                None  # a cycle: a conversation would stay until a full garbage collection, minutes later
            )
        return record_of(task, progress)

    async def _handed_over(self, record: TrialRecord) -> None:
        """Return when it is handed over, together with what else ends in this turn of the loop: one transaction takes
        half the time of five.
        """
        assert self._loop is not None
        if not self._ended:
            self._loop.call_soon(self._hand_over_ended)
        waiting = self._loop.create_future()
        self._ended.append((record, waiting))
        await waiting

    def _hand_over_ended(self) -> None:
        ended, self._ended = self._ended, []
        together = False
        if len(ended) > 1:
            with suppress(BaseException):  # of one of them: each is handed over alone, and its own trial told
                self._on_records([record for record, _ in ended])
                together = True
        for record, waiting in ended:
            failed: BaseException | None = None
            try:
                if not together:
                    self._hand_over(record)
            except BaseException as error:
                failed = _for_caller(error)
            if waiting.done():  # cancelled
                continue
            if failed is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(failed)

    def _hand_over(self, record: TrialRecord) -> None:
        try:
            self._on_records([record])
        except Exception as error:
            self._lost = self._lost or error
            raise

    def _hand_over_early(self, task: Task, progress: Progress) -> None:
        """Hand over the complete part of a trial that goes on or breaks off; ``close`` raises errors of this."""
        with suppress(Exception):
            self._hand_over(record_of(task, progress))

    def _give_up(self, running: _RunningTrial, error: BaseException) -> None:
        for future in running.attempts:
            if future.done():
                continue
            if isinstance(error, asyncio.CancelledError):
                future.cancel()
            else:
                future.set_exception(_for_caller(error))

    async def _shut_down(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        self._shared.cancel()
        if self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()


def _for_caller(error: BaseException) -> Exception:
    """Return an error that a future takes, and that a waiting caller neither ends by nor takes for its own timeout."""
    if isinstance(error, Exception) and not isinstance(error, TimeoutError | StopIteration):
        return error
    return _broke(error)


def _broke(error: BaseException) -> Exception:
    failure = RuntimeError(f"the engine broke: {type(error).__name__}: {text_of(error)}")
    failure.__cause__ = error
    return failure
