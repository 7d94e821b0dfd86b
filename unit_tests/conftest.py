"""Leaves the tests marked external to .ci/external unless ``-m`` names them, and spares the others needless work."""

import gc
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from independence_bench.catalog import catalogue
from independence_bench.catalog.catalogue import Catalogue, packaged_configs
from independence_bench.catalog.yaml_files import read_mapping
from independence_bench.kinds import edition_files
from independence_bench.kinds.index import measuring

# How often a property is tried, where its test does not say it; .ci/external takes the second one.
settings.register_profile("few", max_examples=10, deadline=None)
settings.register_profile("many", max_examples=500, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    if config.getoption("--hypothesis-profile", None) is None:
        settings.load_profile("few")
    patch.setattr(catalogue, "read_mapping", _read_once)
    patch.setattr(measuring, "read_scenario", _resolved_once(measuring.read_scenario))
    patch.setattr(edition_files, "resolved_edition", _resolved_once(edition_files.resolved_edition))
    # A BLAS thread for each processor in each worker gains nothing on small matrices: they wait for each other, spinning.
    patch.setenv("OPENBLAS_NUM_THREADS", os.environ.get("OPENBLAS_NUM_THREADS", "1"))
    _scratch_in_memory(patch)
    if sys.dont_write_bytecode and hasattr(config, "cache"):
        _keep_bytecode(config, patch)


@cache
def _packaged(file: Path) -> bytes:
    return pickle.dumps(read_mapping(file))


def _read_once(file: Path) -> dict[str, Any]:
    """Read a YAML file; the packaged ones, of which each catalogue reads forty, only once for all tests."""
    if not file.is_relative_to(packaged_configs()):
        return read_mapping(file)
    mapping: dict[str, Any] = pickle.loads(_packaged(file))
    return mapping


def _resolved_once(read: Callable[..., Any]) -> Callable[..., Any]:
    """Let ``read`` resolve what only packaged files say once for all tests: the results are frozen."""
    known: dict[Path, Any] = {}

    def once(source: Any, catalogue: Catalogue, own: Any = None) -> Any:
        file, further = getattr(source, "file", source), () if own is None else (own,)
        if further or catalogue.folders != (packaged_configs(),) or not file.is_relative_to(packaged_configs()):
            return read(source, catalogue, *further)
        if file not in known:
            known[file] = read(source, catalogue)
        return known[file]

    return once


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let a worker that has nothing left take tests from another one: a fifth of the time it waited for its last."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


def _scratch_in_memory(patch: pytest.MonkeyPatch) -> None:
    """Make the tests' folders in memory, where there is enough: a thousand stores wait for the disk to sync otherwise."""
    memory = Path("/dev/shm")
    if "PYTEST_DEBUG_TEMPROOT" in os.environ or not os.access(memory, os.W_OK):
        return
    if shutil.disk_usage(memory).free > 2 * 2**30:
        patch.setenv("PYTEST_DEBUG_TEMPROOT", str(memory))


def _keep_bytecode(config: pytest.Config, patch: pytest.MonkeyPatch) -> None:
    """Where Python may write no bytecode, as in many containers, keep it in pytest's cache while the tests run.

    Without it each of hundreds of processes compiles pytest, pydantic and us again, which is two thirds of a session,
    and each worker all tests.
    """
    folder = config.cache.mkdir("bytecode")
    patch.setattr(sys, "dont_write_bytecode", False)
    patch.setattr(sys, "pycache_prefix", str(folder))
    patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    patch.setenv("PYTHONPYCACHEPREFIX", str(folder))
    scratch = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())).resolve()
    config.add_cleanup(lambda: shutil.rmtree(folder / scratch.relative_to(scratch.anchor), ignore_errors=True))


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: modules and thousands of tests, a twentieth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # another fortieth: what tests leave behind is seldom in cycles


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Whole sessions first and quick tests last: no worker waits for another one's last test.
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, "pytest_plugin" not in item.path.parts))
    if "external" in config.option.markexpr:
        return
    apart = [item for item in items if item.get_closest_marker("external")]
    if apart:
        items[:] = [item for item in items if not item.get_closest_marker("external")]
        config.hook.pytest_deselected(items=apart)
