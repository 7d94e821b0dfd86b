"""What a case gets of its trial, in every process that measures: the engine's record, waited for, and the outcome."""

from abc import ABC, abstractmethod
from contextlib import suppress

import pytest

from independence_bench.engine import Engine
from independence_bench.pytest_plugin.bench import Bench
from independence_bench.pytest_plugin.trial import NotMeasured, OverBudget, Trial
from independence_bench.session.stored_state import Outcome
from independence_bench.spec import TrialSpec
from independence_bench.trial import Reply, TrialRecord

WAIT_S = 0.1  # seconds between two looks of a waiting case

ASKED = pytest.StashKey[TrialSpec]()  # the trial that a case asks: its parameter's, or what its fixtures define
OUTCOME = pytest.StashKey[Outcome]()


class CaseTrials(ABC):
    """Gives each case its trial."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        """The engine of this process. Raises NotMeasured: it has none."""
        if self._engine is None:
            raise NotMeasured("not measured: this process has no engine", pytrace=False)
        return self._engine

    def wait(self, key: str, attempt: int, item: pytest.Item) -> TrialRecord:
        """Return the record of an attempt at a trial that was started, waiting for it."""
        engine = self.engine
        while True:
            record = None
            with suppress(TimeoutError):
                record = engine.result(key, timeout=WAIT_S, attempt=attempt)
            self.looked(item, waits=record is None)
            if self.stop_requested():
                engine.begin_nothing()
            if record is not None:
                return record

    def settle(self, spec: TrialSpec, item: pytest.Item, outcome: Outcome, broke: BaseException | None = None) -> Trial:
        """Return the measured trial of a case; ``broke`` is what ended the function of a Python scenario.
        Raises NotMeasured: it could not be measured. Raises pytest.skip.Exception: the model cannot do it.
        """
        __tracebackhide__ = True
        item.stash[OUTCOME] = outcome
        config = self.bench.config
        if outcome.failure is None:
            return Trial(spec, outcome, config.option.runxfail)
        if outcome.failure.kind == "unsupported":
            pytest.skip(outcome.failure.message)
        error = OverBudget if outcome.failure.kind == "budget" else NotMeasured
        trace = broke is not None or config.get_verbosity() >= 2
        raise error(f"not measured: {outcome.failure.message}", pytrace=trace) from broke

    def measured(self, item: pytest.Item) -> Trial | None:
        """Return the measured trial of a case whose setup is over; None of any other item."""
        if (outcome := item.stash.get(OUTCOME, None)) is None:
            return None
        return Trial(item.stash[ASKED], outcome, self.bench.config.option.runxfail)

    @abstractmethod
    def kept_answers(self, key: str) -> dict[str, Reply]:
        """Return what is kept of a Python scenario's trial that is not whole, by the digest of what was asked."""

    @abstractmethod
    def looked(self, item: pytest.Item, waits: bool) -> None:
        """Do what is due after each look for a case's record, every ``WAIT_S``; ``waits`` ends with its arrival."""

    @abstractmethod
    def stop_requested(self) -> bool:
        """Return whether the session is to end after what is in flight."""
