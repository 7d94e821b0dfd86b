"""The statistics are loaded ahead by a thread, and by nothing that a session starts with."""

import subprocess
import sys

import pytest
from report_samples import World

from independence_bench.store import Store

pytestmark = pytest.mark.slow

HEAVY = ("numpy", "scipy")
MEASURING = ("independence_bench.engine", "independence_bench.chat.client")
NEEDLESS = ("numpy.testing", "numpy.ma", "independence_bench.report.comparison.comparison_parts")


def loaded_after(code: str, names: tuple[str, ...] = HEAVY) -> str:
    asked = f"import sys; {code}; print([name for name in {names} if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.strip()


def test_neither_plugin_nor_command_line_loads_the_statistics():
    assert loaded_after("import independence_bench.cli.show_commands, independence_bench.pytest_plugin.bench") == "[]"
    assert loaded_after("import independence_bench.report, independence_bench.session.recorder") == "[]"


def test_results_are_opened_with_neither_statistics_nor_what_measures(tmp_path):
    world = World(store=Store.open(tmp_path / "trials.sqlite"))
    world.run("a")
    world.store.close()
    opening = f"import independence_bench as ib; results = ib.open({str(tmp_path)!r})"
    assert loaded_after(opening, HEAVY + MEASURING) == "[]"
    assert loaded_after(f"{opening}; results.leaderboard()", HEAVY + MEASURING + NEEDLESS) == "['numpy', 'scipy']"


def test_the_thread_loads_them():
    code = "from independence_bench.report.presented import load_statistics; load_statistics('index').join()"
    assert loaded_after(code, HEAVY + NEEDLESS) == "['numpy', 'scipy']"


def test_what_is_missing_is_left_to_whoever_needs_it():
    hooked = "import threading; sys.modules['scipy'] = None; raised = []; threading.excepthook = raised.append"
    loading = "from independence_bench.report.presented import load_statistics; load_statistics('index').join()"
    needed = "independence_bench.scoring.special_functions"
    assert loaded_after(f"{hooked}; {loading}; assert not raised", ("numpy", needed)) == "[]"
