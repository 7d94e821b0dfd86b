"""The pytest plugin: registers ini keys, and nothing else unless the session names a bench suite.

Loaded in every pytest run of an environment that has the package, so it imports nothing heavy.
"""

import atexit
import gc
import os
from collections.abc import Generator
from contextlib import ExitStack
from glob import escape
from typing import cast

import pytest

from independence_bench import unnamed_suites
from independence_bench.pytest_plugin import hookspecs
from independence_bench.pytest_plugin.late_options import SUITE_OPTIONS, SuiteOptions, add_ini_keys

SWITCHED_ON = "independence_bench.bench"  # name under which the switched-on plugin is registered


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the ini keys; the options follow once a bench suite is known to run."""
    add_ini_keys(parser)
    config = cast(pytest.Config, pluginmanager.get_plugin("pytestconfig"))
    config.stash[SUITE_OPTIONS] = options = SuiteOptions(config, parser)
    if not pluginmanager.has_plugin(unnamed_suites.__name__):  # its own entry point, where the package is installed
        pluginmanager.register(unnamed_suites, unnamed_suites.__name__)
    if any(str(getattr(plugin, "__file__", "")).endswith("conftest.py") for plugin in pluginmanager.get_plugins()):
        # A root conftest has loaded the plugin while pytest was loading conftests: the hook below comes too late.
        options.add_if_named(config.invocation_params.args)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare our hooks in every session: a conftest may implement them whatever it runs."""
    pluginmanager.add_hookspecs(hookspecs)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> Generator[None, None, None]:
    """Register the options after every plugin and conftest that may own one of their names has been loaded."""
    yield
    early_config.stash[SUITE_OPTIONS].add_if_named(args)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Answer ``--plan`` in one process: there are no cases to distribute."""
    if getattr(config.option, "bench_plan", False) and hasattr(config.option, "numprocesses"):
        config.option.numprocesses, config.option.dist, config.option.tx = None, "no", []


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Turn this pytest run into a benchmark session if it names a bench suite."""
    suites = config.stash[SUITE_OPTIONS].suites
    if not suites:
        return
    for inside in (os.sep, f"{os.sep}*{os.sep}"):  # the files of a suite, whatever the repository calls its own
        for suite in suites:
            config.addinivalue_line("python_files", f"{escape(str(suite))}{inside}test_*.py")
    from independence_bench.garbage import without_garbage_collection
    from independence_bench.plain_signs import encode_plainly

    encode_plainly()
    # The session freezes its objects when its trials start. Cleanups run in reverse order, so this one runs after
    # pytest's own ten garbage collections, which would take 0.1 s. A process that continues can then free what is left;
    # a process that ends need not look at it again (0.1 s more).
    config.add_cleanup(gc.unfreeze)
    atexit.register(gc.freeze)
    # Modules, plan and cases are no garbage, and looking at 50,000 cases again and again took a third of the time.
    no_garbage = ExitStack()
    no_garbage.enter_context(without_garbage_collection())
    config.add_cleanup(no_garbage.close)
    from independence_bench.pytest_plugin.registering import register

    register(config, SWITCHED_ON, no_garbage)
