"""Several judges on the same trials: Index and rank by each, agreement, and preference for their own kind."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Any

from independence_bench.aggregation import mean_known
from independence_bench.report.analysis.judge_agreement import (
    OWN_KIND,
    RANKINGS,
    RUBRICS,
    TAU_ASKED,
    OwnKind,
    RankAgreement,
    RubricAgreement,
    by_rubric,
    of_ranks,
    own_kind,
    quotations_by_judge,
)
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.model_ids import family
from independence_bench.report.analysis.model_result import paid_verdicts, total
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked, places
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.blocks import Block, Column, Name, Phrase, phrase
from independence_bench.report.formatting import dollars, number, percent
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.agreement import krippendorff_alpha
from independence_bench.scoring.components import all_known
from independence_bench.scoring.quotations import Quotations, total_quotations
from independence_bench.store import Session


class JudgeSummary(ReportData):
    """One judge of the panel."""

    judge: str
    family: str | None  # vendor of the model, if its id names one
    verdicts: int
    cost_usd: float | None  # of these verdicts; None where one is unknown
    cost_per_run: float | None  # per model and run in which it judged anything
    quotations: dict[str, Quotations]  # quotations in its reasonings, and those that are in the answers, by rubric

    @property
    def quoted(self) -> float | None:
        """Share of its quotations that are in the answers, 0..1."""
        return total_quotations(self.quotations.values()).share


class JudgedIndex(ReportData):
    """Index and rank of a model by one judge."""

    index: float | None  # none where it has not judged every trial
    rank: int | None


class JudgedModel(ModelName):
    """One model under each judge of the panel."""

    judges: dict[str, JudgedIndex]
    mean: float | None  # the panel's Index
    spread: float | None  # highest minus lowest Index of a single judge
    without_family: float | None
    """Index by the judges of other families alone; None where it is incomplete or there is no such judge."""
    left_out: list[str]  # judges of the model's own family


class Agreement(ReportData):
    """How far the judges agree on one score."""

    score: str
    trials: int  # trials that every judge of the panel scored
    alpha: float | None  # krippendorff's alpha; None where the scores do not vary or there are none
    level: str  # level of measurement that alpha assumes
    equal: float | None  # share of pairs of judges that gave the same score
    distance: float | None  # mean absolute difference of a pair


class JudgeAnalysis(ReportData):
    """The judges of a panel compared on the same trials."""

    judges: list[JudgeSummary]
    models: list[JudgedModel]
    agreement: list[Agreement]
    rubrics: list[RubricAgreement]
    rankings: list[RankAgreement]
    own_kind: list[OwnKind]

    @property
    def note(self) -> str | None:
        """Say that ranks depend on the judge; None where they do not, or nothing is known."""
        low = [(each.tau, each) for each in self.rankings if each.tau is not None and each.tau < TAU_ASKED]
        if not low:
            return None
        tau, least = min(low, key=itemgetter(0))
        one, other = least.judges
        return (
            f"Ranks depend on the judge: {one} and {other} alone would rank {least.models} models differently "
            f"(Kendall's tau {tau:.2f}, below {TAU_ASKED:g}; see Judges)."
        )


def compute(measured: Measurements) -> JudgeAnalysis | None:
    """Compare the judges over the edition's own configurations; None below two judges, or where nothing is measured."""
    session, own = measured.session, measured.own
    if len(session.panel) < 2 or not own:
        return None
    places = {judge.label: place for place, judge in enumerate(session.panel)}
    indices = [{label: entry.result.mean_index(judges=[place]) for label, place in places.items()} for entry in own]
    trials = [trial for entry in own for trial in entry.result.trials]
    quotations = quotations_by_judge(measured.store, [entry.result.trials for entry in own], len(session.panel))
    return JudgeAnalysis(
        judges=list(_judges(session, own, quotations)),
        models=list(_models(session, own, indices)),
        agreement=list(_agreement(trials)),
        rubrics=list(by_rubric(trials)),
        rankings=list(of_ranks([*places], indices)),
        own_kind=list(own_kind(session.panel, own)),
    )


def _judges(
    session: Session, entries: Sequence[Ranked], quotations: Sequence[dict[str, Quotations]]
) -> Iterator[JudgeSummary]:
    runs = [run for entry in entries for run in entry.result.by_run]
    paid = [verdict for run in runs for verdict in paid_verdicts(run)]
    for place, judge in enumerate(session.panel):
        verdicts = [verdict for verdict in paid if verdict.judge_configuration == judge.configuration]
        judged = sum(any(trial.verdicts and trial.verdicts[place] for trial in run) for run in runs)
        cost = total(verdict.cost_usd for verdict in verdicts)
        yield JudgeSummary(
            judge=judge.label,
            family=family(judge.model_id),
            verdicts=len(verdicts),
            cost_usd=cost,
            cost_per_run=cost / judged if cost is not None and judged else None,
            quotations=quotations[place],
        )


