"""The options on pytest's command line. No logic of their own."""

import pytest

from independence_bench.session.options import GATE_OPTIONS, OPTIONS


def add_options(parser: pytest.Parser) -> None:
    """Register every option of the benchmark, in one group."""
    group = parser.getgroup("independence-bench", "independence-bench: who keeps a self of its own?")
    for option in (*OPTIONS, *GATE_OPTIONS):
        group.addoption(option.flag, **option.keywords())
