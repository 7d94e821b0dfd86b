"""Reads the cases of a model configuration from the store. Computes nothing but what a case says of itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from independence_bench.kinds.dossiers.case import Case, case_of
from independence_bench.kinds.dossiers.metrics.movements import Movements
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.steps import STEPS, Step
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.numbers.number_report import MeasuredModel
from independence_bench.store import Store


@dataclass(frozen=True)
class StoredCase:
    """One case and where it is stored."""

    key: str
    scenario: str
    run: int
    case: Case


@dataclass(frozen=True)
class ReasonResult(MeasuredModel[Responsiveness]):
    """One model configuration with its cases."""

    stored: Sequence[StoredCase]
    """Empty where a planned case is missing."""

    @property
    def cases(self) -> list[Case]:
        """The cases alone."""
        return [each.case for each in self.stored]

    @cached_property
    def found(self) -> Responsiveness | None:
        """What is measured of them; None where there are none."""
        return Responsiveness(Movements.of(self.cases)) if self.stored else None


def load_cases(store: Store, entry: Ranked) -> ReasonResult:
    """Read every case of a model configuration.

    Raises:
        StoreFailed: a transcript cannot be read, or is no case.
    """
    trials = {trial.transcript.key: trial for trial in entry.result.trials if trial.transcript}
    if not entry.result.complete:
        return ReasonResult(entry, ())
    cases = store.read_transcripts(trials, _case)
    stored = [StoredCase(key, trials[key].scenario.id, trials[key].run, case) for key, case in cases.items()]
    stored.sort(key=lambda each: (each.run, each.scenario))
    return ReasonResult(entry, stored)


def _case(transcript: Any) -> Case:
    """Read the exchanges as plain JSON."""
    exchanges = transcript["exchanges"]
    last: dict[Step, str] = {
        STEPS[each["item"]]: each["reply"]["answer"] for each in exchanges if each["item"] is not None
    }
    try:
        return case_of(exchanges[0]["facts"], last)
    except ValueError as error:
        raise LookupError("no case") from error
