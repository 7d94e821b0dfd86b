"""Reads the cases of a model configuration from the store. Computes nothing but what a case says of itself."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.dossiers.case import Case, case_of
from independence_bench.kinds.dossiers.design import GENERATOR, DossiersDesign
from independence_bench.kinds.dossiers.metrics.movements import Movements
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.reporting.reason_board import ChosenStandards
from independence_bench.kinds.dossiers.steps import STEPS, Step
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.numbers.number_report import MeasuredModel
from independence_bench.store import Store

LONGEST_LINE = 80  # characters of a line that is quoted


@dataclass(frozen=True)
class StoredCase:
    """One case and where it is stored."""

    key: str
    scenario: str
    run: int
    case: Case
    unread: tuple[str, ...]  # first lines of the answers that could not be read: at the start, else later on


@dataclass(frozen=True)
class ReasonResult(MeasuredModel[Responsiveness]):
    """One model configuration with its cases."""

    stored: Sequence[StoredCase]
    """Empty where a planned case is missing, and where another generator drew the cases."""

    @property
    def cases(self) -> list[Case]:
        """The cases alone."""
        return [each.case for each in self.stored]

    @cached_property
    def found(self) -> Responsiveness | None:
        """What is measured of them; None where there are none."""
        return Responsiveness(Movements.of(self.cases)) if self.stored else None

    @property
    def scored(self) -> Responsiveness | None:
        """What is measured, where enough of it can be read."""
        return self.found if self.found and self.found.scorable else None


def load_cases(store: Store, entry: Ranked) -> ReasonResult:
    """Read every case of a model configuration. Raises StoreFailed: a transcript cannot be read, or is no case."""
    trials = {trial.transcript.key: trial for trial in entry.result.trials if trial.transcript}
    if not entry.result.complete or of_earlier_generator(entry.result.session.edition):
        return ReasonResult(entry, ())
    cases = store.read_transcripts(trials, _case)
    stored = [StoredCase(key, trials[key].scenario.id, trials[key].run, *found) for key, found in cases.items()]
    stored.sort(key=lambda each: (each.run, each.scenario))
    return ReasonResult(entry, stored)


def chosen_standards(results: Iterable[ReasonResult]) -> list[ChosenStandards]:
    """Return which standards all models chose, by matter."""
    by_matter: dict[str, Counter[str]] = {}
    for case in (case for result in results for case in result.cases if case.standard is not None):
        counts = by_matter.setdefault(case.facts.kind, Counter(dict.fromkeys(case.facts.standards, 0)))
        counts[case.facts.standards[case.standard or 0]] += 1
    return [ChosenStandards.of(matter, counts) for matter, counts in sorted(by_matter.items())]


def of_earlier_generator(edition: Edition) -> bool:
    """Return whether the dossiers of a session were drawn by another generator, so that its cases are not read."""
    return isinstance(edition.design, DossiersDesign) and edition.design.generator != GENERATOR


def _case(transcript: Any) -> tuple[Case, tuple[str, ...]]:
    """Read the exchanges as plain JSON."""
    exchanges = transcript["exchanges"]
    last: dict[Step, str] = {
        STEPS[each["item"]]: each["reply"]["answer"] for each in exchanges if each["item"] is not None
    }
    try:
        case = case_of(exchanges[0]["facts"], last)
    except ValueError as error:
        raise LookupError("no case") from error
    if case.standard is None:
        unread: Sequence[Step] = ("standard",)
    else:
        unread = ("stance",) if case.start is None else [step for step, found in case.stances.items() if found is None]
    return case, tuple(_first_line(last.get(step, "")) for step in unread)


def _first_line(answer: str) -> str:
    line = next(filter(None, map(str.strip, answer.splitlines())), "")
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"
