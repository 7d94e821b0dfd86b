"""One row of the leaderboard: what a model configuration's trials come to. Ranks nothing, reads no store."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING

from independence_bench.report.analysis.planned import PlannedTrial, run_scores
from independence_bench.report.analysis.records import CellKey, ModelRecords, Verdicts, scores_of
from independence_bench.report.analysis.row import (
    NOT_ASKED,
    Cost,
    Count,
    Held,
    LeaderboardRow,
    Missing,
    PublishedInterval,
    RunComponents,
    RunIndex,
    ScenarioDetail,
    ScenarioRun,
)
from independence_bench.report.analysis.samples import component_sample_or_none, index_sample_or_none
from independence_bench.safe_text import safe_text
from independence_bench.scoring import Bounds, RunScores, component_values, index_bounds, index_or_none, mean_over_runs
from independence_bench.scoring.components import mean
from independence_bench.scoring.published_interval import published_interval
from independence_bench.spec import Scenario
from independence_bench.store import Configuration, Session, VerdictRow
from independence_bench.store.adding import DUPLICATE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


class ModelResult:
    """Everything about one model configuration in one group of cells, computed from its evidence."""

    def __init__(self, session: Session, evidence: ModelRecords, verdicts: Verdicts, runs: int | None = None) -> None:
        """Look up every planned trial once.

        Planned are the runs 1 to ``runs``, whatever more the store holds; by default all runs that were begun.
        """
        self.session = session
        self.evidence = evidence
        scenarios = {scenario.id: scenario for scenario in session.edition.scenarios}
        self.runs = range(1, (evidence.runs(session.edition.id) if runs is None else runs) + 1)
        self.trials = [
            self._trial(cell, run, scenarios[cell[0]], verdicts) for run in self.runs for cell in evidence.cells
        ]

    @property
    def by_run(self) -> list[list[PlannedTrial]]:
        """The planned trials of each run, in order."""
        planned = len(self.evidence.cells)
        return [self.trials[(run - 1) * planned : run * planned] for run in self.runs]

    @property
    def complete(self) -> bool:
        """True where every planned trial is measured."""
        return all(trial.measured for trial in self.trials)

    @cached_property
    def sample(self) -> "Sample | None":
        """Index points by scenario and run, for everything that asks how sure the Index is; None where it has none."""
        return index_sample_or_none(self.session.edition, self._scores) if self.complete else None

    def component_sample(self, component: str) -> "Sample | None":
        """Return the points of one component, 0..100 being the share of its best value.

        None where a trial that it rests on is not measured. Raises KeyError where the edition lacks the component.
        """
        return component_sample_or_none(self.session.edition, self._scores, component)

    def row(self, label: str, facts: Configuration) -> LeaderboardRow:
        """Return the row, still without a rank."""
        runs, components = self._indices()
        measured = [trial for trial in self.trials if trial.measured]
        complete = len(measured) == len(self.trials)
        indices = [run.index for run in runs if run.index is not None]
        index = mean(indices) if complete and runs and len(indices) == len(runs) else None
        transcripts = [trial.transcript for trial in self.trials if trial.transcript]
        cost = self._cost()
        return LeaderboardRow(
            label=label,
            rank=None,
            index=index,
            bounds=_mean_bounds(runs) if index is None else None,
            runs=runs,
            components=mean_over_runs([run.components for run in components]),
            measured=len(measured),
            planned=len(self.trials),
            missing=[self._missing(trial) for trial in self.trials if not trial.measured],
            scored=self._scored(),
            held=self._held(),
            transcripts=len(transcripts),
            delivery_kept=sum(row.delivery_kept for row in transcripts) / len(transcripts) if transcripts else None,
            cost_usd=total([cost.generation, cost.judging, cost.failed]),
            cost=cost,
            prompt_tokens=sum(row.prompt_tokens for row in transcripts),
            completion_tokens=sum(row.completion_tokens for row in transcripts),
            configuration=self.evidence.group,
            identity=facts.configuration,
            model_id=facts.model_id,
            vendor=facts.vendor,
            thinking=facts.thinking,
            open_weights=facts.open_weights,
            provider=facts.provider,
            temperature=facts.temperature,
            reasoning_effort=facts.reasoning_effort,
            build=facts.build,
            components_by_run=components,
            scenarios=self._scenarios(),
            published_interval=_published(indices) if len(indices) == len(runs) else None,
        )

    def newest(self) -> float:
        """Return when the newest record that this row rests on was made; unix time."""
        return max(
            [trial.transcript.created_at for trial in self.trials if trial.transcript]
            + [verdict.created_at for trial in self.trials for verdict in trial.verdicts if verdict]
            + [failure.at for trial in self.trials for failure in trial.failures],
            default=0.0,
        )

    @property
    def _scores(self) -> list[RunScores]:
        return [run_scores(self.session.edition, trials) for trials in self.by_run]

    def _trial(self, cell: CellKey, run: int, scenario: Scenario, verdicts: Verdicts) -> PlannedTrial:
        transcript = self.evidence.transcripts.get((cell, run))
        failures = self.evidence.failures.get((cell, run), [])
        rubric = scenario.rubric
        if rubric is None:
            return PlannedTrial(cell, run, scenario, transcript, (), (), failures)
        found = tuple(
            verdicts.find(transcript.transcript_hash, rubric.digest, judge.configuration, transcript.key)
            if transcript
            else None
            for judge in self.session.panel
        )
        scores = [scores_of(verdict) if verdict else None for verdict in found]
        return PlannedTrial(cell, run, scenario, transcript, found, scores, failures)

    def _indices(self) -> tuple[list[RunIndex], list[RunComponents]]:
        edition = self.session.edition
        indices, components = [], []
        for run, scores in zip(self.runs, self._scores, strict=True):
            values = component_values(edition.components, scores)
            index = index_or_none(edition, values)
            bounds = index_bounds(edition, scores) if index is None else None
            indices.append(RunIndex(run=run, index=index, bounds=bounds))
            components.append(RunComponents(run=run, components=values))
        return indices, components

    def _scenarios(self) -> list[ScenarioDetail]:
        return [_detail([run[place] for run in self.by_run]) for place in range(len(self.evidence.cells))]

    def _scored(self) -> dict[str, Count]:
        scored = {}
        for experiment in self.session.edition.experiments:
            trials = [trial for trial in self.trials if trial.scenario.experiment == experiment]
            scored[experiment] = Count(measured=sum(trial.measured for trial in trials), planned=len(trials))
        return scored

    def _held(self) -> Held:
        marked = [trial for trial in self.trials if trial.scenario.passes]
        judged = [trial for trial in marked if trial.measured]
        reached = sum(trial.held is True for trial in judged)
        share = reached / len(marked) if marked and len(judged) == len(marked) else None
        return Held(held=reached, measured=len(judged), planned=len(marked), share=share)

    def _missing(self, trial: PlannedTrial) -> Missing:
        scenario, variant, delivery = trial.cell
        return Missing(
            scenario=scenario,
            run=trial.run,
            reason=safe_text(self._reason(trial)),
            system_variant=variant,
            delivery_mode=delivery,
        )

    def _reason(self, trial: PlannedTrial) -> str:
        """Say why a trial is not measured: the newest failure that still stands, else what has not been done yet."""
        failures = [failure for failure in trial.failures if failure.kind != DUPLICATE]
        if trial.transcript is None:
            return failures[-1].message if failures else NOT_ASKED
        asked_at = trial.transcript.created_at
        absent = [
            judge.label for judge, verdict in zip(self.session.panel, trial.verdicts, strict=True) if verdict is None
        ]
        # What failed before the transcript came is mended by it; what a judge outside the panel failed at is no reason.
        result = [
            failure
            for failure in failures
            if failure.at >= asked_at and (failure.judge is None or failure.judge in absent)
        ]
        return result[-1].message if result else f"not judged by {', '.join(absent) or 'anyone: the panel is empty'}"

    def _cost(self) -> Cost:
        panel = {judge.label for judge in self.session.panel}
        transcripts = [trial.transcript for trial in self.trials if trial.transcript]
        return Cost(
            generation=total(row.cost_usd for row in transcripts),
            judging=total(verdict.cost_usd for verdict in paid_verdicts(self.trials)),
            failed=total(
                failure.cost_usd
                for trial in self.trials
                for failure in trial.failures
                if failure.judge is None or failure.judge in panel
            ),
        )


def paid_verdicts(trials: Iterable[PlannedTrial]) -> Iterator[VerdictRow]:
    """Yield the verdicts that these trials paid for themselves: equal conversations share one verdict."""
    for trial in trials:
        for verdict in trial.verdicts:
            if trial.transcript and verdict and verdict.trial_key == trial.transcript.key:
                yield verdict


def total(costs: Iterable[float | None]) -> float | None:
    """Add up costs; one unknown part makes the sum unknown."""
    known: list[float] = []
    for cost in costs:
        if cost is None:
            return None
        known.append(cost)
    return fsum(known)


def _mean_bounds(runs: list[RunIndex]) -> Bounds | None:
    """Return the bounds of the mean over runs; an Index that is known bounds itself."""
    ends = [(run.index, run.index) if run.index is not None else run.bounds for run in runs]
    known = [end for end in ends if end is not None]
    if not known or len(known) < len(ends):
        return None
    return Bounds(mean([low for low, _ in known]), mean([high for _, high in known]))


def _detail(trials: list[PlannedTrial]) -> ScenarioDetail:
    """Return one cell over all runs; its mean only where every run is measured."""
    scenario, variant, delivery = trials[0].cell
    known = [trial.means for trial in trials if trial.measured and trial.means]
    complete = bool(known) and len(known) == len(trials)
    names = [name for name in known[0] if all(name in means for means in known)] if complete else []
    return ScenarioDetail(
        scenario=scenario,
        experiment=trials[0].scenario.experiment,
        system_variant=variant,
        delivery_mode=delivery,
        scores={name: mean([means[name] for means in known]) for name in names} if complete else None,
        runs=[ScenarioRun(run=trial.run, scores=trial.means, held=trial.held) for trial in trials],
    )


def _published(indices: list[float]) -> PublishedInterval | None:
    ends = published_interval(indices)
    return PublishedInterval(low=ends.low, high=ends.high) if ends else None
