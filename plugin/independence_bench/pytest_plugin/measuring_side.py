"""Measuring, in a plain process (``PlainSide``) and in workers (``WorkerSide``): runs the engine for cases."""

import gc
import json
import sys
import time
import warnings
from abc import abstractmethod
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.chat.trial_keys import stored_under
from independence_bench.kept_texts import KeptTexts
from independence_bench.pytest_plugin.bench import Bench, Role, spec_of, usage_errors
from independence_bench.pytest_plugin.case_reports import case_result, forget_numbers, note_numbers
from independence_bench.pytest_plugin.case_trials import ASKED, OUTCOME, WAIT_S, CaseTrials
from independence_bench.pytest_plugin.clean_reports import clean_report, clean_warning
from independence_bench.pytest_plugin.overridden_fixtures import FixtureOverrides
from independence_bench.pytest_plugin.python_scenario_cases import PythonScenarioCases, PythonScenarioTrial
from independence_bench.pytest_plugin.trial import NotMeasured, Refused, Trial
from independence_bench.safe_text import safe_text
from independence_bench.session.overriding import NOWHERE, Places, where
from independence_bench.session.stored_state import NOTHING, Outcome, StoredState, outcome_of, read_states, tasks_left
from independence_bench.spec import Endpoint, TrialSpec
from independence_bench.store import Store
from independence_bench.trial import Reply, Transcript, TrialRecord
from independence_bench.wire_json import value_to_json

if TYPE_CHECKING:
    from independence_bench.engine import Engine

YOUNG_OBJECTS = 50_000  # new ones before the garbage collector looks at them

_TRIES = pytest.StashKey[int]()  # how often this process has asked for the case's trial