def _models(
    session: Session, entries: Sequence[Ranked], indices: Sequence[Mapping[str, float | None]]
) -> Iterator[JudgedModel]:
    by_judge = {judge.label: places([found[judge.label] for found in indices]) for judge in session.panel}
    for place, (entry, found) in enumerate(zip(entries, indices, strict=True)):
        known = all_known(found.values())
        kin = family(entry.row.model_id)
        others = [at for at, judge in enumerate(session.panel) if kin is None or family(judge.model_id) != kin]
        yield JudgedModel(
            **entry.row.fields_of(ModelName),
            judges={label: JudgedIndex(index=index, rank=by_judge[label][place]) for label, index in found.items()},
            mean=entry.row.index,
            spread=max(known) - min(known) if known else None,
            without_family=entry.result.mean_index(judges=others) if others else None,
            left_out=[judge.label for at, judge in enumerate(session.panel) if at not in others],
        )


def _agreement(trials: Sequence[PlannedTrial]) -> Iterator[Agreement]:
    levels = {field.name: field.level for trial in trials for field in trial.scenario.judged_fields}
    for name, level in levels.items():
        units = [
            [float(scores[name]) for scores in trial.scores if scores is not None]
            for trial in trials
            if trial.measured and len(trial.scores) > 1 and all(scores and name in scores for scores in trial.scores)
        ]
        pairs = [pair for unit in units for pair in combinations(unit, 2)]
        yield Agreement(
            score=name,
            trials=len(units),
            alpha=krippendorff_alpha(units, level),
            level=level,
            equal=mean_known(one == other for one, other in pairs),
            distance=mean_known(abs(one - other) for one, other in pairs),
        )


def blocks(found: JudgeAnalysis) -> Iterator[Block[Any]]:
    """Yield Index and rank by each judge, their agreement, and their preference for their own kind."""
    words = page_words()[JUDGES.field]
    yield from captioned(words["by_judge"], _by_judge(found.judges), found.models)
    yield from captioned(words["agreement"], _AGREEMENT, found.agreement)
    yield from captioned(words["rubrics"], RUBRICS, found.rubrics)
    yield from captioned(words["rankings"].format(tau=TAU_ASKED), RANKINGS, found.rankings)
    yield from captioned(words["own_kind"], OWN_KIND, found.own_kind, words["no_own_kind"])
    yield from captioned(words["quotations"], _JUDGES, found.judges)


def _by_judge(judges: Sequence[JudgeSummary]) -> list[Column[JudgedModel]]:
    def judged(label: str) -> Column[JudgedModel]:
        return Column(Name(label), lambda row: _ranked_index(row.judges[label]))

    return [
        Column("Model", lambda row: Name(row.label), right=False),
        *(judged(judge.judge) for judge in judges),
        Column("Mean", lambda row: number(row.mean, 1), number=lambda row: row.mean),
        Column("Spread", lambda row: number(row.spread, 1), number=lambda row: row.spread),
        Column("Without its family", lambda row: _without_family(row)),
    ]


_AGREEMENT: list[Column[Agreement]] = [
    Column("Score", lambda row: row.score, right=False),
    Column("Trials", lambda row: row.trials),
    Column("Alpha", lambda row: number(row.alpha, 3), number=lambda row: row.alpha),
    Column("Level", lambda row: row.level),
    Column("Equal", lambda row: percent(row.equal), number=lambda row: row.equal),
    Column("Mean distance", lambda row: number(row.distance, 2), number=lambda row: row.distance),
]
_JUDGES: list[Column[JudgeSummary]] = [
    Column("Judge", lambda row: Name(row.judge), right=False),
    Column("Verdicts", lambda row: row.verdicts),
    Column("USD", lambda row: dollars(row.cost_usd), number=lambda row: row.cost_usd),
    Column(
        "USD per model and run",
        lambda row: "–" if row.cost_per_run is None else dollars(row.cost_per_run),
        number=lambda row: row.cost_per_run,
    ),
    Column("Quotations found", lambda row: percent(row.quoted), number=lambda row: row.quoted),
]


def _ranked_index(each: JudgedIndex) -> str:
    return "–" if each.index is None else f"{each.index:.1f} ({each.rank})"


def _without_family(model: JudgedModel) -> Phrase:
    index = number(model.without_family, 1)
    return phrase(f"{index} (without {{}})", [*map(Name, model.left_out)]) if model.left_out else phrase(index)


JUDGES = Analysis("judging", "Judges", compute, blocks)
