"""Long texts are read in a thread, short ones at once; neither changes what is read."""

import asyncio
import threading

from independence_bench.chat.wire import LARGE, off_loop


def test_only_what_is_long_is_read_in_another_thread() -> None:
    async def read(size: int) -> int:
        return await off_loop(size, threading.get_ident)

    here = threading.get_ident()
    assert asyncio.run(read(LARGE)) == here
    assert asyncio.run(read(LARGE + 1)) != here


def test_what_a_reader_raises_is_raised_from_either_place() -> None:
    async def read(size: int) -> None:
        await off_loop(size, int, "x")

    for size in (0, LARGE + 1):
        try:
            asyncio.run(read(size))
        except ValueError:
            continue
        raise AssertionError(size)