class MeasuringSide(CaseTrials):
    """Starts this process's trials ahead of their cases and gives each case its trial."""

    store: Store  # open once there is an engine

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.python_scenarios = PythonScenarioCases(self)
        self.states: dict[str, StoredState] = {}  # what is stored of the trials, by key
        self.conversations: dict[str, Transcript] = {}
        """Transcripts of this session that another trial judges as well, by the key that they are stored under."""
        self._waiting: list[tuple[pytest.Item, TrialSpec]] = []
        """The cases, with their planned trials, until the first of them begins: a worker gets it when all workers have
        collected."""
        self._places: dict[FunctionType, tuple[str, int | None]] = {}  # file and line of each test's function
        self._all_known = False  # every case's trial was known when the engine began: no other will come
        self._outcomes = KeptTexts()  # by key, of trials whose records are gone; all tests of the trial share them
        self._sharing: dict[Hashable, list[TrialSpec]] = {}  # planned, of cases whose overridden fixtures agree

    @abstractmethod
    def open_engine(self, keys: list[str], late_cases: int) -> "Engine":
        """Return the engine for the cases' trials; of ``late_cases`` more the trials are not known yet."""

    @abstractmethod
    def starts_ahead(self, case: TrialSpec) -> bool:
        """Return whether this process starts the trial of a case, given by its planned trial, ahead of the case."""

    def transcript(self, key: str) -> Transcript:
        """Return a transcript by its stored key. Raises BadInput: it is damaged."""
        return self.conversations.get(key) or self.store.transcript_body(key)

    def look_up(self, keys: list[str]) -> None:
        """Add to ``states`` what is stored of trials that were not known when the session began; a worker's own
        conversations may be on their way to the store.
        """
        self.states |= read_states(self.store, self.bench.plan, keys, self.conversations)

    def kept_answers(self, key: str) -> dict[str, Reply]:
        """Ask the store."""
        return self.store.answers([key]).get(key, {})

    @abstractmethod
    def before_report(self, report: pytest.TestReport) -> None:
        """Attach this process's records and progress to a case's report."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Begin with the first case; run none once the session is told to stop: what is under way ends first."""
        if not self.stop_requested():
            self._locate(item)
            cases, self._waiting = self._waiting, []
            if cases:
                self._begin(cases)
            return None
        if self._engine is not None:
            self._engine.begin_nothing()
            while not self._engine.idle:
                time.sleep(WAIT_S)
                self.looked(item, waits=True)
        return True  # without a report: the case has not run

    def _locate(self, item: pytest.Item) -> None:
        """Look for a function's file and line once for all its cases; pytest would for each."""
        if type(item) is not pytest.Function or not isinstance(item.obj, FunctionType):
            return
        if {"location", "reportinfo"} & vars(item).keys():  # another plugin's
            return
        if item.obj in self._places:
            item.location = (*self._places[item.obj], item.getmodpath())
        else:
            self._places[item.obj] = item.location[:2]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Note the items that are left after -k, -m and --lf; end what is in flight with the loop."""
        cases = [(item, spec) for item in session.items if (spec := spec_of(item)) is not None]
        # pytest refuses to run a collection with errors.
        refused = session.testsfailed and not session.config.option.continue_on_collection_errors
        if not refused and not self.bench.shows_only:
            self._waiting = cases
        try:
            return (yield)
        finally:
            if self._engine is not None:
                self._engine.close()

    def _begin(self, cases: list[tuple[pytest.Item, TrialSpec]]) -> None:
        bench = self.bench
        known: list[tuple[str, TrialSpec]] = []  # key of the trial that is asked, and the case's planned trial
        for item, planned in cases:
            asked = self._asked_ahead(item, planned)
            if asked is not None:
                known.append((bench.plan.keys[asked], planned))
            elif (overrides := bench.overridden_fixtures.of(item)) is not None and overrides.shared_by is not None:
                self._sharing.setdefault(overrides.shared_by, []).append(planned)
        # Two tests of one trial share it.
        keys = list(dict.fromkeys(key for key, _ in known))
        self._all_known = len(known) == len(cases)
        self._engine = self.open_engine(keys, len(cases) - len(known))
        self._engine.kept = self._kept
        # Plan, items and modules live as long as the session: scanning them for garbage took a third to a half of the
        # collector's time (0.35 s with 1,200 cases, 0.2 s without). ``pytest_configure`` arranges the unfreezing.
        gc.freeze()
        # What else lives belongs to trials under way: looked through every 700 objects, 0.4 s of 4 s with 3,280 calls.
        bench.config.add_cleanup(partial(gc.set_threshold, *gc.get_threshold()))
        gc.set_threshold(YOUNG_OBJECTS)
        with usage_errors():  # a stored transcript may turn out to be damaged
            self._start(key for key, planned in known if self.starts_ahead(planned))

    def _asked_ahead(self, item: pytest.Item, planned: TrialSpec) -> TrialSpec | None:
        bench = self.bench
        if bench.role is not Role.WORKER:
            with usage_errors():
                return bench.asked_ahead(item, planned)
        with suppress(BadInput):  # a worker that ended here would be replaced by another, and that one too
            asked = bench.asked_ahead(item, planned)
            return self._checked(asked, NOWHERE) if asked is not None and asked is not planned else asked
        return None

    def _checked(self, spec: TrialSpec, places: Places) -> TrialSpec:
        if (key := self.bench.plan.keys[spec]) not in self.states:
            self.look_up([key])
        self.bench.overriding.refuse_unaskable(spec, self.states, places)
        return spec

    def _start(self, keys: Iterable[str]) -> None:
        """Start what is left of these trials; of those with one conversation only the first: the others judge it."""
        engine = self._engine
        assert engine is not None
        first: dict[str, str] = {}
        for key in keys:
            if not engine.knows(key):
                first.setdefault(stored_under(key), key)
        engine.start(tasks_left(self.bench.plan, self.states, first.values(), self.transcript))

    # --- a case -----------------------------------------------------------------------------------------------------

    def trial(self, planned: TrialSpec, item: pytest.Item, values: Mapping[str, object]) -> Trial | PythonScenarioTrial:
        """Return the trial of a case, waiting for it; of an unasked Python scenario, one for its function to lead.
        ``values`` are what our fixtures, or those that override them, have returned. Raises as :meth:`settle`.
        """
        __tracebackhide__ = True
        overrides = self.bench.overridden_fixtures.of(item)
        spec = planned if overrides is None else self._overridden(planned, overrides, values)
        function = spec.scenario.function
        if function is not None and self.states.get(self.bench.plan.keys[spec], NOTHING).transcript_hash:
            function = None  # its conversation is over
        if function is not None and overrides is not None:
            why = f"Python scenario {function.name} asks what is planned; leave it as it is there"
            raise Refused(f"not measured: {where(overrides.names, overrides.places)}: {why}", pytrace=False)
        item.stash[ASKED] = spec
        if function is None:
            return self.settle(spec, item, self._outcome(spec, item))
        trial = self.python_scenarios.trial(spec, item)
        return trial if isinstance(trial, PythonScenarioTrial) else self.settle(spec, item, trial)

    def endpoint_of(self, planned: TrialSpec, model: object, item: pytest.Item) -> Endpoint:
        """Return the endpoint of the model that the fixture ``model`` returned."""
        __tracebackhide__ = True
        if model is planned.model:
            return planned.model.endpoint
        overrides = self.bench.overridden_fixtures.of(item)
        with _refusals():
            return self.bench.overriding.model(model, planned.model, overrides.places if overrides else {}).endpoint

    def _overridden(self, planned: TrialSpec, overrides: FixtureOverrides, values: Mapping[str, object]) -> TrialSpec:
        __tracebackhide__ = True
        returned_values = {name: values[name] for name in overrides.names}
        overriding, application = self.bench.overriding, overrides.application
        with _refusals():
            asked = overriding.spec(planned, returned_values, overrides.places, application)
            spec = self._checked(asked, overrides.places)
        with suppress(BadInput):  # the case that it concerns will say so
            others = filter(self.starts_ahead, self._sharing.pop(overrides.shared_by, ()))
            specs = [overriding.spec(each, returned_values, application=application) for each in others]
            keys = [self.bench.plan.keys[each] for each in specs]
            self.look_up([key for key in keys if key not in self.states])
            self._start(keys)
        return spec

    def _outcome(self, spec: TrialSpec, item: pytest.Item) -> Outcome:
        plan, engine = self.bench.plan, self.engine
        key = self.bench.plan.keys[spec]
        # Counted here: after a crash rerunfailures continues the count of the dead worker, but this engine is new.
        tries = item.stash.get(_TRIES, 0) + 1
        item.stash[_TRIES] = tries
        if engine.released(key) and (known := self._outcomes.get(key)) is not None:
            self.looked(item, waits=False)
            return Outcome.model_validate(json.loads(known))
        records: list[TrialRecord] = []
        try:
            if not engine.knows(key):
                # Measured already, distributed by a foreign scheduler, or not planned: it starts with its case.
                self._await_conversation(engine, key, item)
                if key not in self.states:
                    self.look_up([key])
                with _refusals():
                    self._start([key])
                if not engine.knows(key):
                    return outcome_of(plan, spec, self.states.get(key, NOTHING))
            while len(records) < tries and (not records or records[-1].failures):
                records.append(self.wait(key, len(records) + 1, item))
                if (known := self._outcomes.get(key)) is not None:
                    engine.release(key)
                    return Outcome.model_validate(json.loads(known))
            return outcome_of(plan, spec, self.states.get(key, NOTHING), records)
        except CancelledError:
            raise NotMeasured("not measured: the session ended first", pytrace=False) from None

    def _kept(self, key: str, record: TrialRecord) -> TrialRecord:
        """Keep only the outcome of a trial that was measured at its first attempt; called in the engine's thread.
        Transcripts would fill the memory: the longest trials start first, and their cases may come last.
        """
        plan, conversation = self.bench.plan, stored_under(key)
        if plan.by_key[key].scenario.function is not None:
            return record  # `python_scenario_cases.py` makes its outcome of the whole record
        alone = len({conversation, *plan.of_conversation.get(conversation, ())} & plan.by_key.keys()) == 1
        if record.failures or not (self._all_known and alone):
            return record
        outcome = outcome_of(plan, plan.by_key[key], self.states.get(key, NOTHING), [record])
        self._outcomes.put(key, value_to_json(outcome))
        return record.model_copy(update={"transcript": None, "verdicts": ()})

    def _await_conversation(self, engine: "Engine", key: str, item: pytest.Item) -> None:
        """Wait for the trials that have the same conversation and other judges: none is generated twice."""
        conversation = stored_under(key)
        for other in (conversation, *self.bench.plan.of_conversation.get(conversation, ())):
            if engine.knows(other):
                record = self.wait(other, self.bench.reruns + 1, item)
                if record.transcript is not None:
                    self.conversations[conversation] = record.transcript
                    self.states.pop(key, None)  # it is stored now

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the case's result to its deciding report, and finished records to every report."""
        if call.excinfo is not None and isinstance(call.excinfo.value, pytest.xfail.Exception):
            # Only its sentence is shown; pytest would look for the file of each of its thirty frames.
            call.excinfo.traceback = call.excinfo.traceback[-2:]
        report = yield
        spec = item.stash.get(ASKED, None) or spec_of(item)
        if spec is not None and (report.when == "call" or (report.when == "setup" and not report.passed)):
            outcome = item.stash.get(OUTCOME, Outcome())
            report.bench_over_budget = outcome.failure is not None and outcome.failure.kind == "budget"  # type: ignore[attr-defined]
            result = case_result(self.bench, item, spec, outcome, report, call)
            report.bench_case = result.model_dump_json()  # type: ignore[attr-defined]
            note_numbers(item, result, self.bench.plan.judges_of(spec))
        if report.when == "teardown":  # items live as long as the session
            forget_numbers(item)
            if OUTCOME in item.stash:
                del item.stash[OUTCOME]
        if spec is not None:
            clean_report(report)
        self.before_report(report)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage) -> None:
        """Clean what a function warns of, before a worker sends it."""
        clean_warning(warning_message)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except BadInput as error:
        raise Refused(f"not measured: {safe_text(str(error), sys.maxsize)}", pytrace=False) from None
