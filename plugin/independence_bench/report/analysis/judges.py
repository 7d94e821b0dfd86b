"""What several judges make of the same trials: Index and rank by each, agreement, leaning to oneself and one's kin."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from independence_bench.report.analysis.model_ids import family
from independence_bench.report.analysis.model_result import paid_verdicts, total
from independence_bench.report.analysis.planned import PlannedTrial, mean_index
from independence_bench.report.analysis.ranked import Ranked, ranks
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.agreement import Level, krippendorff_alpha
from independence_bench.scoring.components import mean
from independence_bench.store import Session


class JudgeSummary(ReportData):
    """One judge of the panel."""

    judge: str
    family: str | None
    """Whose model it is, as far as its id tells."""
    verdicts: int
    cost_usd: float | None
    """Of these verdicts; None where one is unknown."""
    cost_per_run: float | None
    """Per model and run in which it judged anything."""


class JudgedIndex(ReportData):
    """What one judge makes of a model."""

    index: float | None
    """None where it has not judged every trial."""
    rank: int | None


class JudgedModel(ReportData):
    """One model under each judge of the panel."""

    label: str
    identity: str
    judges: dict[str, JudgedIndex]
    mean: float | None
    """The panel's Index."""
    spread: float | None
    """Highest minus lowest Index of a single judge."""
    without_family: float | None
    """Index by the judges of other families alone; None where it is incomplete or no such judge is there."""
    left_out: list[str]
    """Judges of the model's own family."""


class Agreement(ReportData):
    """How far the judges agree on one score."""

    score: str
    trials: int
    """Trials that every judge of the panel scored."""
    alpha: float | None
    """Krippendorff's alpha; None where the scores do not vary, or nothing is there."""
    level: str
    """Level of measurement that alpha assumes."""
    equal: float | None
    """Share of pairs of judges that gave the same score."""
    distance: float | None
    """Mean absolute difference of a pair."""


class SelfPreference(ReportData):
    """A judge that is a contestant too."""

    judge: str
    label: str
    own: float | None
    """Its Index as it judges itself."""
    others: float | None
    """Mean of its Index by the other judges."""
    difference: float | None
    elsewhere: float | None
    """Mean of the same difference over all other models: how much milder it judges anybody."""
    compared: int
    """Models that ``elsewhere`` rests on."""


class JudgeAnalysis(ReportData):
    """What the judges of a panel make of the same trials."""

    judges: list[JudgeSummary]
    models: list[JudgedModel]
    agreement: list[Agreement]
    self_preference: list[SelfPreference]


def judge_analysis(session: Session, entries: Sequence[Ranked]) -> JudgeAnalysis | None:
    """Compare the judges over the edition's own configurations; None below two judges, or where nothing is measured."""
    own = [entry for entry in entries if entry.own]
    if len(session.panel) < 2 or not own:
        return None
    indices = [
        {
            judge.label: mean_index(session.edition, entry.result.by_run, [place])
            for place, judge in enumerate(session.panel)
        }
        for entry in own
    ]
    return JudgeAnalysis(
        judges=_judges(session, own),
        models=_models(session, own, indices),
        agreement=_agreement([trial for entry in own for trial in entry.result.trials]),
        self_preference=_self_preference(session, own, indices),
    )


def _judges(session: Session, entries: Sequence[Ranked]) -> list[JudgeSummary]:
    found = []
    for place, judge in enumerate(session.panel):
        runs = [run for entry in entries for run in entry.result.by_run]
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
    session: Session, entries: Sequence[Ranked], indices: Sequence[Mapping[str, float | None]]
) -> list[JudgedModel]:
    by_judge = {judge.label: ranks([found[judge.label] for found in indices]) for judge in session.panel}
    models = []
    for place, (entry, found) in enumerate(zip(entries, indices, strict=True)):
        known = [index for index in found.values() if index is not None]
        kin = family(entry.row.model_id)
        others = [at for at, judge in enumerate(session.panel) if kin is None or family(judge.model_id) != kin]
        models.append(
            JudgedModel(
                label=entry.row.label,
                identity=entry.row.identity,
                judges={label: JudgedIndex(index=index, rank=by_judge[label][place]) for label, index in found.items()},
                mean=entry.row.index,
                spread=max(known) - min(known) if len(known) == len(found) else None,
                without_family=mean_index(session.edition, entry.result.by_run, others) if others else None,
                left_out=[judge.label for at, judge in enumerate(session.panel) if at not in others],
            )
        )
    return models


def _agreement(trials: Sequence[PlannedTrial]) -> list[Agreement]:
    """Return the agreement on every score, in the order in which the rubrics ask for them."""
    fields = {
        field.name: field.type
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
        level: Level = "nominal" if fields[name] == "boolean" else "interval"
        found.append(
            Agreement(
                score=name,
                trials=len(units),
                alpha=krippendorff_alpha(units, level),
                level=level,
                equal=sum(one == other for one, other in pairs) / len(pairs) if pairs else None,
                distance=mean([abs(one - other) for one, other in pairs]) if pairs else None,
            )
        )
    return found


def _self_preference(
    session: Session, entries: Sequence[Ranked], indices: Sequence[Mapping[str, float | None]]
) -> list[SelfPreference]:
    found = []
    for judge in session.panel:
        leanings = [_leaning(judge.label, by_judge) for by_judge in indices]
        elsewhere = [
            leaning
            for entry, leaning in zip(entries, leanings, strict=True)
            if leaning is not None and entry.row.model_id != judge.model_id
        ]
        for entry, by_judge, leaning in zip(entries, indices, leanings, strict=True):
            if entry.row.model_id == judge.model_id:
                own = by_judge[judge.label]
                found.append(
                    SelfPreference(
                        judge=judge.label,
                        label=entry.row.label,
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
