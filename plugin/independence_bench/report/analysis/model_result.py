"""One model configuration: every planned trial with what is known of it. Makes no row, reads no store."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Self

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.answer_relevance import AnswerRelevance
from independence_bench.report.analysis.panel_verdicts import Verdicts, panel_scores
from independence_bench.report.analysis.planned import PanelOutcome, PlannedTrial, run_scores
from independence_bench.report.analysis.records import CellKey, ModelRecords
from independence_bench.scoring import (
    MissingComponent,
    PanelScores,
    RunScores,
    completed,
    component_values,
    index_or_none,
)
from independence_bench.scoring.components import all_known
from independence_bench.scoring.worths import ScenarioWorth, index_worths
from independence_bench.spec import Scenario
from independence_bench.store import Session, VerdictRow
from independence_bench.store.adding import MEASURED
from independence_bench.trial import FailureKind
from independence_bench.utc import utc

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample

DIED: FailureKind = "crashed"


class ModelResult:
    """Everything about one model configuration in one group of cells, computed from its records."""

    def __init__(self, session: Session, records: ModelRecords, verdicts: Verdicts, runs: int | None = None) -> None:
        """Look up every planned trial of the runs 1 to ``runs``, by default all runs that were begun."""
        self.session = session
        self.records = replace(records, transcripts={}, failures={})
        """Who was asked what; the rows are in the trials."""
        self.panel = session.panel if records.judges is None else records.judges
        self.lost = 0  # how often a process died with a trial that was measured since
        self.relevance = AnswerRelevance()  # known once its answers have been read, with its row
        self.no_index: str | None = None  # why no number may be computed from its scores; known with its row
        self.by_words = False  # whether only that nobody has understood the answers stands in the way
        scenarios = {scenario.id: scenario for scenario in session.edition.scenarios}
        self.runs = range(1, (records.runs(session) if runs is None else runs) + 1)
        self._best: bool | None = None  # whether missing scores are taken to be best, or worst; None: they are missing
        self._outcomes: dict[tuple[str, int], PanelOutcome] = {}
        self.trials = [
            self._settled(self._trial(records, cell, run, scenarios[cell[0]], verdicts))
            for run in self.runs
            for cell in records.cells
        ]

    @property
    def by_run(self) -> list[list[PlannedTrial]]:
        """The planned trials of each run, in order."""
        planned = len(self.records.cells)
        return [self.trials[(run - 1) * planned : run * planned] for run in self.runs]

    @cached_property
    def complete(self) -> bool:
        """True where every planned trial is measured."""
        return all(trial.measured for trial in self.trials)

    def withhold(self, reason: str, by_words: bool) -> None:
        """Let no number be computed from its scores; ``by_words``: which trials reached their pass mark stays known."""
        self.no_index, self.by_words = reason, by_words
        hidden = {id(trial.outcome): trial.outcome for trial in self.trials}
        hidden = {name: outcome.withheld(by_words) for name, outcome in hidden.items()}
        self.trials = [replace(trial, outcome=hidden[id(trial.outcome)]) for trial in self.trials]

    def at_bound(self, best: bool) -> Self:
        """Return it as if every missing score were measured, and best or worst."""
        bound = copy(self)
        bound._best, bound.complete = best, True
        bound.sample = sample_or_none(self.session.edition, bound.scores)
        return bound

    @property
    def counts(self) -> bool:
        """True where numbers may be computed: every planned trial is measured, and nothing withholds them."""
        return self.complete and self.no_index is None

    @property
    def imported(self) -> bool:
        """True where every transcript came with an import."""
        origins = {trial.transcript.origin for trial in self.trials if trial.transcript}
        return bool(origins) and MEASURED not in origins

    @cached_property
    def sample(self) -> "Sample | None":
        """Index points by scenario and run, for everything that asks how sure the Index is; None where it has none."""
        return sample_or_none(self.session.edition, self.scores) if self.counts else None

    @cached_property
    def _worths(self) -> dict[str, ScenarioWorth]:
        return index_worths(self.session.edition)

    def component_sample(self, component: str) -> "Sample | None":
        """Return a component's points, 0..100; None where a trial is missing, or it has no Index for another reason.
        KeyError: not the edition's.
        """
        return None if self.no_index else sample_or_none(self.session.edition, self.scores, component)

    @property
    def held_sample(self) -> "Sample | None":
        """Held and yielded as points, 100 in all; None where there is no Index, or no scenario has a pass mark."""
        marked = [scenario for scenario in self.session.edition.scenarios if scenario.passes]
        if not marked or not self.counts:
            return None
        from independence_bench.scoring.uncertainty import Sample  # late: numpy

        worth = 100 / len(marked)
        return Sample.of(
            base=0.0,
            points=[[worth * _held_share(run, scenario) for run in self.by_run] for scenario in marked],
            worth=[worth] * len(marked),
            rounding=[worth**2 / 12] * len(marked),
            scenarios=[scenario.id for scenario in marked],
            experiments=[scenario.experiment for scenario in marked],
        )

    @property
    def asked_between(self) -> tuple[str | None, str | None]:
        """When its oldest and its newest transcript were complete, ISO 8601, UTC; None where there is none."""
        times = [trial.transcript.created_at for trial in self.trials if trial.transcript]
        return (utc(min(times)), utc(max(times))) if times else (None, None)

    @cached_property
    def days(self) -> tuple[str, ...]:
        """The date, in UTC, on which each run's last conversation was held."""
        runs = [[trial.transcript for trial in run if trial.transcript] for run in self.by_run]
        return tuple(utc(max([0.0, *(each.created_at for each in run)]))[:10] for run in runs)

    def newest(self) -> float:
        """Return when the newest record that this row rests on was made; unix time."""
        made = [row.created_at for trial in self.trials for row in (trial.transcript, *trial.verdicts) if row]
        return max(made + [failure.at for trial in self.trials for failure in trial.failures], default=0.0)

    @property
    def scores(self) -> list[RunScores]:
        """The panel's scores of each run, by scenario; as if nothing were measured where numbers are withheld."""
        edition, best = self.session.edition, self._best
        runs = [{} if self.no_index else run_scores(edition, trials) for trials in self.by_run]
        return runs if best is None else [completed(edition, run, best) for run in runs]

    def index_by(self, judge: int) -> float | None:
        """Return the mean Index over the runs by one judge, by its place in the panel; None where a run has none."""
        edition = self.session.edition
        values = (component_values(edition, run_scores(edition, run, judge)) for run in self.by_run)
        indices = all_known(index_or_none(edition, each) for each in values)
        return mean(indices) if indices and not self.no_index else None

    def _settled(self, trial: PlannedTrial) -> PlannedTrial:
        """Leave the deaths of processes out of a measured trial: reports say of it what they would without them."""
        if not trial.failures or not trial.measured:
            return trial
        kept = [failure for failure in trial.failures if failure.kind != DIED]
        self.lost += len(trial.failures) - len(kept)
        return replace(trial, failures=kept)

    def _trial(
        self, records: ModelRecords, cell: CellKey, run: int, scenario: Scenario, verdicts: Verdicts
    ) -> PlannedTrial:
        transcript = records.transcripts.get((cell, run))
        failures = records.failures.get((cell, run), ())
        text_hash, key = (transcript.transcript_hash, transcript.key) if transcript else ("", "")
        own = verdicts.own_scores(key)
        if scenario.rubric is None:
            outcome = self._outcome(scenario, (own,) if own else ())
            return PlannedTrial(cell, run, scenario, transcript, (), outcome, failures)
        rubric = scenario.rubric.digest
        panel = tuple([verdicts.find(text_hash, rubric, judge.configuration, key) for judge in self.panel])
        outcome = self._outcome(scenario, panel_scores(panel, own))
        earlier = verdicts.intermediate_verdicts(key, text_hash) if own else ()
        return PlannedTrial(cell, run, scenario, transcript, panel, outcome, failures, earlier)

    def _outcome(self, scenario: Scenario, scores: PanelScores) -> PanelOutcome:
        name = scenario.id, id(scores)  # equal scores are mostly one object, which its outcome keeps alive
        if name not in self._outcomes:
            worth = self._worths.get(scenario.id)
            self._outcomes[name] = PanelOutcome(scenario, scores, self.session.edition.aggregation, worth)
        return self._outcomes[name]


def _held_share(run: Iterable[PlannedTrial], scenario: Scenario) -> float:
    return mean([float(trial.outcome.held is True) for trial in run if trial.scenario.id == scenario.id])


def paid_verdicts(trials: Iterable[PlannedTrial]) -> Iterator[VerdictRow]:
    """Yield the verdicts that these trials paid for; equal conversations share theirs."""
    for trial in trials:
        for verdict in (*trial.verdicts, *trial.intermediate_verdicts):
            if trial.transcript and verdict and verdict.trial_key == trial.transcript.key:
                yield verdict


def total(costs: Iterable[float | None]) -> float | None:
    """Add up costs; one unknown part makes the sum unknown."""
    known = all_known(costs)
    return None if known is None else fsum(known)


def sample_or_none(edition: Edition, runs: Sequence[RunScores], component: str | None = None) -> "Sample | None":
    """Return the points of the Index or a component; None where a score is missing or none is weighed, or KeyError."""
    from independence_bench.scoring.uncertainty import component_sample, index_sample  # late: numpy

    if not runs or (component is None and not edition.weights):
        return None
    try:
        return index_sample(edition, runs) if component is None else component_sample(edition, runs, component)
    except MissingComponent:
        return None
