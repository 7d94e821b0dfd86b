"""A session holds no more after its last case than after its first ones: objects are counted, not bytes."""

import json
from collections import Counter

import pytest
from bench_project import BenchProject

RUNS = 4
EARLY, LATE = 20, 15 * RUNS - 1
"""Cases; after the last one pytest tears the session down."""
COUNTING = f"""
    import gc, json, os, pathlib
    from collections import Counter

    import pytest

    class Counting:
        def __init__(self, config):
            self.role = getattr(config, "workerinput", {{}}).get("workerid", "writing")
            self.ended = 0

        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_runtest_logfinish(self, nodeid):
            yield
            self.ended += 1
            if self.ended in ({EARLY}, {LATE}):
                gc.unfreeze()
                gc.collect()
                counts = Counter(type(each).__name__ for each in gc.get_objects())
                pathlib.Path(f"{{self.role}}-{{self.ended}}.json").write_text(json.dumps(counts))

    def pytest_configure(config):
        config.pluginmanager.register(Counting(config))
"""
OF_A_TRIAL = ("Transcript", "TrialRecord", "Verdict", "Outcome", "PanelVerdict", "TestReport", "CaseResult")
"""Types of which every trial or case has objects of its own."""
QUEUED = 8
"""Reports of the last cases may still be under way."""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [pytest.param(0, marks=pytest.mark.external), 1])
def test_no_process_gathers_objects_with_the_cases_that_it_has_done(project: BenchProject, workers: int) -> None:
    project.write("conftest.py", COUNTING)

    project.run(f"--runs={RUNS}", f"-n{workers}").assert_outcomes(passed=15 * RUNS)

    for role in ("writing", *(f"gw{number}" for number in range(workers))):
        early, late = (Counter(json.loads((project.path / f"{role}-{at}.json").read_text())) for at in (EARLY, LATE))
        # The tests' own session, in whose process this one may run, holds such objects, too: only the difference counts.
        left = {name: more for name in OF_A_TRIAL if (more := late[name] - early[name]) > QUEUED}
        assert not left, f"{role} still holds {left}"
        # The terminal needs the one; sqlite3 drops the other, weak references to its cursors, by the two hundred. Python
        # begins to track a dict when it first holds an object, so their numbers say nothing.
        grown = {name: more for name, more in (late - early).items() if more > (LATE - EARLY) / 2}
        assert grown.keys() <= {"ShownReport", "ReferenceType", "dict"}, f"{role} gathers {grown}"
