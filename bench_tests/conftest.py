"""Turns a pytest run that reaches this folder into a benchmark session."""

import pytest

from independence_bench.pytest_plugin import switch_on


def pytest_configure(config: pytest.Config) -> None:
    """Switch the plugin on."""
    switch_on(config)
