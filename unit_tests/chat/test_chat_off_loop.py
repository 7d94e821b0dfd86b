"""Long texts are read in a thread, short ones at once; neither changes what is read."""

import asyncio
import subprocess
import sys
import threading

from independence_bench.chat.wire import LARGE, off_loop


def test_only_what_is_long_is_read_in_another_thread() -> None:
    async def read(size: int) -> int:
        return await off_loop(size, threading.get_ident)

    here = threading.get_ident()
    assert asyncio.run(read(LARGE)) == here
    assert asyncio.run(read(LARGE + 1)) != here


def test_a_foreign_function_that_never_returns_does_not_keep_the_process() -> None:
    """The threads of an executor are joined at exit; this one is not."""
    program = """
import asyncio, threading
from independence_bench.judging.judge_call import in_own_thread
async def main():
    async with asyncio.timeout(0.05):
        await in_own_thread(threading.Event().wait)
try:
    asyncio.run(main())
except TimeoutError:
    print("over")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("over\n", "", 0)
