"""Both sides' conversations in the scenarios responsible for a difference, read from their stores."""

from collections.abc import Iterator, Mapping, Sequence
from math import copysign

from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.comparison.found import Answered, AnswerPair, ComparedScenario, Said, ShownVerdict
from independence_bench.report.comparison.scenario_points import ScenarioPoints
from independence_bench.report.comparison.side import Side
from independence_bench.scoring import pass_sentence
from independence_bench.spec import PanelJudge
from independence_bench.store import Session


def answer_pairs(
    session: Session,
    sides: tuple[Side, Side],
    points: tuple[Mapping[str, ScenarioPoints], Mapping[str, ScenarioPoints]],
    scenarios: Sequence[ComparedScenario],
    most: int,
) -> Iterator[AnswerPair]:
    """Yield the trials of the first ``most`` of these scenarios in which the sides differ."""
    claims = {scenario.id: scenario.claim for scenario in session.edition.scenarios}
    for each in [scenario for scenario in scenarios if scenario.points][:most]:
        name = each.scenario
        gaps = [one - other for one, other in zip(points[0][name].by_run, points[1][name].by_run, strict=False)]
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
    """Return the place of the gap that shows a difference of these points best."""
    return max(range(len(gaps)), key=lambda place: copysign(1.0, points) * gaps[place])


def _trials(side: Side, scenario: str, run: int) -> list[PlannedTrial]:
    return [trial for trial in side.result.trials if trial.run == run and trial.cell[0] == scenario]


def _answered(side: Side, trial: PlannedTrial, panel: Sequence[PanelJudge]) -> Answered:
    """Return one side's conversation in a measured trial, with every verdict on it."""
    assert trial.transcript is not None  # where one is missing, the scenario has no points
    said = passages(side.store.transcript_body(trial.transcript.key))
    passes = trial.scenario.judged_marks
    bodies = [side.store.verdict_body(row.key) for row in trial.verdicts if row]
    return Answered(
        conversation=[Said(speaker=each.speaker, text=each.text) for each in said],
        verdicts=[
            ShownVerdict(
                judge=judge.label,
                outcome=pass_sentence(passes, verdict.scores) if passes else "",
                scores=verdict.scores,
                reasoning=verdict.reasoning,
            )
            for judge, verdict in zip(panel, bodies, strict=True)
        ],
    )
