"""A small plugin of every pytest run: it leaves out the bench suites that the command line does not name.

It is no part of the benchmark's plugin, so that a repository's own tests also run where that plugin is disabled.
"""

import shlex
from collections.abc import Generator, Sequence
from glob import iglob
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from independence_bench.suite_folder import is_suite, suites_around

PLUGIN = "independence_bench.pytest_plugin"
_OUTPUT = "independence_bench_left_out"  # key of a worker's output
_NAMED = pytest.StashKey[frozenset[Path]]()
_LEFT_OUT = pytest.StashKey[set[str]]()  # folders, as they are typed in the current one


def named_suites(config: pytest.Config, paths: Sequence[str]) -> frozenset[Path]:
    """Return the folders of the bench suites that a command line's paths name: that of each is, or lies in, the folder.
    Without paths, ``testpaths`` name them, or the current folder does.
    """
    folder, pyargs = config.invocation_params.dir, config.known_args_namespace.pyargs
    if not paths and folder == config.rootpath:
        ini = config.getini("testpaths")
        globs = (iglob(pattern, recursive=True) for pattern in ini)  # noqa: PTH207 -- a pattern may be absolute
        paths = ini if pyargs else [*chain.from_iterable(globs)]
    return suites_around(paths or [str(folder)], folder, pyargs)


def pytest_configure(config: pytest.Config) -> None:
    """Note the named suites, once the command line is parsed. Raises pytest.UsageError: their plugin is off."""
    config.stash[_LEFT_OUT] = set()
    config.stash[_NAMED] = named = named_suites(config, config.args)
    if named and not config.pluginmanager.has_plugin(PLUGIN):
        raise pytest.UsageError(
            f"{min(named)} is a bench suite, and its plugin is off; leave out `-p no:{PLUGIN}` to measure"
        )


@pytest.hookimpl(wrapper=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> Generator[None, Any, Any]:
    """Leave out a suite that nothing names, before its conftest is loaded."""
    collector = yield
    config = parent.config
    if not is_suite(path) or config.stash[_NAMED] & {path, *path.parents}:
        return collector
    if any(map(parent.session.isinitpath, path.parents)):  # pytest also looks at what is beside its arguments
        folder = config.invocation_params.dir
        config.stash[_LEFT_OUT].add(str(path.relative_to(folder) if path.is_relative_to(folder) else path))
    return None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send home what a worker of xdist left out."""
    folders = session.config.stash[_LEFT_OUT]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_OUTPUT] = sorted(folders)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Note what a worker of xdist left out."""
    node.config.stash[_LEFT_OUT].update(getattr(node, "workeroutput", {}).get(_OUTPUT, ()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which suites were left out, and how to run them."""
    folders = config.stash[_LEFT_OUT]
    for folder in sorted(folders):
        from independence_bench.safe_text import safe_text  # late: this module is loaded in every pytest run

        command = shlex.join(["pytest", folder])
        terminalreporter.write_line(safe_text(f"{folder}: a bench suite, left out; run it with `{command}`"))
