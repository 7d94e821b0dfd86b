"""What a session imports of a kind before its first call."""

import subprocess
import sys

from independence_bench.kind_registry import KINDS

LATE = ("numpy", "scipy", "jinja2", "independence_bench.report.site")


def test_to_tell_of_a_kind_brings_no_statistics_before_they_are_needed() -> None:
    asks = f"""
import sys
from independence_bench.kind_registry import wing
for kind in {list(KINDS)}:
    wing(kind, "reporting")
    print(kind, *set({LATE}) & sys.modules.keys())
"""
    told = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == list(KINDS)
