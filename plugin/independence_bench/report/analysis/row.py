"""One row of the leaderboard: its shape in leaderboard.json, and how it is made of a model's trials. Ranks nothing.

Later versions add fields and never change these. A value computed from partial data is None here, or comes with
the count that says so.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from independence_bench.aggregation import mean, mean_known
from independence_bench.kind_registry import kind_entry
from independence_bench.report.analysis.answer_relevance import answer_relevance
from independence_bench.report.analysis.model_facts import MeasuredCount, Missing, RowFacts
from independence_bench.report.analysis.model_result import ModelResult, paid_verdicts, total
from independence_bench.report.analysis.planned import PlannedTrial, mean_scores
from independence_bench.report.analysis.warnings import HEURISTIC, ModelWarning, clauses, model_warnings
from independence_bench.report.report_data import ReportData
from independence_bench.safe_text import REASON, safe_text
from independence_bench.scoring import Bounds, component_values, index_bounds, index_or_none, mean_over_runs
from independence_bench.scoring.components import all_known
from independence_bench.scoring.published import published_interval
from independence_bench.spec import TrialName
from independence_bench.store import Configuration, Store, TrialRow
from independence_bench.store.adding import DUPLICATE


@dataclass(frozen=True, slots=True)
class RunComponents:
    """The components of one run."""

    run: int
    components: dict[str, float | None]
    """On their own scales; None where a trial that a component rests on is not measured."""


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    """One trial. No model of pydantic's, which takes ten times the memory: a board may hold a million."""

    run: int
    scores: Mapping[str, float] | None  # the panel's means; None where it is not measured
    held: bool | None  # none where it is not measured or has no pass mark


class ScenarioDetail(ReportData):
    """One scenario in one configuration of the edition, over all runs of a model."""

    scenario: str
    experiment: str
    system_variant: str
    delivery_mode: str
    scores: dict[str, float] | None  # mean over the runs; None where one of them is not measured
    runs: list[ScenarioRun]


class PublishedInterval(ReportData):
    """The interval that the published edition would print: kept for comparison, not to be relied on."""

    low: float
    high: float
    draws: int = 10_000
    seed: int = 42
    method: str = "published method, undercovers"


INDEX = "index"
"""Name of the number that ``--min-index`` and ``--max-drop`` ask for."""
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
NOT_ASKED = "not asked yet"  # the reason for a trial that was never attempted
REPLACED = "replaced by what overridden fixtures ask"
"""The reason for a planned trial that another one was asked in place of."""


@dataclass(frozen=True, slots=True)
class RunIndex:
    """The Index of one run."""

    run: int
    index: float | None  # none where a trial that it rests on is not measured
    bounds: tuple[float, float] | None  # lowest and highest possible Index, if it is None


class Cost(ReportData):
    """US dollars by purpose; None where any part of it is unknown."""

    generation: float | None
    judging: float | None
    failed: float | None  # attempts that led to no measurement


class Held(ReportData):
    """How many of the trials that have a pass mark reached it."""

    held: int | None  # None where none is measured, or the answers do not depend on the questions
    measured: int
    planned: int
    share: float | None  # held / planned; None until all are measured, and where there is no Index


class NumberBeside(ReportData):
    """A number beside the Index, in points; intervals as those of the Index."""

    estimate: float
    interval_by_run: tuple[float, float] | None
    interval_by_scenario: tuple[float, float] | None


class IndexFacts(MeasuredCount):
    """An Index with what is known of its uncertainty."""

    index: float | None  # mean over the runs; None where one planned trial is missing
    bounds: tuple[float, float] | None
    """The Index if all that is missing were worst, or best; None where nothing is missing."""
    interval_by_run: tuple[float, float] | None = None
    """Confidence interval for new runs of the same scenarios; None below two runs and without an Index."""
    interval_by_scenario: tuple[float, float] | None = None
    """Confidence interval for other scenarios of the same kinds, too; None for a single scenario, and as above."""
    mostly_ceiling: bool = False
    """More than half of all points belong to scenarios that were best, or worst, in every run: the intervals rest
    mostly on outcomes not yet seen."""
    no_index: str | None = None
    """Why there is no Index, though all may be measured: a clause; None where there is one, or only trials are missing.
    Bounds are then those of nothing measured."""
    relevance: float | None = None
    """How far the answers depend on the questions: 0.5 is chance, 1 is best; None where there are too few answers."""
    relevance_interval: tuple[float, float] | None = None  # 95 %, over questions
    relevance_unknown: str | None = None  # why it cannot be known: a clause
    numbers: dict[str, NumberBeside] = Field(default_factory=dict)
    """The numbers beside the Index, by name; empty without an Index, and where the edition declares none."""

    def number(self, name: str) -> float | None:
        """Return the Index, or a number beside it; None where it is unknown."""
        known: float | None = self.index if name == INDEX else self.beside(name)
        return known

    def ends(self, name: str, basis: Literal["run", "scenario"] = "run") -> tuple[float, float] | None:
        """Return the interval of the Index or of a number beside it; None where there is none."""
        field = f"interval_by_{basis}"
        ends: tuple[float, float] | None = getattr(self, field) if name == INDEX else self.beside(name, field)
        return ends

    def beside(self, name: str, field: str = "estimate") -> Any:
        """Return what is known of a number beside the Index: one field of it, None where there is no such number."""
        return getattr(self.numbers.get(name), field, None)


