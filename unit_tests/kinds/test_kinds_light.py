"""What a session imports of a kind before its first call."""

import subprocess
import sys

import pytest

from independence_bench.kinds import KINDS

LATE = ("numpy", "scipy", "jinja2", "independence_bench.report.site")


@pytest.mark.parametrize("kind", KINDS)
def test_to_tell_of_a_kind_brings_no_statistics_before_they_are_needed(kind: str) -> None:
    asks = f"""
import sys
from independence_bench.kinds import telling
telling({kind!r})
print(*set({LATE}) & sys.modules.keys())
"""
    assert subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True).stdout == "\n"
