"""The pytest door: registers the options and nothing else until a suite's conftest calls ``switch_on``.

Loaded in every pytest run of an environment that has the package, so it imports nothing heavy.
"""

import atexit
import gc

import pytest

from independence_bench.pytest_plugin.options import add_options

SWITCHED_ON = "independence_bench.bench"
"""Name under which the switched-on plugin is registered."""
PACKAGED_SUITE = "independence_bench.bench_tests"
"""The suite as it travels in the wheel: ``pytest --pyargs independence_bench.bench_tests``."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options; without a bench suite they do nothing."""
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Answer ``--plan`` in one process: there is nothing to deal out."""
    if config.option.bench_plan and hasattr(config.option, "numprocesses"):
        config.option.numprocesses, config.option.dist, config.option.tx = None, "no", []


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Switch on for the packaged suite: with ``--pyargs`` pytest loads its conftest too late for a controller."""
    if config.option.pyargs and any(argument.startswith(PACKAGED_SUITE) for argument in config.args):
        switch_on(config)


def switch_on(config: pytest.Config) -> None:
    """Turn this pytest run into a benchmark session; called by the conftest of a bench suite.

    Raises:
        pytest.UsageError: the plugin was disabled, so that its options are missing.
    """
    if config.pluginmanager.has_plugin(SWITCHED_ON):
        return
    if not config.pluginmanager.has_plugin("independence_bench.pytest_plugin"):
        raise pytest.UsageError("the bench suite needs the plugin independence_bench.pytest_plugin; do not disable it")
    from independence_bench.garbage import without_garbage_collection

    # The session freezes what it has when its trials start. Who asks first for a cleanup gets it last: after pytest's
    # own ten looks for garbage, which would take 0.1 s. A process that lives on can then free what is left; one that
    # ends need not look at it again (0.1 s more).
    config.add_cleanup(gc.unfreeze)
    atexit.register(gc.freeze)
    with without_garbage_collection():  # modules are no garbage; looking through them takes 30 ms
        from independence_bench.pytest_plugin.bench import register

        register(config, SWITCHED_ON)
