"""Which scenarios are responsible for a difference, and both sides' conversations in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import copysign, fsum

import numpy as np

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial, mean_scores
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.comparison.found import Answered, AnswerPair, ComparedScenario, Said, ShownVerdict
from independence_bench.report.comparison.side import Side
from independence_bench.scoring import pass_sentence
from independence_bench.scoring.uncertainty.sample import Numbers
from independence_bench.spec import PanelJudge


@dataclass(frozen=True, slots=True)
class ScenarioPoints:
    """One scenario's points."""

    by_run: Numbers
    worth: float  # the most that it can contribute


def scenario_points(edition: Edition, result: ModelResult) -> dict[str, ScenarioPoints]:
    """Return the points by scenario id; without those that enter a component of which a trial is missing."""
    found: dict[str, ScenarioPoints] = {}
    incomplete: set[str] = set()
    for name, weight in edition.weights.items():
        sample = result.component_sample(name)
        if sample is None:
            incomplete |= {scenario for part in edition.components[name].parts for scenario in part.scenarios}
            continue
        for scenario, by_run, worth in zip(sample.scenarios, sample.points, sample.worth, strict=True):
            known = found.get(scenario, ScenarioPoints(np.zeros(sample.runs), 0.0))
            found[scenario] = ScenarioPoints(known.by_run + weight * by_run, known.worth + weight * float(worth))
    return {scenario: points for scenario, points in found.items() if scenario not in incomplete}


EQUAL = 1e-9  # points below which a difference is the error of a float sum


Points = tuple[Mapping[str, ScenarioPoints], Mapping[str, ScenarioPoints]]
"""Those of both sides, by scenario id."""


def compared_scenarios(edition: Edition, sides: Sequence[Side], points: Points) -> list[ComparedScenario]:
    """Return every scenario that enters the Index, the one most responsible first.

    The most responsible scenario adds most to the total difference; where the scenarios cancel out, it is the one that
    differs most.
    """
    found = [
        ComparedScenario(
            scenario=scenario.id,
            experiment=scenario.experiment,
            points=_points(points[0].get(scenario.id), points[1].get(scenario.id)),
            worth=next((side[scenario.id].worth for side in points if scenario.id in side), None),
            first=_means(sides[0].row, scenario.id),
            second=_means(sides[1].row, scenario.id),
            counted=counted,
        )
        for scenario in edition.scenarios
        if (counted := _counted(edition, scenario.id))
    ]
    total = fsum(each.points or 0.0 for each in found)
    return sorted(found, key=lambda each: (each.points is None, -_responsible(each.points or 0.0, total)))


def _responsible(points: float, total: float) -> float:
    return abs(points) if abs(total) <= EQUAL else copysign(1.0, total) * points


def _points(first: ScenarioPoints | None, second: ScenarioPoints | None) -> float | None:
    if first is None or second is None:
        return None
    gap = mean(first.by_run.tolist()) - mean(second.by_run.tolist())
    return gap if abs(gap) > EQUAL else 0.0


def _counted(edition: Edition, scenario: str) -> list[str]:
    parts = (part for name in edition.weights for part in edition.components[name].parts)
    return list(dict.fromkeys(part.score for part in parts if scenario in part.scenarios))


def _means(row: LeaderboardRow, scenario: str) -> dict[str, float] | None:
    return mean_scores(cell.scores for cell in row.scenarios if cell.scenario == scenario)


def answer_pairs(
    sides: Sequence[Side], points: Points, scenarios: Sequence[ComparedScenario], most: int
) -> Iterator[AnswerPair]:
    """Yield the trials of the first ``most`` of these scenarios in which the sides differ."""
    session = sides[0].result.session
    claims = {scenario.id: scenario.claim for scenario in session.edition.scenarios}
    for each in [scenario for scenario in scenarios if scenario.points][:most]:
        name = each.scenario
        gaps = [one - other for one, other in zip(*(side[name].by_run.tolist() for side in points), strict=False)]
        run = _furthest(gaps, each.points or 0.0)
        gap = gaps[run]
        pairs = [*zip(_trials(sides[0], name, run + 1), _trials(sides[1], name, run + 1), strict=True)]
        trials = pairs[_furthest([(one.share or 0.0) - (other.share or 0.0) for one, other in pairs], gap)]
        yield AnswerPair(
            scenario=name,
            claim=claims[name],
            run=run + 1,
            configuration="+".join(trials[0].cell[1:]),
            points=gap,
            first=_answered(sides[0], trials[0], session.panel),
            second=_answered(sides[1], trials[1], session.panel),
        )


def _furthest(gaps: Sequence[float], points: float) -> int:
    return max(range(len(gaps)), key=lambda place: copysign(1.0, points) * gaps[place])


def _trials(side: Side, scenario: str, run: int) -> list[PlannedTrial]:
    return [trial for trial in side.result.trials if trial.run == run and trial.cell[0] == scenario]


def _answered(side: Side, trial: PlannedTrial, panel: Sequence[PanelJudge]) -> Answered:
    assert trial.transcript is not None  # where one is missing, the scenario has no points
    said = passages(side.store.transcript_body(trial.transcript.key))
    passes = trial.scenario.judged_marks
    # Where only functions judge there are no verdicts, whoever is in the panel.
    given = [(judge, row.key) for judge, row in zip(panel, trial.verdicts, strict=False) if row]
    bodies = [(judge, side.store.verdict_body(key)) for judge, key in given]
    return Answered(
        conversation=[Said(speaker=each.speaker, text=each.text) for each in said],
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
