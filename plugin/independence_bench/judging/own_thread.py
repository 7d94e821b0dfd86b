"""Calls a foreign function that may do anything, in a thread that nothing waits for at exit."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from traceback import format_exception_only
from typing import TypeVar

from independence_bench.safe_text import safe_text

Result = TypeVar("Result")


class Broke(Exception):
    """A foreign function raised something; its text names that in one safe line."""


async def in_own_thread(function: Callable[[], Result]) -> Result:
    """Return what a foreign function returns that may do anything: end the interpreter, say, or never return.

    It gets its own daemon thread, because the threads of an executor are joined at exit.
    Raises Broke: it raised something, whatever that is.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def tell(step: Callable[[], None]) -> None:
        if not done.done():
            step()

    def call() -> None:
        try:
            step = partial(done.set_result, function())
        except BaseException as error:
            step = partial(done.set_exception, Broke(safe_text("".join(format_exception_only(error)))))
        with suppress(RuntimeError):  # the loop is closed: it took too long
            loop.call_soon_threadsafe(tell, step)

    threading.Thread(target=call, name="independence-bench foreign", daemon=True).start()
    return await done
