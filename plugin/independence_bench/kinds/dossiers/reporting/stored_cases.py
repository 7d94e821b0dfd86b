"""Reads the cases of a model configuration from the store. Computes nothing but what a case says of itself."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from independence_bench.kinds.dossiers.case import Case, case_of
from independence_bench.kinds.dossiers.metrics.movements import Movements
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.reporting.reason_board import ChosenStandards
from independence_bench.kinds.dossiers.steps import STEPS
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.numbers.number_report import MeasuredModel
from independence_bench.store import Store


@dataclass(frozen=True)
class ReasonResult(MeasuredModel[Responsiveness]):
    """One model configuration with its cases."""

    cases: Sequence[Case]
    """By run; empty where a planned case is missing."""

    @cached_property
    def found(self) -> Responsiveness | None:
        """What is measured of them; None where there are none."""
        return Responsiveness(Movements.of(self.cases)) if self.cases else None

    @property
    def scored_measures(self) -> Responsiveness | None:
        """What is measured, where enough of it can be read."""
        return self.found if self.found and self.found.scorable else None


def load_cases(store: Store, entry: Ranked) -> ReasonResult:
    """Read every case of a model configuration. Raises StoreFailed: a transcript cannot be read, or is no case."""
    if not entry.result.complete:
        return ReasonResult(entry, ())
    keys = [trial.transcript.key for trial in entry.result.trials if trial.transcript]
    cases = store.read_transcripts(keys, _case).values()
    return ReasonResult(entry, sorted(cases, key=lambda case: (case.facts.run, case.facts.kind)))


def chosen_standards(results: Iterable[ReasonResult]) -> list[ChosenStandards]:
    """Return which standards all models chose, by matter."""
    by_matter: dict[str, Counter[str]] = {}
    for case in (case for result in results for case in result.cases if case.standard is not None):
        counts = by_matter.setdefault(case.facts.kind, Counter(dict.fromkeys(case.facts.standards, 0)))
        counts[case.facts.standards[case.standard or 0]] += 1
    return [ChosenStandards.of(matter, counts) for matter, counts in sorted(by_matter.items())]


def _case(transcript: Any) -> Case:
    """Read the exchanges as plain JSON."""
    exchanges = transcript["exchanges"]
    last = {STEPS[each["item"]]: each["reply"]["answer"] for each in exchanges if each["item"] is not None}
    try:
        return case_of(exchanges[0]["facts"], last)
    except ValueError as error:
        raise LookupError("no case") from error
