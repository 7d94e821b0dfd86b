"""The statistics are loaded ahead by a thread, and by nothing that a session starts with."""

import subprocess
import sys

import pytest

from independence_bench.report.presented import load_statistics

pytestmark = pytest.mark.slow

HEAVY = ("numpy", "scipy")


def loaded_after(code: str) -> str:
    asked = f"import sys; {code}; print([name for name in {HEAVY} if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.strip()


def test_neither_plugin_nor_command_line_loads_the_statistics():
    assert loaded_after("import independence_bench.cli.show_commands, independence_bench.pytest_plugin.bench") == "[]"
    assert loaded_after("import independence_bench.report, independence_bench.session.recorder") == "[]"


def test_the_thread_loads_them():
    code = "from independence_bench.report.presented import load_statistics; load_statistics('index').join()"
    assert loaded_after(code) == "['numpy', 'scipy']"


def test_what_is_missing_is_left_to_whoever_needs_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "independence_bench.scoring.special_functions")
    monkeypatch.setitem(sys.modules, "scipy.special", None)  # importing it fails
    raised = []
    monkeypatch.setattr("threading.excepthook", raised.append)
    load_statistics("index").join()
    assert raised == []
