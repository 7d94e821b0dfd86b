"""What several judges make of the same trials: Index and rank by each, agreement, leaning to oneself and one's kin."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from independence_bench.report.analyses.contestant import Contestant
from independence_bench.report.analyses.model_ids import family
from independence_bench.report.findings import (
    Agreement,
    JudgeAnalysis,
    JudgedIndex,
    JudgedModel,
    JudgeSummary,
    SelfPreference,
)
from independence_bench.report.planned import Trial, mean_index
from independence_bench.report.ranking import ranks
from independence_bench.report.standing import paid_verdicts, total
from independence_bench.scoring.agreement import krippendorff_alpha
from independence_bench.scoring.components import mean
from independence_bench.store import Session


def judge_analysis(session: Session, contestants: Sequence[Contestant]) -> JudgeAnalysis | None:
    """Compare the judges over the edition's own configurations; None below two judges, or where nothing is measured."""
    own = [contestant for contestant in contestants if contestant.own]
    if len(session.panel) < 2 or not own:
        return None
    indices = [
        {
            judge.label: mean_index(session.edition, contestant.standing.by_run, [place])
            for place, judge in enumerate(session.panel)
        }
        for contestant in own
    ]
    return JudgeAnalysis(
        judges=_judges(session, own),
        models=_models(session, own, indices),
        agreement=_agreement([trial for contestant in own for trial in contestant.standing.trials]),
        self_preference=_self_preference(session, own, indices),
    )


def _judges(session: Session, contestants: Sequence[Contestant]) -> list[JudgeSummary]:
    found = []
    for place, judge in enumerate(session.panel):
        runs = [run for contestant in contestants for run in contestant.standing.by_run]
        verdicts = [
            verdict
            for run in runs
            for verdict in paid_verdicts(run)
            if verdict.judge_configuration == judge.configuration
        ]
        judged = sum(any(trial.verdicts and trial.verdicts[place] for trial in run) for run in runs)
        cost = total(verdict.cost_usd for verdict in verdicts)
        found.append(
            JudgeSummary(
                judge=judge.label,
                family=family(judge.model_id),
                verdicts=len(verdicts),
                cost_usd=cost,
                cost_per_run=cost / judged if cost is not None and judged else None,
            )
        )
    return found


def _models(
    session: Session, contestants: Sequence[Contestant], indices: Sequence[Mapping[str, float | None]]
) -> list[JudgedModel]:
    by_judge = {judge.label: ranks([found[judge.label] for found in indices]) for judge in session.panel}
    models = []
    for place, (contestant, found) in enumerate(zip(contestants, indices, strict=True)):
        known = [index for index in found.values() if index is not None]
        kin = family(contestant.row.model_id)
        others = [at for at, judge in enumerate(session.panel) if kin is None or family(judge.model_id) != kin]
        models.append(
            JudgedModel(
                label=contestant.row.label,
                identity=contestant.row.identity,
                judges={label: JudgedIndex(index=index, rank=by_judge[label][place]) for label, index in found.items()},
                mean=contestant.row.index,
                spread=max(known) - min(known) if len(known) == len(found) else None,
                without_family=mean_index(session.edition, contestant.standing.by_run, others) if others else None,
                left_out=[judge.label for at, judge in enumerate(session.panel) if at not in others],
            )
        )
    return models


def _agreement(trials: Sequence[Trial]) -> list[Agreement]:
    """Return the agreement on every score, in the order in which the rubrics ask for them."""
    fields = {
        field.name: field.level
        for trial in trials
        if trial.scenario.rubric is not None
        for field in trial.scenario.rubric.scores
    }
    scored: dict[str, list[list[float]]] = {name: [] for name in fields}
    for trial in trials:
        verdicts = [scores for scores in trial.scores if scores is not None]
        if trial.measured and len(verdicts) > 1:
            for name in verdicts[0]:
                if name in scored and all(name in scores for scores in verdicts):
                    scored[name].append([float(scores[name]) for scores in verdicts])
    found = []
    for name, units in scored.items():
        pairs = [pair for unit in units for pair in combinations(unit, 2)]
        found.append(
            Agreement(
                score=name,
                trials=len(units),
                alpha=krippendorff_alpha(units, fields[name]),
                level=fields[name],
                equal=sum(one == other for one, other in pairs) / len(pairs) if pairs else None,
                distance=mean([abs(one - other) for one, other in pairs]) if pairs else None,
            )
        )
    return found


def _self_preference(
    session: Session, contestants: Sequence[Contestant], indices: Sequence[Mapping[str, float | None]]
) -> list[SelfPreference]:
    found = []
    for judge in session.panel:
        leanings = [_leaning(judge.label, by_judge) for by_judge in indices]
        elsewhere = [
            leaning
            for contestant, leaning in zip(contestants, leanings, strict=True)
            if leaning is not None and contestant.row.model_id != judge.model_id
        ]
        for contestant, by_judge, leaning in zip(contestants, indices, leanings, strict=True):
            if contestant.row.model_id == judge.model_id:
                own = by_judge[judge.label]
                found.append(
                    SelfPreference(
                        judge=judge.label,
                        label=contestant.row.label,
                        own=own,
                        others=own - leaning if own is not None and leaning is not None else None,
                        difference=leaning,
                        elsewhere=mean(elsewhere) if elsewhere else None,
                        compared=len(elsewhere),
                    )
                )
    return found


def _leaning(judge: str, by_judge: Mapping[str, float | None]) -> float | None:
    """Return how much higher a judge sets a model than the others do; None where one of them has not judged it all."""
    own = by_judge[judge]
    others = [index for label, index in by_judge.items() if label != judge and index is not None]
    return own - mean(others) if own is not None and len(others) == len(by_judge) - 1 else None
