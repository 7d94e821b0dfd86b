"""Reads long texts in a thread, so that no server's text can hold the loop that all calls share."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

LARGE = 1 << 16  # bytes or characters; reading fewer takes at most some 30 ms, far less than a thread costs


async def off_loop(
    size: int, read: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Return what a pure function makes of a text of this size, in a thread if it is long."""
    if size <= LARGE:
        return read(*arguments, **named)
    return await asyncio.to_thread(read, *arguments, **named)
