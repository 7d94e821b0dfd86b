"""Distribution functions are imported without threads and without what none of them needs, and nothing shows of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ASKED = """
import json, os, sys
{before}
import independence_bench.scoring.special_functions
loaded, said = "numpy.f2py" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS")
threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else None
import numpy
print(json.dumps([loaded, said, hasattr(numpy.f2py, "get_include"), threads]))
"""


def imported(before: str = "", **environment: str) -> list[object]:
    """Return whether f2py was loaded, what the environment says afterwards, whether f2py can be used then, and the number
    of threads, which only Linux tells.
    """
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | environment
    code = ASKED.format(before=before)
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    found: list[object] = json.loads(told)
    return found


def test_the_import_loads_no_fortran_tools_and_leaves_the_environment_as_it_was():
    assert imported()[:3] == [False, None, True]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists the threads of a process")
def test_the_import_starts_no_threads():
    assert imported()[3] == 1


def test_a_number_of_threads_that_is_asked_for_stays():
    assert imported(OPENBLAS_NUM_THREADS="3")[:3] == [False, "3", True]


def test_tools_that_are_already_loaded_stay():
    assert imported(before="import numpy.f2py")[:3] == [True, None, True]


WHOLE = """
import sys, threading
import independence_bench.scoring.special_functions as ours
early = "scipy.special._basic" in sys.modules
found, start = [], threading.Barrier(8)
def ask():
    start.wait()
    from scipy.special import factorial, stdtrit
    found.append((int(factorial(4)), stdtrit is ours.stdtrit))
threads = [threading.Thread(target=ask) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
import scipy.special, scipy.stats
print([early, found, hasattr(scipy.special, "nonesuch"), type(scipy.special) is type(sys), f"{scipy.stats.t(3).ppf(0.9):.6f}"])
"""

MOVED = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "scipy.special._ufuncs" else find(name)
from independence_bench.scoring.special_functions import stdtrit
print(f"{stdtrit(3, 0.9):.6f}")
"""


def told(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_scipy_special_is_run_when_one_of_its_names_is_asked_for_and_then_has_them_all_in_every_thread():
    assert told(WHOLE) == str([False, [(24, True)] * 8, False, True, "1.637744"])


def test_a_release_of_scipy_that_moves_its_compiled_functions_still_has_them():
    assert told(MOVED) == "1.637744"
