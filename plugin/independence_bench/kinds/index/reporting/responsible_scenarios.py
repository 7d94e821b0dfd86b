"""Which scenarios are responsible for a difference of the Index, and both sides' conversations in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import copysign, fsum

import numpy as np

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial, mean_scores
from independence_bench.report.blocks import Column, Heading, Lines, Table, paragraph, phrase
from independence_bench.report.comparison.comparison_data import Utterance
from independence_bench.report.comparison.comparison_parts import Beside, Part
from independence_bench.report.comparison.difference_words import EQUAL
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.formatting import number, signed_amount
from independence_bench.report.report_data import ReportData
from independence_bench.report.scale import title
from independence_bench.scoring import pass_sentence
from independence_bench.scoring.held import score_text
from independence_bench.scoring.uncertainty.sample import Numbers
from independence_bench.spec import Score


class ComparedScenario(ReportData):
    """One scenario's part in the difference."""

    scenario: str
    experiment: str
    points: float | None
    """Its contribution to the difference of the Index; all scenarios add up to it. None where trials are missing."""
    worth: float | None  # the most that it can contribute
    first: dict[str, float] | None  # means of all its scores over the runs; None where one is missing
    second: dict[str, float] | None
    counted: list[str]


class ShownVerdict(ReportData):
    """The verdict of one judge of the panel."""

    judge: str
    outcome: str  # held or yielded, by which score; empty where there is no pass mark
    scores: dict[str, Score]
    reasoning: str


class Answered(ReportData):
    """One side's trial in full."""

    conversation: list[Utterance]
    verdicts: list[ShownVerdict]


class AnswerPair(ReportData):
    """Both sides' trials in one scenario and run."""

    scenario: str
    claim: str
    run: int  # the run in which they differ most, out of the runs that both have
    configuration: str
    points: float
    """Contribution of the scenario to the difference of the Index in this run, over all its configurations."""
    first: Answered
    second: Answered


@dataclass(frozen=True, slots=True)
class ScenarioPoints:
    """One scenario's points."""

    by_run: Numbers
    worth: float  # the most that it can contribute


def scenario_points(edition: Edition, result: ModelResult) -> dict[str, ScenarioPoints]:
    """Return the points by scenario id; without those that enter a component of which a trial is missing."""
    known: dict[str, ScenarioPoints] = {}
    incomplete: set[str] = set()
    for name, weight in edition.weights.items():
        sample = result.component_sample(name)
        if sample is None:
            incomplete |= {scenario for part in edition.components[name].parts for scenario in part.scenarios}
            continue
        for scenario, by_run, worth in zip(sample.scenarios, sample.points, sample.worth, strict=True):
            before = known.get(scenario, ScenarioPoints(np.zeros(sample.runs), 0.0))
            known[scenario] = ScenarioPoints(before.by_run + weight * by_run, before.worth + weight * float(worth))
    return {scenario: points for scenario, points in known.items() if scenario not in incomplete}


Points = tuple[Mapping[str, ScenarioPoints], Mapping[str, ScenarioPoints]]
"""Those of both sides, by scenario id."""


def compared_scenarios(request: ComparisonRequest, points: Points) -> list[ComparedScenario]:
    """Return every scenario that enters the Index, the one most responsible first.

    The most responsible scenario adds most to the total difference; where the scenarios cancel out, it is the one that
    differs most.
    """
    edition = request.session.edition
    scenarios = [
        ComparedScenario(
            scenario=scenario.id,
            experiment=scenario.experiment,
            points=_gap(points[0].get(scenario.id), points[1].get(scenario.id)),
            worth=next((side[scenario.id].worth for side in points if scenario.id in side), None),
            first=_means(request.first, scenario.id),
            second=_means(request.second, scenario.id),
            counted=counted,
        )
        for scenario in edition.scenarios
        if (counted := _counted(edition, scenario.id))
    ]
    total = fsum(each.points or 0.0 for each in scenarios)
    return sorted(scenarios, key=lambda each: (each.points is None, -_responsible(each.points or 0.0, total)))


def _responsible(points: float, total: float) -> float:
    return abs(points) if abs(total) <= EQUAL else copysign(1.0, total) * points


def _gap(first: ScenarioPoints | None, second: ScenarioPoints | None) -> float | None:
    if first is None or second is None:
        return None
    gap = mean(first.by_run.tolist()) - mean(second.by_run.tolist())
    return gap if abs(gap) > EQUAL else 0.0


def _counted(edition: Edition, scenario: str) -> list[str]:
    parts = (part for name in edition.weights for part in edition.components[name].parts)
    return list(dict.fromkeys(part.score for part in parts if scenario in part.scenarios))


def _means(side: Side, scenario: str) -> dict[str, float] | None:
    return mean_scores(cell.scores for cell in side.row.scenarios if cell.scenario == scenario)


