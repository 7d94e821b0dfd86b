"""Registers the plugins that one process of a benchmark session needs, in order."""

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from independence_bench.catalog.rows import FURTHER_EXPERIMENTS
from independence_bench.catalog.scenario_functions import MARKER
from independence_bench.pytest_plugin import fixtures
from independence_bench.pytest_plugin.bench import Bench, Role
from independence_bench.pytest_plugin.clean_reports import ForeignErrors
from independence_bench.pytest_plugin.shown_reports import ShownReports
from independence_bench.safe_text import safe_text

if TYPE_CHECKING:
    from independence_bench.pytest_plugin.measuring_side import MeasuringSide


def register(config: pytest.Config, name: str, no_garbage: ExitStack) -> None:
    """Register the sides that this process needs, the fixtures and the markers; their names begin with ``name``.
    ``no_garbage`` pauses the garbage collector until it is closed.
    """
    bench = Bench(config, no_garbage)
    if not config.option.help:  # --help needs no valid options
        markers = [f"{FURTHER_EXPERIMENTS}: every experiment without its own module"]
        markers += [f"{MARKER}(id, experiment, title, max_calls): a test that leads a conversation"]
        markers += [f"{each.marker}: {each.question}" for each in bench.experiments.values()]
        for marker in markers:
            config.addinivalue_line("markers", safe_text(marker, sys.maxsize))
    plugins = config.pluginmanager
    plugins.register(bench, name)
    plugins.register(fixtures, f"{name}.fixtures")
    plugins.register(ShownReports(config), f"{name}.shown_reports")
    plugins.register(ForeignErrors(), f"{name}.foreign_errors")
    if bench.role is Role.WORKER:  # a worker reports nothing, and importing the reports takes an eighth of its start
        from independence_bench.pytest_plugin.worker_side import WorkerSide

        _register_measuring(plugins, WorkerSide(bench), name)
        return
    if getattr(config.option, "tx", None) and not config.option.numprocesses:
        raise pytest.UsageError(
            "--tx: workers run on this host, by -n N; on other hosts, measure a part with --shard=K/N on each and join "
            "the stores with `independence-bench merge`"
        )
    from independence_bench.pytest_plugin.gate_side import GateSide
    from independence_bench.pytest_plugin.shown_reports import UnmeasuredCases
    from independence_bench.pytest_plugin.writing import WritingSide

    writing = WritingSide(bench)
    plugins.register(writing, f"{name}.writing")
    plugins.register(UnmeasuredCases(writing), f"{name}.unmeasured_cases")
    if bench.role is Role.CONTROLLER:
        from independence_bench.pytest_plugin.distribution import Distribution
        from independence_bench.pytest_plugin.worker_start import WorkerStart

        plugins.register(WorkerStart(), f"{name}.worker_start")
        plugins.register(Distribution(bench, writing), f"{name}.distribution")
    else:
        from independence_bench.pytest_plugin.plain_side import PlainSide

        _register_measuring(plugins, PlainSide(bench, writing), name)
    # Registered last, so that it refuses bad input first, before the controller opens the store.
    plugins.register(GateSide(bench, writing), f"{name}.gate")


def _register_measuring(plugins: pytest.PytestPluginManager, side: "MeasuringSide", name: str) -> None:
    plugins.register(side, f"{name}.measuring")
    plugins.register(side.python_scenarios, f"{name}.python_scenarios")
