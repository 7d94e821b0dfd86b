"""A worker's report arrives as xdist alone would bring it, however it travels."""

from pathlib import Path
from typing import Any

import execnet
import pytest
from _pytest import reports
from bench_project import BenchProject

from independence_bench.pytest_plugin.bench import PACKED
from independence_bench.pytest_plugin.distribution import Distribution
from independence_bench.pytest_plugin.worker_side import WorkerSide


class BothEnds:
    pytest_report_to_serializable = WorkerSide.pytest_report_to_serializable
    pytest_report_from_serializable = Distribution.pytest_report_from_serializable


def hooks(*ends: object) -> Any:
    plugins = pytest.PytestPluginManager()
    for end in (reports, *ends):
        if not plugins.is_registered(end):
            plugins.register(end)
    return plugins.hook


def report(**others: object) -> pytest.TestReport:
    return pytest.TestReport("a.py::test", ("a.py", 1, "test"), {"test": 1}, "passed", None, "call", **others)


def brought(hook: Any, sent: pytest.TestReport) -> pytest.TestReport:
    """What xdist's controller makes of a report, with the keys that xdist adds on its way."""
    data = hook.pytest_report_to_serializable(config=None, report=sent) | {"item_index": 3, "worker_id": "gw0"}
    arrived = execnet.loads(execnet.dumps(data))
    return hook.pytest_report_from_serializable(config=None, data=arrived)


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "ünï \U0001f600 \x00",
        b"\xff",
        7,
        -7,
        0.1,
        float("inf"),
        True,
        None,
        ("a", 1),
        [["nested", {"deep": (1, [2])}]],
        {1: "a whole number as a key", ("a", "pair"): 2},
        {1, 2},
        frozenset({"x"}),
    ],
    ids=repr,
)
def test_every_value_that_execnet_carries_arrives_with_its_type(value: object) -> None:
    sent = report(user_properties=[("name", value)], sections=[("Captured stdout", "text")], extra=value)
    plain, packed = brought(hooks(), sent), brought(hooks(BothEnds()), sent)
    assert packed.__dict__ == plain.__dict__
    assert repr(packed.__dict__["extra"]) == repr(value)
    assert packed.worker_id == "gw0"


def test_a_failures_traceback_arrives_whole(pytester: pytest.Pytester) -> None:
    made = pytester.inline_runsource("def test_fails():\n    assert [1, 2] == [1, 3]").getfailures()[0]
    plain, packed = brought(hooks(), made), brought(hooks(BothEnds()), made)
    assert packed.longreprtext == plain.longreprtext == made.longreprtext


def test_a_packed_report_is_one_value_and_the_hook_leaves_what_marshal_cannot_write() -> None:
    hook = hooks(BothEnds())
    assert hook.pytest_report_to_serializable(config=None, report=report()).keys() == {PACKED}
    odd = report(user_properties=[("name", Path("a"))])
    data = hook.pytest_report_to_serializable(config=None, report=odd)
    assert PACKED not in data
    with pytest.raises(execnet.DumpError, match="Path"):
        execnet.dumps(data)


def test_what_is_no_report_stays_with_other_plugins() -> None:
    assert hooks(BothEnds()).pytest_report_to_serializable(config=None, report=object()) is None


@pytest.mark.slow
def test_a_worker_s_record_that_is_none_costs_none_of_those_sent_before_it(project: BenchProject) -> None:
    project.write(
        "conftest.py",
        """
        from independence_bench.pytest_plugin.worker_side import WorkerSide

        taken = WorkerSide._take_records

        def with_a_bad_one(self):
            records = taken(self)
            return records and [*records, {}]

        WorkerSide._take_records = with_a_bad_one
        """,
    )
    result = project.run("-n1")

    assert result.ret != 0
    assert project.count("transcripts") > 0
