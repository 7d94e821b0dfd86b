"""What every process of a session shares: the plan, and how it becomes cases. The two sides stand beside it.

A plain process measures and writes; under xdist a worker measures and the controller writes.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum

import pytest

from independence_bench import __version__
from independence_bench.bad_input import BadInput
from independence_bench.pytest_plugin.options import read_settings
from independence_bench.pytest_plugin.trial import EXPERIMENTS
from independence_bench.safe_text import safe_text
from independence_bench.session.plan import Plan, build_plan, resolve_models
from independence_bench.session.settings import Settings
from independence_bench.session.store_selection import takes_from_store, with_stored_models
from independence_bench.spec import TrialSpec

MODELS = "independence_bench_models"
"""Key of a worker's input: the names that ``--model`` stands for, as JSON."""
VERSION = "independence_bench_version"
"""Key of a worker's input: the controller's version of this package."""


class Role(Enum):
    """What this process does in the session."""

    PLAIN = "plain"
    CONTROLLER = "controller"
    WORKER = "worker"


def role_of(config: pytest.Config) -> Role:
    """Return this process's role; xdist has decided it before any conftest is configured."""
    if hasattr(config, "workerinput"):
        return Role.WORKER
    # With --collect-only xdist starts no worker: this process collects by itself.
    distributed = config.getoption("dist", "no") != "no" and not config.option.collectonly
    return Role.CONTROLLER if distributed else Role.PLAIN


@contextmanager
def usage_errors() -> Iterator[None]:
    """Show bad input as pytest shows its own usage errors: one sentence, exit status 4."""
    try:
        yield
    except BadInput as error:
        raise pytest.UsageError(safe_text(str(error), sys.maxsize)) from None


def spec_of(item: pytest.Item) -> TrialSpec | None:
    """Return the trial of a case, None for an item that is none of ours."""
    callspec = getattr(item, "callspec", None)
    spec = callspec.params.get("spec") if callspec is not None else None
    return spec if isinstance(spec, TrialSpec) else None


class Bench:
    """One benchmark session inside one pytest process: settings, plan and collection."""

    def __init__(self, config: pytest.Config) -> None:
        """Hold the config; the plan is built when the session starts, so that --help and --version stay light."""
        self.config = config
        self.role = role_of(config)
        self._settings: Settings | None = None
        self._plan: Plan | None = None

    @property
    def settings(self) -> Settings:
        """The options as settings."""
        if self._settings is None:
            with usage_errors():
                settings = read_settings(self.config)
                if takes_from_store(settings.models):
                    if self.role is Role.WORKER:
                        # A worker has no store; the controller has looked the names up.
                        names = json.loads(self.config.workerinput[MODELS])  # type: ignore[attr-defined]
                        settings = replace(settings, models=tuple(names))
                    else:
                        settings = with_stored_models(settings, resolve_models)
                self._settings = settings
        return self._settings

    @property
    def plan(self) -> Plan:
        """Every trial that the options ask for."""
        if self._plan is None:
            with usage_errors():
                self._plan = build_plan(self.settings)
        return self._plan

    def key_of(self, spec: TrialSpec) -> str:
        """Return a trial's key."""
        return self.plan.keys[id(spec)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Refuse bad input before anything is collected, and a worker that is not what the controller takes it for."""
        controller = getattr(self.config, "workerinput", {}).get(VERSION, __version__)
        if controller != __version__:
            raise pytest.UsageError(
                f"it has independence-bench {__version__}, the controller {controller}; install one version on both"
            )
        _ = self.plan

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one case per trial of the test's experiment."""
        if "spec" not in metafunc.fixturenames:
            return
        experiment = next(
            (marker.name for marker in metafunc.definition.iter_markers() if marker.name in EXPERIMENTS), None
        )
        if experiment is None:
            raise pytest.UsageError(
                f"{metafunc.definition.nodeid}: a test that uses `trial` needs the marker of its experiment "
                f"({', '.join(EXPERIMENTS)})"
            )
        specs = self.plan.by_experiment.get(experiment, [])
        metafunc.parametrize("spec", specs, ids=[spec.case_id for spec in specs])

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
        """Collect nothing from an experiment that the edition lacks, not even pytest's placeholder."""
        own = getattr(obj, "pytestmark", None)
        marks = (*collector.iter_markers(), *(own if isinstance(own, list) else ()))
        experiments = {marker.name for marker in marks} & set(EXPERIMENTS)
        return [] if experiments and not experiments & set(self.plan.by_experiment) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep this session's shard; let -k match ids written with underscores; let --reruns repeat no yield."""
        self._keep_shard(items)
        by_underscore = "_" in (self.config.option.keyword or "")
        repeat = self._rerun_marker()
        for item in items:
            spec = spec_of(item)
            if spec is None:
                continue
            if by_underscore:
                item.extra_keyword_matches.add(spec.case_id.replace("-", "_"))
            if repeat is not None:
                item.add_marker(repeat)

    def _keep_shard(self, items: list[pytest.Item]) -> None:
        shard = self.settings.shard
        if shard is None:
            return
        others = [item for item in items if (spec := spec_of(item)) is not None and not shard.holds(spec.case_id)]
        if others:
            left_out = set(others)
            items[:] = [item for item in items if item not in left_out]
            self.config.hook.pytest_deselected(items=others)

    @property
    def reruns(self) -> int:
        """How often a case that could not be measured is repeated: --reruns, or ``reruns`` of the ini file."""
        option = self.config.option
        for given in (getattr(option, "force_reruns", None), getattr(option, "reruns", None), self._ini("reruns")):
            if given is not None:
                return int(given)
        return 0

    def _ini(self, name: str) -> float | None:
        """Return a number of the ini file that rerunfailures reads, None where it is unset or none."""
        try:
            return float(self.config.getini(name))
        except (KeyError, TypeError, ValueError):
            return None

    def _rerun_marker(self) -> pytest.MarkDecorator | None:
        if not self.reruns:
            return None
        from independence_bench.pytest_plugin.trial import is_measurement_error

        # In its mode "append" rerunfailures adds the option's number to the marker's.
        own = 0 if getattr(self.config.option, "reruns_mode", "strict") == "append" else self.reruns
        delay = getattr(self.config.option, "reruns_delay", None) or self._ini("reruns_delay") or 0
        return pytest.mark.flaky(reruns=own, reruns_delay=delay, condition=is_measurement_error)
