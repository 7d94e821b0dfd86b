"""What every process of a session shares, whether it measures, writes or both: the plan, and how it becomes cases."""

import gc
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.callable_judge import importable_from, judge_folders
from independence_bench.catalog.rows import FURTHER_EXPERIMENTS, Experiment
from independence_bench.catalog.scenario_functions import MARKER, function_file_digest
from independence_bench.garbage import without_garbage_collection
from independence_bench.pytest_plugin.hook_calls import HookFailed, PlannedSession, call_hook
from independence_bench.pytest_plugin.late_options import EDITION, SUITE_OPTIONS
from independence_bench.pytest_plugin.overridden_fixtures import OverriddenFixtures, misfit
from independence_bench.safe_text import safe_text
from independence_bench.session.options import read_settings
from independence_bench.session.overriding import Overriding
from independence_bench.session.plan import Plan, build_plan, catalogue_of
from independence_bench.session.settings import Settings
from independence_bench.session.store_selection import with_stored_models
from independence_bench.spec import TrialSpec

MODELS = "independence_bench_models"  # to a worker: the model names that ``--model`` resolves to
PART = "independence_bench_part"  # to a worker: its slot and what else it cannot know, see ``Distribution``
STOPS = "independence_bench_stops"  # to a worker: a channel; what comes on it ends it after what is in flight
RECORDS = "independence_bench_records"  # from a worker: the records that no report has carried, written by marshal
CHARGED = "independence_bench_charged"  # key of a worker's output: what counts against its budget
PACKED = "independence_bench_packed"  # from a worker: a report in one piece, written by marshal
REFUSED = "independence_bench_refused"  # from a worker: why pytest, or a conftest, refused to collect


_Case = tuple[TrialSpec, Any]  # a planned trial, and the markers that its case gets


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
    """Show bad input, and file errors of the system, as pytest shows its usage errors: one sentence, status 4."""
    try:
        yield
    except (BadInput, HookFailed) as error:
        raise pytest.UsageError(safe_text(str(error), sys.maxsize)) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise pytest.UsageError(safe_text(f"{error.filename}: {error.strerror}", sys.maxsize)) from None


def spec_of(item: pytest.Item) -> TrialSpec | None:
    """Return the trial of a case, None for any other item."""
    callspec = getattr(item, "callspec", None)
    spec = callspec.params.get("spec") if callspec is not None else None
    return spec if isinstance(spec, TrialSpec) else None