def answer_pairs(
    request: ComparisonRequest, points: Points, scenarios: Sequence[ComparedScenario]
) -> Iterator[AnswerPair]:
    """Yield the trials of the most responsible scenarios, as many as asked for, in which the sides differ."""
    claims = {scenario.id: scenario.claim for scenario in request.session.edition.scenarios}
    for each in [scenario for scenario in scenarios if scenario.points][: request.answers]:
        name = each.scenario
        gaps = [one - other for one, other in zip(*(side[name].by_run.tolist() for side in points), strict=False)]
        run = _furthest(gaps, each.points or 0.0)
        gap = gaps[run]
        pairs = [*zip(*(_trials(side, name, run + 1) for side in request.sides), strict=True)]
        trials = pairs[
            _furthest([(one.outcome.share or 0.0) - (other.outcome.share or 0.0) for one, other in pairs], gap)
        ]
        yield AnswerPair(
            scenario=name,
            claim=claims[name],
            run=run + 1,
            configuration="+".join(trials[0].cell[1:]),
            points=gap,
            first=_answered(request.first, trials[0]),
            second=_answered(request.second, trials[1]),
        )


def _furthest(gaps: Sequence[float], points: float) -> int:
    return max(range(len(gaps)), key=lambda place: copysign(1.0, points) * gaps[place])


def _trials(side: Side, scenario: str, run: int) -> list[PlannedTrial]:
    return [trial for trial in side.result.trials if trial.run == run and trial.cell[0] == scenario]


def _answered(side: Side, trial: PlannedTrial) -> Answered:
    assert trial.transcript is not None  # where one is missing, the scenario has no points
    passes = trial.scenario.judged_marks
    # Where only functions judge there are no verdicts, whoever is in the panel.
    given = [(judge, row.key) for judge, row in zip(side.result.panel, trial.verdicts, strict=False) if row]
    bodies = [(judge, side.store.verdict_bodies([key])[key]) for judge, key in given]
    return Answered(
        conversation=[
            Utterance(speaker=each.speaker, text=each.text)
            for each in passages(side.store.transcript_body(trial.transcript.key))
        ],
        verdicts=[
            ShownVerdict(
                judge=judge.label,
                outcome=pass_sentence(passes, verdict.scores) if passes else "",
                scores=verdict.scores,
                reasoning=verdict.reasoning,
            )
            for judge, verdict in bodies
        ],
    )


def scenario_parts(scenarios: Sequence[ComparedScenario], difference: float | None) -> Iterator[Part]:
    """Yield the scenarios with their contributions; equal ones are only named."""
    rows = [row for row in scenarios if row.points != 0]
    equal = [row.scenario for row in scenarios if row.points == 0]
    if rows:
        end = f" of {signed_amount(difference)}, in points of the Index; the contributions add up to it."
        if difference is None:
            end = ", in points of the Index; “–” where a component that they enter has no value."
        order = paragraph(f"Ordered by contribution to the difference A − B{end}")
        yield from (Heading("Scenarios responsible"), order, Table(_SCENARIOS, rows))
    if equal:
        yield paragraph("Equal in the points of {}.", equal if rows else "every scenario")


def answer_parts(pair: AnswerPair) -> Iterator[Part]:
    """Yield both sides' conversations and verdicts in one scenario."""
    gap = f"A − B {signed_amount(pair.points)} points of the Index"
    yield Heading(phrase(f"Answers: {{}}, run {pair.run}, {{}}: {gap}", pair.scenario, pair.configuration))
    if pair.claim:
        yield paragraph("Claim: {}", Lines(pair.claim))
    for one, other in zip_longest(pair.first.conversation, pair.second.conversation):
        yield Beside(one, other)
    for mine, theirs in zip(pair.first.verdicts, pair.second.verdicts, strict=True):
        yield Beside(_verdict(mine), _verdict(theirs))


def _verdict(verdict: ShownVerdict) -> Utterance:
    scores = ", ".join(f"{name} {score_text(score)}" for name, score in verdict.scores.items())
    lines = [line for line in (verdict.outcome, scores, verdict.reasoning) if line]
    return Utterance(speaker=f"verdict of {verdict.judge}", text="\n".join(lines))


def _mean_scores(each: ComparedScenario) -> str:
    """Return the means of the scores that count on both sides, ``resistance 9.0 : 7.2``."""
    means: list[str] = []
    for name in each.counted if each.first or each.second else ():
        one, other = ((side or {}).get(name) for side in (each.first, each.second))
        means.append(f"{title(name)} {number(one, 1)} : {number(other, 1)}")
    return ", ".join(means) or "–"


_SCENARIOS: list[Column[ComparedScenario]] = analysis_columns(
    "responsible", points=lambda row: phrase(signed_amount(row.points)), mean_scores=_mean_scores
)
