"""An event loop whose time jumps to what is due next: waits take no time, and a busy machine decides nothing."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class _JumpingLoop(asyncio.SelectorEventLoop):
    """For tests without a network: whoever waits for a reply from outside would wait for ever."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        select = self._selector.select  # type: ignore[attr-defined]

        def jump(timeout: float | None = None) -> Any:
            if timeout is None:
                raise AssertionError("everything waits, and nothing is due")
            events = select(0)
            if not events:
                self._now += timeout
            return events

        self._selector.select = jump  # type: ignore[attr-defined]

    def time(self) -> float:
        return self._now


def run_without_waiting(main: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine as ``asyncio.run`` does."""
    with asyncio.Runner(loop_factory=_JumpingLoop) as runner:
        return runner.run(main)
