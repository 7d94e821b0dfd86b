"""Workers that have reported everything and do not end are given up; nothing else sets the watchdog off."""

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import pytest
from test_plugin_slot_scheduling import report, scheduled

from independence_bench.pytest_plugin.slot_scheduling import PATIENCE_S, Watchdog


class Alarms:
    """Alarms that go off when the test says so."""

    def __init__(self) -> None:
        self.daemon = False
        self.waiting: list[tuple[float, Callable[[], None]]] = []
        self._mine: tuple[float, Callable[[], None]] | None = None

    def __call__(self, seconds: float, call: Callable[[], None]) -> "Alarms":
        self._mine = (seconds, call)
        return self

    def start(self) -> None:
        assert self._mine is not None
        self.waiting.append(self._mine)

    def cancel(self) -> None:
        self.waiting.clear()


@pytest.mark.parametrize("in_flight", [0, 1])
@pytest.mark.parametrize("last", ["call", "teardown"])
def test_it_waits_only_if_every_case_is_reported_and_no_call_is_in_flight(last: Any, in_flight: int) -> None:
    alarms = Alarms()
    watchdog = Watchdog(alarms)
    scheduling, _, _ = scheduled(["case0", "case1"])
    scheduling.name(report(0, "teardown"))
    scheduling.name(report(1, last))

    watchdog.event(None, 0)
    watchdog.event(scheduling, in_flight)

    assert [seconds for seconds, _ in alarms.waiting] == ([PATIENCE_S] if (last, in_flight) == ("teardown", 0) else [])
    watchdog.event(scheduling, in_flight)  # an event begins the time anew
    assert len(alarms.waiting) <= 1
    watchdog.stop()
    assert not alarms.waiting


def test_the_workers_that_are_left_are_told_to_have_ended_in_order_and_heard_no_more() -> None:
    alarms, events = Alarms(), SimpleQueue[Any]()
    scheduling, nodes, _ = scheduled(["case0", "case1"])
    for index, node in enumerate(nodes):
        node.putevent = events.put
        scheduling.name(report(index, "teardown"))
    ended, stuck = nodes
    scheduling.mark_test_complete(ended, 0)
    scheduling.remove_node(ended)
    Watchdog(alarms).event(scheduling, 0)

    alarms.waiting[0][1]()
    stuck.putevent(("workerfinished", {"node": stuck}))

    assert events.get_nowait() == ("workerfinished", {"node": stuck})
    assert events.empty()
    assert stuck.workeroutput == {"exitstatus": 0, "shouldfail": False, "shouldstop": False}
    assert scheduling.remove_node(stuck) is None