class Bench:
    """One benchmark session inside one pytest process: settings, plan and collection."""

    def __init__(self, config: pytest.Config, no_garbage: ExitStack) -> None:
        """Hold the config; the plan is built when the session starts, so that --help and --version stay light.
        ``no_garbage`` pauses the garbage collector until it is closed.
        """
        self.config = config
        self._no_garbage = no_garbage
        self.role = role_of(config)
        self.processes = 1  # how many processes measure; a worker is told by its controller
        self.overridden_fixtures = OverriddenFixtures()

    @cached_property
    def _typed_settings(self) -> Settings:
        config = self.config
        with usage_errors():
            settings = read_settings(config.option, config.rootpath, config.invocation_params.dir)
        importable_from(judge_folders(settings.edition, config.rootpath), config.pluginmanager.get_plugins)
        return settings

    @cached_property
    def settings(self) -> Settings:
        """The options as settings, with selections from the store resolved to models."""
        worker_input = getattr(self.config, "workerinput", None)
        if worker_input is not None:  # what the store held when the session began
            return replace(self._typed_settings, models=tuple(worker_input[MODELS]))
        with usage_errors():
            return with_stored_models(self._typed_settings, self.tell)

    def tell(self, sentence: str) -> None:
        """Show a sentence in the terminal, where there is one."""
        self.write_lines(safe_text(sentence, sys.maxsize))

    def write_lines(self, text: str) -> None:
        """Show a text without foreign characters in the terminal, where there is one."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(text)

    @cached_property
    def plan(self) -> Plan:
        """Every trial that the options ask for."""
        with usage_errors():
            plan = build_plan(self.settings)
            if not self.config.option.collectonly:
                _ = plan.by_key  # refuses two trials of one key
            return plan

    @cached_property
    def overriding(self) -> Overriding:
        """How cases may ask something else than the plan."""
        return Overriding(self.plan, self.settings, self.processes)

    def asked_ahead(self, item: pytest.Item, planned: TrialSpec) -> TrialSpec | None:
        """Return what a case asks, None if only its fixtures will say so. Raises BadInput: it cannot be asked."""
        overrides = self.overridden_fixtures.of(item)
        if overrides is None:
            return planned
        return None if overrides.values is None else self.overriding.spec(planned, overrides.values, overrides.places)

    @cached_property
    def experiments(self) -> dict[str, Experiment]:
        """The experiments that this session's configs declare, by their markers."""
        with usage_errors():
            declared = catalogue_of(self._typed_settings).experiments
        return {experiment.marker: experiment for experiment in declared.values()}

    @property
    def shows_only(self) -> bool:
        """Whether this run executes no case."""
        option = self.config.option
        return bool(option.collectonly or option.bench_plan or getattr(option, "setupplan", False))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Refuse bad input before anything is collected."""
        option, plugins = self.config.option, self.config.pluginmanager
        if getattr(option, "forked", False):
            raise pytest.UsageError("--forked: the cases of a session share their calls; use -n N instead")
        if plugins.hasplugin("repeat") and getattr(option, "count", 1) != 1:
            raise pytest.UsageError(f"--count: a repeated case is measured once; use --runs={option.count}")
        with usage_errors():
            plan = self.plan
            if self.role is not Role.WORKER:
                call_hook(self.config, "plan", plan=lambda: PlannedSession.of(plan, self.settings.reports_folder))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Look for garbage from now on, but not in what lives as long as the session."""
        gc.freeze()  # ``pytest_configure`` arranges the unfreezing
        self._no_garbage.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Look for garbage no more: among a session's items and reports each look took an eighth of the end's time."""
        self._no_garbage.enter_context(without_garbage_collection())

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self) -> None:
        """Hide what the session holds from pytest's two last looks for garbage: 0.06 s of each process."""
        gc.freeze()

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one case per trial of the test's experiment, or of the Python scenario that it is."""
        test = metafunc.definition
        leads, experiments = test.get_closest_marker(MARKER), self._asked_in(test.path, test.iter_markers())
        if (leads or experiments is not None) and (trouble := misfit(test)) is not None:
            raise pytest.Collector.CollectError(f"{test.nodeid}: {trouble}")
        if leads:
            named = self._python_scenario_cases(metafunc)
        elif "spec" in metafunc.fixturenames:
            named = self._cases_of_experiments(test, experiments)
        else:
            return
        metafunc.parametrize("spec", [pytest.param(spec, id=spec.case_id, marks=marks) for spec, marks in named])

    def _cases_of_experiments(self, test: pytest.Item, experiments: list[Experiment] | None) -> Iterator[_Case]:
        if experiments is None:
            raise pytest.Collector.CollectError(
                f"{test.nodeid}: a test that uses `trial` needs the marker of its experiment "
                f"({', '.join(self.experiments)})"
            )
        own = {mark.name for mark in test.iter_markers()}
        return (
            (spec, () if each.marker in own else getattr(pytest.mark, each.marker))
            for each in experiments
            for spec in self._collected(self.plan.by_experiment[each.id])
        )

    def _collected(self, specs: Sequence[TrialSpec]) -> Sequence[TrialSpec]:
        """Return the trials of a plan, perhaps of a million, that become items: a shard's own, or each first run."""
        if self._plans_by_first_runs:
            return [spec for spec in specs if spec.run == 1]
        shard = self.settings.shard
        if shard is None:
            return specs
        # A function needs a case; one that is deselected later stands for none.
        return [spec for spec in specs if shard.holds(spec.case_id)] or specs[:1]

    @cached_property
    def _plans_by_first_runs(self) -> bool:
        """Whether ``--plan`` collects each first run for all runs, as nothing chooses cases by their ids."""
        option = self.config.option
        by_id = (option.keyword, option.deselect, *(getattr(option, name, None) for name in ("lf", "stepwise")))
        named = self.settings.shard is not None or any("[" in name for name in self.config.args)
        return bool(option.bench_plan) and not named and not any(by_id)

    def planned_by(self, collected: TrialSpec) -> Iterator[TrialSpec]:
        """Yield the trials of an item: under ``--plan`` perhaps all runs of its cell."""
        runs = range(1, self.plan.runs + 1) if self._plans_by_first_runs else (collected.run,)
        return (replace(collected, run=run) for run in runs)

    def _python_scenario_cases(self, metafunc: pytest.Metafunc) -> Iterator[_Case]:
        test = metafunc.definition
        if "chat" not in metafunc.fixturenames:
            raise pytest.Collector.CollectError(
                f"{test.nodeid}: a function with the marker {MARKER} needs the fixture `chat`"
            )
        with usage_errors():
            source = function_file_digest(test.path)
        own = [
            spec
            for spec in self._collected(self.plan.specs)
            if (function := spec.scenario.function) is not None
            and (function.name, function.source) == (test.originalname, source)
        ]
        if not own:
            raise pytest.Collector.CollectError(
                f"{test.nodeid}: edition {self.plan.edition.id} names no Python scenario {test.originalname} "
                f"as it stands in {test.path.name}; name the file under `scenarios:` of an edition, and the edition "
                f'by `{EDITION} = "edition.yaml"` in the conftest.py of the suite, or by --edition'
            )
        markers = {experiment.id: marker for marker, experiment in self.experiments.items()}
        return ((spec, getattr(pytest.mark, markers[spec.scenario.experiment])) for spec in own)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(
        self, collector: pytest.Collector, name: str, obj: object
    ) -> list[pytest.Item] | None:
        """Collect nothing from an experiment that the edition lacks, not even pytest's placeholder."""
        suites = self.config.stash[SUITE_OPTIONS].suites
        if isinstance(obj, FunctionType) and name.startswith("test") and not suites.isdisjoint(collector.path.parents):
            vars(obj).setdefault("__test__", True)  # a test, whatever ``python_functions`` says of the repository's own
        # Other objects may answer to any name, pytest.mark itself among them.
        own = getattr(obj, "pytestmark", None) if isinstance(obj, FunctionType | type) else None
        marks = (*collector.iter_markers(), *(own if isinstance(own, list) else ()))
        return [] if self._asked_in(collector.path, marks) == [] else None

    def _asked_in(self, module: Path, marks: Iterable[pytest.Mark]) -> list[Experiment] | None:
        named = {mark.name for mark in marks} & {*self.experiments, FURTHER_EXPERIMENTS}
        if FURTHER_EXPERIMENTS in named:
            named = {name for name in self.experiments if not module.with_name(f"test_{name}.py").is_file()}
        elif not named:
            return None
        planned = self.plan.by_experiment
        return [each for marker, each in self.experiments.items() if marker in named and each.id in planned]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the shard, put long files first, let -k match ids with underscores, let --reruns repeat no yield."""
        if (shard := self.settings.shard) is not None:
            others = {item for item in items if (spec := spec_of(item)) is not None and not shard.holds(spec.case_id)}
            self.config.hook.pytest_deselected(items=[item for item in items if item in others])
            items[:] = [item for item in items if item not in others]
        _put_long_files_first(items)
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

    def pytest_terminal_summary(self, exitstatus: int | pytest.ExitCode) -> None:
        """Say which names in ``-m`` or ``-k`` are unknown, and what they might have meant, if no case is left."""
        if self.role is Role.WORKER or exitstatus != pytest.ExitCode.NO_TESTS_COLLECTED:
            return
        markers = [marker for marker, each in self.experiments.items() if each.id in self.plan.by_experiment]
        labels = [model.label for model in self.plan.models]
        named = {*markers, *labels, *(spec.scenario.id for spec in self.plan.specs)}
        everything = "\n".join(named).lower().replace("_", "-")
        option = self.config.option
        for word in _names_in(option.markexpr):
            if word not in markers:
                self.tell(f"-m {word}: no experiment has that name; {near_matches(word, markers)}")
        for word in _names_in(option.keyword):
            if word.lower().replace("_", "-") not in everything:
                self.tell(f"-k {word}: no scenario, model or experiment has that name; {near_matches(word, named)}")

    @property
    def reruns(self) -> int:
        """How often a case that could not be measured is repeated: --reruns, or ``reruns`` of the ini file."""
        option = self.config.option
        numbers = (getattr(option, "force_reruns", None), getattr(option, "reruns", None), self._ini("reruns"))
        return int(next((number for number in numbers if number is not None), 0))

    def _ini(self, name: str) -> float | None:
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


def _names_in(expression: str | None) -> list[str]:
    names = dict.fromkeys(re.findall(r"[^\s()]+", expression or ""))
    return [name for name in names if name not in ("and", "or", "not")]


def _put_long_files_first(items: list[pytest.Item]) -> None:
    """Run the files with the longest conversations first, each as a whole: the engine starts their trials first."""
    longest: dict[Path, int] = {}
    ours = [(place, item, spec) for place, item in enumerate(items) if (spec := spec_of(item)) is not None]
    for _, item, spec in ours:
        longest[item.path] = max(longest.get(item.path, 0), spec.script.chain_in(spec.run))
    ordered = sorted((item for _, item, _ in ours), key=lambda item: -longest[item.path])
    for (place, _, _), item in zip(ours, ordered, strict=True):
        items[place] = item
