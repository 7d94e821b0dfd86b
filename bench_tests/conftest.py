"""Marks this folder as a bench suite: a pytest run that names it becomes a benchmark session."""

import pytest

independence_bench_suite = True


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a run without the plugin that looks for the mark."""
    if not config.pluginmanager.has_plugin("independence_bench.pytest_plugin"):
        raise pytest.UsageError("the bench suite needs the plugin independence_bench.pytest_plugin; do not disable it")