class DoubtedModel(ReportData):
    """A model with what its answers give reason to doubt."""

    warnings: list[ModelWarning] = Field(default_factory=list)  # the gravest first


class RankFacts(DoubtedModel):
    """A rank with what is known of its uncertainty; all None of a model that is not in the running: without the number
    that ranks, in doubt, or outside the edition's own configurations.
    """

    rank: int | None = None
    """One more than the number of models in higher tiers; None where the tier is."""
    tied: bool = False  # others have this rank, too
    rank_interval: tuple[int, int] | None = None
    """Best and worst rank that the same items, asked again, could give it; any rank without a tier."""
    tier: int | None = None
    """1 is highest; a tier begins with the highest model significantly worse than the first of the tier above. None
    where there is no error to compare by, as after a single run."""

    @property
    def contends(self) -> bool:
        """True of a model that is in the running for a rank."""
        return self.rank_interval is not None

    @property
    def shown_rank(self) -> str:
        """The rank as every report shows it: ``=`` where others share it, ``–`` for none."""
        return "–" if self.rank is None else f"{self.rank}{'=' if self.tied else ''}"

    @property
    def medal(self) -> str:
        """The medal of a rank; empty where another rank is possible."""
        return MEDALS.get(self.rank or 0, "") if self.rank_interval == (self.rank, self.rank) else ""


class BoardRow(RowFacts, RankFacts):
    """One model configuration on a board of any kind."""

    configuration: str | None = None
    """``variant+delivery`` outside the edition's own set, with other judges than the panel: measured, never ranked."""
    judges: list[str] = Field(default_factory=list)
    """Who judged it in place of the panel; empty where that was the panel."""

    @property
    def full_name(self) -> str:
        """Its label, and its configuration where that is not the edition's own."""
        return f"{self.label} ({self.configuration})" if self.configuration else self.label


class IndexRank(RankFacts):
    """The rank by Index: by run, and on other scenarios."""

    rank_interval_by_scenario: tuple[int, int] | None = None
    """Best and worst rank that other scenarios of the same kinds could give it."""
    tier_by_scenario: int | None = None  # none of a single scenario, too


class LeaderboardRow(BoardRow, IndexFacts, IndexRank):
    """One model configuration on the leaderboard."""

    runs: list[RunIndex]
    components: dict[str, float | None]
    """Mean over the runs, on the component's own scale; None where a trial it rests on is missing in any run."""
    scored: dict[str, MeasuredCount]  # by experiment
    held: Held
    delivery_kept: float | None
    """Share of its transcripts in which every answer came by the delivery asked for; None where there are none,
    or all texts are withheld."""
    cost: Cost
    retired: str | None = None
    """Since when it is no longer served, as the catalogue said last: a day or a month; None where it is served."""
    components_by_run: list[RunComponents] = Field(default_factory=list)
    scenarios: list[ScenarioDetail] = Field(default_factory=list)
    published_interval: PublishedInterval | None = None  # none below two runs, and where one of them has no Index
    ceiling_share: float | None = None
    """Share of all points, 0..1, in scenarios that came out best in every run; None where the Index is None."""

    @property
    def complete(self) -> bool:
        """True where every planned trial is measured."""
        return self.measured == self.planned

    def number(self, name: str) -> float | None:
        """Return any number by name: Index, beside it, component; None where it is unknown."""
        return self.components[name] if name in self.components else super().number(name)


def possible(index: IndexFacts | RunIndex) -> tuple[float, float] | None:
    """Return the lowest and the highest possible Index; one that is known bounds itself."""
    return index.bounds if index.index is None else (index.index, index.index)


