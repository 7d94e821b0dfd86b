"""What a worker raised at its start is told in one sentence."""

import pytest

from independence_bench.pytest_plugin.worker_start import startup_error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (None, None),
        ("Not properly terminated", None),
        ("Traceback (most recent call last):\n  File x\nKeyError: 'a'\n", "KeyError: 'a'"),
        ("Traceback (most recent call last):\n  File x\npytest.UsageError: two\nlines\n", "two lines"),
        ("Traceback (most recent call last):\n  File x\n_pytest.pathlib.ImportPathMismatchError: ('a', 'b')\n", "_pytest.pathlib.ImportPathMismatchError: ('a', 'b')"),
        ("Traceback (most recent call last):\n  File x\n", None),
        ("Traceback (most recent call last):\n  File x\npytest.UsageError: usage: -c [options]\n-c: error: no --shard\n", "usage: -c [options] -c: error: no --shard"),
    ],
)  # fmt: skip
def test_what_a_worker_raised_is_found_at_the_end_of_its_traceback(error: str | None, reason: str | None) -> None:
    assert startup_error(error) == reason
