"""Calls a foreign function that may do anything, in a thread that nothing waits for at exit."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from independence_bench.safe_text import safe_text, text_of

Result = TypeVar("Result")


class ForeignError(Exception):
    """A foreign function raised something; its text names that in one safe line."""


async def in_own_thread(function: Callable[[], Result]) -> Result:
    """Return what a foreign function returns that may do anything: end the interpreter, say, or never return.

    It gets its own daemon thread, because the threads of an executor are joined at exit.
    Raises Broke: it raised something, whatever that is.
    """
    future = Future[Result]()
    future.set_running_or_notify_cancel()  # from now on only the function ends it, also where nothing waits any more

    def call() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(ForeignError(safe_text(f"{type(error).__name__}: {text_of(error)}")))

    threading.Thread(target=call, name="independence-bench foreign", daemon=True).start()
    return await asyncio.wrap_future(future)