def leaderboard_row(store: Store, result: ModelResult, label: str, facts: Configuration) -> LeaderboardRow:
    """Return the row with its warnings, which answers in the store give reason for, still without a rank."""
    if kind_entry(result.session.edition.kind).free_answers:
        result.relevance = answer_relevance(store, result.trials)
    warnings = model_warnings(store, result, facts)
    doubts = [warning for warning in warnings if warning.withholds]
    if doubts:
        result.withhold(clauses(doubts), by_words=all(doubt.kind == HEURISTIC for doubt in doubts))
    runs, components = _indices(result)
    measured = sum(trial.measured for trial in result.trials)
    indices = all_known(run.index for run in runs)
    index = mean(indices) if indices and result.complete else None
    relevance = result.relevance.overall
    transcripts = [trial.transcript for trial in result.trials if trial.transcript]
    cost = _cost(result)
    thought = _thought(transcripts)
    published = published_interval(indices or [])
    return LeaderboardRow(
        label=label,
        index=index,
        bounds=_mean_bounds(runs) if index is None else None,
        runs=runs,
        components=mean_over_runs([run.components for run in components]),
        measured=measured,
        planned=len(result.trials),
        no_index=result.no_index,
        relevance=relevance and relevance.value,
        relevance_interval=relevance and relevance.interval,
        relevance_unknown=result.relevance.unknown,
        missing=[
            Missing(**trial.cell._asdict(), run=trial.run, reason=safe_text(_reason(result, trial), REASON))
            for trial in result.trials
            if not trial.measured
        ],
        scored=_scored(result),
        held=_held(result),
        transcripts=len(transcripts),
        delivery_kept=mean_known(row.delivered for row in transcripts),
        cost_usd=total([cost.generation, cost.judging, cost.failed]),
        cost=cost,
        prompt_tokens=sum(row.prompt_tokens for row in transcripts),
        completion_tokens=sum(row.completion_tokens for row in transcripts),
        configuration=result.records.group,
        judges=[judge.label for judge in result.records.judges or ()],
        identity=facts.configuration,
        thinking=None if thought is None else thought >= 0.5,
        thought=thought,
        **facts.model_dump(exclude={"configuration", "label", "thinking", "served", "merged"}),
        components_by_run=components,
        scenarios=[_detail(trials) for trials in zip(*result.by_run, strict=True)],
        warnings=warnings,
        published_interval=published and PublishedInterval(**published._asdict()),
    )


def _indices(result: ModelResult) -> tuple[list[RunIndex], list[RunComponents]]:
    edition = result.session.edition
    indices, components = [], []
    for run, scores in zip(result.runs, result.scores, strict=True):
        values = component_values(edition, scores)
        index = index_or_none(edition, values)
        bounds = index_bounds(edition, scores) if index is None else None
        indices.append(RunIndex(run=run, index=index, bounds=bounds))
        components.append(RunComponents(run=run, components=values))
    return indices, components


def _thought(transcripts: Sequence[TrialRow]) -> float | None:
    thoughts = [(row.thought, row.answers) for row in transcripts if row.thought is not None]
    return sum(thought for thought, _ in thoughts) / sum(answers for _, answers in thoughts) if thoughts else None


def _scored(result: ModelResult) -> dict[str, MeasuredCount]:
    planned = Counter(trial.scenario.experiment for trial in result.trials)
    measured = Counter(trial.scenario.experiment for trial in result.trials if trial.measured)
    return {
        name: MeasuredCount(measured=measured[name], planned=planned[name])
        for name in result.session.edition.experiments
    }


def _held(result: ModelResult) -> Held:
    marked = [trial for trial in result.trials if trial.scenario.passes]
    judged = [trial for trial in marked if trial.measured]
    reached = sum(trial.outcome.held is True for trial in judged)
    known = bool(marked) and len(judged) == len(marked) and result.no_index is None
    share = reached / len(marked) if known else None
    return Held(
        held=reached if judged and (result.no_index is None or result.by_words) else None,
        measured=len(judged),
        planned=len(marked),
        share=share,
    )


def _reason(result: ModelResult, trial: PlannedTrial) -> str:
    """Return why a trial is not measured: the newest failure that still applies, else the next step."""
    failures = [failure for failure in trial.failures if failure.kind != DUPLICATE]
    if trial.transcript is None:
        name = TrialName(result.records.configuration, *trial.cell, trial.run)
        return failures[-1].message if failures else REPLACED if name in result.session.replaced else NOT_ASKED
    asked_at = trial.transcript.created_at
    absent = [judge.label for judge, verdict in zip(result.panel, trial.verdicts, strict=True) if verdict is None]
    # The transcript settles earlier failures; failures of judges outside the panel do not count.
    relevant = [each for each in failures if each.at >= asked_at and each.judge in (None, *absent)]
    return relevant[-1].message if relevant else f"not judged by {', '.join(absent) or 'anyone: the panel is empty'}"


def _cost(result: ModelResult) -> Cost:
    payers = {None, *(judge.label for judge in result.panel)}
    failures = [failure for trial in result.trials for failure in trial.failures]
    return Cost(
        generation=total(trial.transcript.cost_usd for trial in result.trials if trial.transcript),
        judging=total(verdict.cost_usd for verdict in paid_verdicts(result.trials)),
        failed=total(failure.cost_usd for failure in failures if failure.judge in payers),
    )


def _mean_bounds(runs: list[RunIndex]) -> Bounds | None:
    """Return the bounds of the mean over runs."""
    known = all_known(map(possible, runs))
    return Bounds(mean([low for low, _ in known]), mean([high for _, high in known])) if known else None


def _detail(trials: Sequence[PlannedTrial]) -> ScenarioDetail:
    """Return one cell over all runs; its mean only where every run is measured."""
    return ScenarioDetail(
        **trials[0].cell._asdict(),
        experiment=trials[0].scenario.experiment,
        scores=mean_scores([trial.outcome.means for trial in trials]),
        runs=[ScenarioRun(run=trial.run, scores=trial.outcome.means, held=trial.outcome.held) for trial in trials],
    )
