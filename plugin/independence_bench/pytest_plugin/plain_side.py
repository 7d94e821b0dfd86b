"""The measuring side of a process that also writes: a session without xdist."""

from typing import TYPE_CHECKING

import pytest

from independence_bench.chat.budget import Budget
from independence_bench.pytest_plugin.bench import Bench, usage_errors
from independence_bench.pytest_plugin.measuring_side import MeasuringSide
from independence_bench.pytest_plugin.open_session import OpenSession
from independence_bench.pytest_plugin.writing import WritingSide
from independence_bench.session.engine_setup import all_limits, open_engine
from independence_bench.spec import TrialSpec

if TYPE_CHECKING:
    from independence_bench.engine import Engine


class PlainSide(MeasuringSide):
    """Measures in the process that also writes: records go straight into the store."""

    session: OpenSession  # opened with the engine

    def __init__(self, bench: Bench, writing: WritingSide) -> None:
        super().__init__(bench)
        self._writing = writing

    def open_engine(self, keys: list[str], late_cases: int) -> "Engine":
        """Open the session."""
        settings = self.bench.settings
        with usage_errors():
            self.session = session = self._writing.open(keys)
            self._writing.begin(session, keys)
        self.states, self.store = session.states, session.store
        budget = Budget(settings.max_cost) if settings.max_cost is not None else None
        limits, attempts = all_limits(settings, session.untried), self.bench.reruns + 1
        known = session.known_verdict
        engine = open_engine(
            settings,
            limits,
            attempts,
            lambda records: session.record(*records),
            known,
            budget,
            clients=self.bench.overriding.clients,
        )
        session.watch(lambda: engine.pace, keys, len(keys) + late_cases)
        return engine

    def starts_ahead(self, case: TrialSpec) -> bool:
        """Every trial."""
        return True

    def looked(self, item: pytest.Item, waits: bool) -> None:
        """Show progress; end the session if it cannot go on: what is not stored is not measured."""
        self.session.end_where_it_cannot_go_on()
        if waits:
            self.session.tick()

    def stop_requested(self) -> bool:
        """Ask the open session."""
        return self._writing.session is not None and self._writing.session.stop_asked

    def before_report(self, report: pytest.TestReport) -> None:
        """Attach nothing: this process stores its records itself."""
