"""The switched-on plugin: pytest's hooks, each handing over to plan, engine or recorder. Thin, no logic of its own."""

from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.engine import Engine
from independence_bench.pytest_plugin.options import read_settings
from independence_bench.pytest_plugin.progress import ProgressLine
from independence_bench.pytest_plugin.trial import EXPERIMENTS, NotMeasured, Trial
from independence_bench.report import CaseResult, Leaderboard, leaderboard_text
from independence_bench.safe_text import safe_text
from independence_bench.session.keys import refuse_missing_keys
from independence_bench.session.measuring import open_engine
from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.plan_text import plan_text
from independence_bench.session.recorder import Recorder
from independence_bench.session.settings import Settings
from independence_bench.session.standing import NOTHING, Outcome, Standing, outcome_of, read_standing, tasks_left
from independence_bench.spec import TrialSpec
from independence_bench.store import Store
from independence_bench.trial import TrialRecord
from independence_bench.wire_json import record_to_json

_OUTCOME = pytest.StashKey[Outcome]()


def register(config: pytest.Config, name: str) -> None:
    """Register the plugin, its fixtures and its markers."""
    from independence_bench.pytest_plugin import fixtures

    for marker, question in EXPERIMENTS.items():
        config.addinivalue_line("markers", f"{marker}: {question}")
    config.pluginmanager.register(Bench(config), name)
    config.pluginmanager.register(fixtures, f"{name}.fixtures")


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Show bad input as pytest shows its own usage errors: one sentence, exit status 4."""
    try:
        yield
    except BadInput as error:
        raise pytest.UsageError(str(error)) from None


class Bench:
    """One benchmark session inside one pytest process."""

    def __init__(self, config: pytest.Config) -> None:
        """Hold the config; the plan is built when the session starts, so that --help and --version stay light."""
        self.config = config
        self._settings: Settings | None = None
        self._plan: Plan | None = None
        self._standing: dict[str, Standing] = {}
        self._store: Store | None = None
        self._engine: Engine | None = None
        self._recorder: Recorder | None = None
        self._board: Leaderboard | None = None
        self._written: list[Path] = []
        self._progress: ProgressLine | None = None

    @property
    def plan(self) -> Plan:
        """The session's plan, built on first use."""
        if self._plan is None:
            with _usage_errors():
                self._settings = read_settings(self.config)
                self._plan = build_plan(self._settings)
        return self._plan

    @property
    def settings(self) -> Settings:
        """The session's settings."""
        _ = self.plan
        assert self._settings is not None
        return self._settings

    # --- collection -------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Refuse bad input before anything is collected."""
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
        markers = {marker.name for marker in marks}
        experiments = markers & set(EXPERIMENTS)
        return [] if experiments and not experiments & set(self.plan.by_experiment) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Let -k match ids written with underscores."""
        if "_" in (self.config.option.keyword or ""):
            for item in items:
                spec = _spec_of(item)
                if spec is not None:
                    item.extra_keyword_matches.add(spec.case_id.replace("-", "_"))

    # --- the loop ---------------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Start this process's trials ahead of their cases; end what is in flight when the loop ends."""
        specs = {self.plan.keys[id(spec)]: spec for item in session.items if (spec := _spec_of(item)) is not None}
        if self.config.option.bench_plan:
            self._show_plan(list(specs))
            session.items.clear()
        elif not self.config.option.collectonly and specs:
            self._begin(list(specs))
        try:
            return (yield)
        finally:
            if self._progress is not None:
                self._progress.close()
            if self._engine is not None:
                self._engine.close()

    def _begin(self, keys: list[str]) -> None:
        with _usage_errors():
            plan, settings = self.plan, self.settings
            store_file = settings.store_file
            if store_file.exists():
                self._store = Store.open(store_file)
                self._standing = read_standing(self._store, plan, keys)
            tasks = tasks_left(plan, self._standing, keys, self._store)
            refuse_missing_keys(tasks, settings.environment)
            if self._store is None:
                self._store = Store.open(store_file)
            self._recorder = Recorder(settings, plan, self._store)
        self._engine = open_engine(settings, plan, self._receive)
        self._progress = ProgressLine.for_config(self.config, self._engine, len(keys), len(keys) - len(tasks))
        self._engine.start(tasks)

    def _receive(self, record: TrialRecord) -> None:
        """Take a finished record in the engine's thread: stored before its case hears of it."""
        assert self._recorder is not None
        self._recorder.record(record_to_json(record))

    def _show_plan(self, keys: list[str]) -> None:
        with _usage_errors():
            store_file = self.settings.store_file
            if store_file.exists():
                with Store.open(store_file, read_only=True) as store:
                    self._standing = read_standing(store, self.plan, keys)
            text = plan_text(self.plan, self._standing, keys)
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(text)
        # --lf's memory belongs to runs that measured something.
        for name in ("lfplugin", "nfplugin", "stepwiseplugin"):
            if self.config.pluginmanager.has_plugin(name):
                self.config.pluginmanager.unregister(name=name)

    # --- a case -----------------------------------------------------------------------------------------------------

    def trial(self, spec: TrialSpec, item: pytest.Item) -> Trial:
        """Return the trial of a case, waiting for it; called while the ``trial`` fixture is set up.

        Raises:
            NotMeasured: the trial could not be measured; the sentence says why.
            pytest.skip.Exception: the model cannot do it.
        """
        __tracebackhide__ = True
        outcome = self._outcome(spec)
        item.stash[_OUTCOME] = outcome
        if outcome.failure is None:
            return Trial(spec, outcome, self.config.option.runxfail)
        if outcome.failure.kind == "unsupported":
            pytest.skip(outcome.failure.message)
        raise NotMeasured(
            f"not measured: {outcome.failure.message}",
            pytrace=self.config.get_verbosity() >= 2,
        )

    def _outcome(self, spec: TrialSpec) -> Outcome:
        key = self.plan.keys[id(spec)]
        standing = self._standing.get(key, NOTHING)
        engine = self._engine
        if engine is None or not engine.knows(key):
            return outcome_of(self.plan, spec, standing, None)
        while True:
            try:
                return outcome_of(self.plan, spec, standing, engine.result(key, timeout=0.1))
            except TimeoutError:
                if self._progress is not None:
                    self._progress.tick()
            except CancelledError:
                raise NotMeasured("not measured: the session ended first", pytrace=False) from None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the case's result home on its deciding report, as one JSON string."""
        report = yield
        spec = _spec_of(item)
        if spec is not None and (report.when == "call" or (report.when == "setup" and not report.passed)):
            outcome = item.stash.get(_OUTCOME, Outcome())
            report.bench_case = _case_json(item, spec, report, outcome)  # type: ignore[attr-defined]
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the result off the report, before any other plugin could write it somewhere."""
        result_json = report.__dict__.pop("bench_case", None)
        if result_json is None or self._recorder is None:
            return
        result = self._recorder.case(result_json)
        report.bench_word = result.outcome  # type: ignore[attr-defined]
        if self._progress is not None:
            self._progress.case_done(result.outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Say held and yielded where pytest would say passed and xfailed; the outcomes stay pytest's own."""
        word = getattr(report, "bench_word", None)
        quiet = self._progress is not None and self._progress.replaces_letters
        if word in ("held", "measured"):
            return "passed", "" if quiet else ".", "" if quiet else word.upper()
        if word == "yielded" and report.skipped:
            return "xfailed", "" if quiet else "y", "" if quiet else "YIELDED"
        return None

    # --- the end ----------------------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int | pytest.ExitCode) -> None:
        """Write the reports."""
        if self._recorder is not None:
            with _usage_errors():
                self._board, self._written = self._recorder.finish(int(exitstatus))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the leaderboard."""
        if self._board is None or self.config.get_verbosity() < -1:
            return
        terminalreporter.section("Independence Index")
        terminalreporter.write_line(leaderboard_text(self._board))
        for file in self._written:
            if file.name == "LEADERBOARD.md":
                terminalreporter.write_line(f"\n{_relative(file, self.config.invocation_params.dir)}")

    def pytest_unconfigure(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()


def _spec_of(item: pytest.Item) -> TrialSpec | None:
    callspec = getattr(item, "callspec", None)
    spec = callspec.params.get("spec") if callspec is not None else None
    return spec if isinstance(spec, TrialSpec) else None


def _case_json(item: pytest.Item, spec: TrialSpec, report: pytest.TestReport, outcome: Outcome) -> str:
    reason = ""
    if report.passed:
        word = "held" if spec.scenario.passes else "measured"
    elif outcome.failure is not None:
        word = "skipped" if outcome.failure.kind == "unsupported" else "not measured"
        reason = outcome.failure.message
    elif report.when == "call" and outcome.judged:
        word = "yielded" if spec.scenario.passes else "measured"
        reason = safe_text(str(getattr(report, "wasxfail", "") or ""))
    else:
        word = "not measured"
        reason = safe_text(report.longreprtext)
    return CaseResult(
        node_id=item.nodeid,
        case_id=spec.case_id,
        label=spec.model.label,
        scenario=spec.scenario.id,
        run=spec.run,
        system_variant=spec.system_variant,
        delivery_mode=spec.delivery_mode,
        outcome=word,
        scores=outcome.scores,
        reason=reason,
        seconds=outcome.seconds,
        cost_usd=outcome.cost_usd,
    ).model_dump_json()


def _relative(file: Path, folder: Path) -> str:
    return str(file.relative_to(folder)) if file.is_relative_to(folder) else str(file)
