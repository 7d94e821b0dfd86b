"""Distribution functions are imported without threads and without what none of them needs, and nothing shows of it."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

ASKED = """
import json, os, sys
{before}
import independence_bench.scoring.special_functions
loaded, said = "numpy.f2py" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS")
import numpy
print(json.dumps([loaded, said, hasattr(numpy.f2py, "get_include")]))
"""


def imported(before: str = "", **environment: str) -> list[object]:
    """Return whether f2py was loaded, what the environment says afterwards, and whether f2py can be used then."""
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | environment
    code = ASKED.format(before=before)
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    found: list[object] = json.loads(told)
    return found


def test_the_import_loads_no_fortran_tools_and_leaves_the_environment_as_it_was():
    assert imported() == [False, None, True]


def test_a_number_of_threads_that_is_asked_for_stays():
    assert imported(OPENBLAS_NUM_THREADS="3") == [False, "3", True]


def test_tools_that_are_already_loaded_stay():
    assert imported(before="import numpy.f2py") == [True, None, True]
