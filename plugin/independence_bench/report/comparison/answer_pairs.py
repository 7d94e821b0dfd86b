"""Both sides' words in the scenarios responsible for a difference, read from their stores."""

from collections.abc import Mapping, Sequence
from math import copysign

from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.comparison.found import Answered, AnswerPair, ComparedScenario, Said, ShownVerdict
from independence_bench.report.comparison.scenario_points import ScenarioPoints
from independence_bench.report.comparison.side import Side
from independence_bench.scoring import pass_sentence
from independence_bench.store import PanelJudge, Session


def answer_pairs(
    session: Session,
    sides: tuple[Side, Side],
    points: tuple[Mapping[str, ScenarioPoints], Mapping[str, ScenarioPoints]],
    scenarios: Sequence[ComparedScenario],
    most: int,
) -> list[AnswerPair]:
    """Return the trials of the first ``most`` of these scenarios in which the sides differ."""
    claims = {scenario.id: scenario.claim for scenario in session.edition.scenarios}
    found = []
    for each in [scenario for scenario in scenarios if scenario.points][:most]:
        name = each.scenario
        run, gap = _furthest_run(points[0][name].by_run, points[1][name].by_run, each.points or 0.0)
        trials = _furthest_trials(_trials(sides[0], name, run), _trials(sides[1], name, run), gap)
        found.append(
            AnswerPair(
                scenario=name,
                claim=claims[name],
                run=run,
                configuration="+".join(trials[0].cell[1:]),
                points=gap,
                first=_answered(sides[0], trials[0], session.panel),
                second=_answered(sides[1], trials[1], session.panel),
            )
        )
    return found


def _furthest_run(first: Sequence[float], second: Sequence[float], points: float) -> tuple[int, float]:
    """Return the run, of those that both have, that shows the difference best, and by how much they differ in it."""
    gaps = [one - other for one, other in zip(first, second, strict=False)]
    place = max(range(len(gaps)), key=lambda run: copysign(1.0, points) * gaps[run])
    return place + 1, gaps[place]


def _trials(side: Side, scenario: str, run: int) -> list[PlannedTrial]:
    return [trial for trial in side.result.trials if trial.run == run and trial.cell[0] == scenario]


def _furthest_trials(
    first: Sequence[PlannedTrial], second: Sequence[PlannedTrial], points: float
) -> tuple[PlannedTrial, PlannedTrial]:
    """Return the two trials of one configuration that show the difference best."""
    return max(
        zip(first, second, strict=True),
        key=lambda pair: copysign(1.0, points) * ((pair[0].share or 0.0) - (pair[1].share or 0.0)),
    )


def _answered(side: Side, trial: PlannedTrial, panel: Sequence[PanelJudge]) -> Answered:
    assert trial.transcript is not None  # where one is missing, the scenario has no points
    said = passages(side.store.transcript_body(trial.transcript.key))
    passes = trial.scenario.passes
    verdicts = []
    for judge, row in zip(panel, trial.verdicts, strict=True):
        assert row is not None
        verdict = side.store.verdict_body(row.key)
        verdicts.append(
            ShownVerdict(
                judge=judge.label,
                outcome=pass_sentence(passes, verdict.scores) if passes else "",
                scores=verdict.scores,
                reasoning=verdict.reasoning,
            )
        )
    return Answered(conversation=[Said(speaker=each.speaker, text=each.text) for each in said], verdicts=verdicts)
