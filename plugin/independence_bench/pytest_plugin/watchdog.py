"""Ends a session whose workers have reported everything and yet do not end, as where a connection broke on one side."""

from collections.abc import Callable, Iterable
from threading import Timer
from typing import Protocol

from independence_bench.event_log import event_log
from independence_bench.pytest_plugin.slot_scheduling import Node, SlotScheduling

_LOG = event_log(__name__)

PATIENCE_S = 60.0
"""Seconds without an event after which a worker that has nothing left to do is given up."""


class Alarm(Protocol):
    """What is used of a threading.Timer."""

    daemon: bool

    def start(self) -> None:
        """Begin to wait."""

    def cancel(self) -> None:
        """Never go off."""


class Watchdog:
    """Waits from event to event. Goes off only if every case is reported and no worker has a call in flight."""

    def __init__(self, alarm: Callable[[float, Callable[[], None]], Alarm] = Timer) -> None:
        """``alarm(seconds, call)`` calls once, in another thread, after some seconds from its start."""
        self._make = alarm
        self._alarm: Alarm | None = None

    def stop(self) -> None:
        """Wait no longer."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def event(self, scheduling: SlotScheduling | None, in_flight: int) -> None:
        """Begin to wait anew after an event of any worker, if there is nothing left to wait for."""
        self.stop()
        if scheduling is not None and in_flight == 0 and scheduling.all_reported:
            self._alarm = self._make(PATIENCE_S, lambda: give_up(scheduling, scheduling.nodes))
            self._alarm.daemon = True
            self._alarm.start()


def give_up(scheduling: SlotScheduling, nodes: Iterable[Node]) -> None:
    """Tell xdist that these workers have ended in order, and hear no more of them."""
    for node in nodes:
        _LOG.warning("%s has reported all its cases and does not end; the session ends without it", node.gateway.id)
        scheduling.give_up(node)
        node.workeroutput = {"exitstatus": 0, "shouldfail": False, "shouldstop": False}
        put, node.putevent = node.putevent, lambda event: None
        put(("workerfinished", {"node": node}))
