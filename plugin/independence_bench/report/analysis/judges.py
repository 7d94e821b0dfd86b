"""Several judges on the same trials: how far they agree, and whether one is milder to its own kind."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, compress
from operator import itemgetter
from statistics import variance
from typing import Any

from independence_bench.aggregation import mean, mean_known
from independence_bench.grouping import group_values
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.model_ids import base_model, family
from independence_bench.report.analysis.planned import PlannedTrial, mean_share
from independence_bench.report.analysis.ranked import Ranked, places
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.blocks import Block, Bullets, Name, Phrase, phrase
from independence_bench.report.formatting import number, signed_estimate
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.agreement import kendall_tau, krippendorff_alpha, light_kappa
from independence_bench.scoring.confidence import CONFIDENCE
from independence_bench.scoring.held import held
from independence_bench.spec import PanelJudge

TAU_ASKED = 0.9
"""Kendall's τ of two judges' rankings below which the leaderboard says that ranks depend on the judge."""


class RubricAgreement(ReportData):
    """How far the judges agree on the trials of one rubric."""

    rubric: str
    trials: int
    alpha: float | None
    """Krippendorff's alpha (interval level) of a trial's points: the mean of its scores as shares of the best."""
    kappa: float | None
    """Light's kappa of held and yielded: the mean of Cohen's over all pairs of judges; None without a pass mark, and
    where every judge gives one side only."""
    same_side: float | None  # share of pairs of judges on the same side of the pass mark; None without one


class RankAgreement(ReportData):
    """How alike two judges alone would rank the models."""

    judges: tuple[str, str]
    models: int  # models with an Index by both
    tau: float | None
    """Kendall's τ-b of the two Indices; None below two models, and where one judge gives all the same Index."""


class OwnKind(ReportData):
    """How much better a judge scores models of its own kind than the other judges do, on the same transcripts."""

    judge: str
    of: str  # ``itself``, or the vendor
    trials: int  # of its own kind, scored by every judge
    own: float  # mean of the judge's points for these trials minus the other judges', in points of 100
    elsewhere: float | None  # the same difference over models of other vendors: how much milder it is in general
    excess: float | None  # the mean over scenarios of ``own`` minus ``elsewhere``: its preference
    interval: tuple[float, float] | None  # of the excess, Student t over scenarios; None below two


def by_rubric(trials: Sequence[PlannedTrial]) -> Iterator[RubricAgreement]:
    """Yield the agreement on each rubric, in the order of the scenarios."""
    judged = ((trial.scenario.rubric.id, trial) for trial in trials if trial.scenario.rubric and _by_all(trial))
    for rubric, own in group_values(judged).items():
        sides = [
            [held(trial.scenario.judged_marks, scores) for scores in trial.outcome.scores if scores]
            for trial in own
            if trial.scenario.judged_marks
        ]
        yield RubricAgreement(
            rubric=rubric,
            trials=len(own),
            alpha=krippendorff_alpha([_points(trial) for trial in own], "interval"),
            kappa=light_kappa(sides),
            same_side=mean_known(one == other for each in sides for one, other in combinations(each, 2)),
        )


def of_ranks(judges: Sequence[str], indices: Sequence[Mapping[str, float | None]]) -> Iterator[RankAgreement]:
    """Yield τ for every two judges; ``indices`` holds each model's Index by judge."""
    for one, other in combinations(judges, 2):
        both = [(a, b) for each in indices if (a := each[one]) is not None and (b := each[other]) is not None]
        yield RankAgreement(judges=(one, other), models=len(both), tau=kendall_tau(both))


def own_kind(panel: Sequence[PanelJudge], entries: Sequence[Ranked]) -> Iterator[OwnKind]:
    """Yield the preference of each judge that is a contestant, or of whose vendor there is one."""
    for place, judge in enumerate(panel):
        itself = [base_model(entry.row.model_id) == base_model(judge.model_id) for entry in entries]
        vendor = family(judge.model_id)
        kin = [vendor is not None and family(entry.row.model_id) == vendor for entry in entries]
        strangers = [not (own or related) for own, related in zip(itself, kin, strict=True)]
        elsewhere = group_values(_leanings(place, compress(entries, strangers)))
        for of, belong in (("itself", itself), (vendor or "", kin)):
            if own := group_values(_leanings(place, compress(entries, belong))):
                yield _preference(judge.label, of, own, elsewhere)


def _preference(judge: str, of: str, own: Mapping[str, list[float]], strangers: Mapping[str, list[float]]) -> OwnKind:
    trials = [each for result in own.values() for each in result]
    excesses = [mean(result) - mean(strangers[scenario]) for scenario, result in own.items() if scenario in strangers]
    return OwnKind(
        judge=judge,
        of=of,
        trials=len(trials),
        own=mean(trials),
        elsewhere=mean_known(each for result in strangers.values() for each in result),
        excess=mean_known(excesses),
        interval=_interval(excesses),
    )


def _interval(values: Sequence[float]) -> tuple[float, float] | None:
    if len(values) < 2:
        return None
    from independence_bench.scoring.uncertainty.intervals import student  # late: numpy
    from independence_bench.scoring.uncertainty.sample import Error

    half = student(Error(variance(values) / len(values), len(values) - 1), CONFIDENCE)
    return mean(values) - half, mean(values) + half


def _leanings(place: int, entries: Iterable[Ranked]) -> Iterator[tuple[str, float]]:
    """Yield the scenario of each trial of some models, and how many points more than the others the judge gives it."""
    for entry in entries:
        for trial in entry.result.trials:
            if trial.scenario.judged_fields and _by_all(trial):
                points = _points(trial)
                others = [*points[:place], *points[place + 1 :]]
                yield trial.scenario.id, points[place] - mean(others)


def _by_all(trial: PlannedTrial) -> bool:
    return trial.measured and len(trial.outcome.scores) > 1 and all(trial.outcome.scores)


def _points(trial: PlannedTrial) -> list[float]:
    """Return the points of a trial by each judge, 0..100: its scores as shares of the best."""
    shares = (mean_share(trial.scenario.judged_fields, scores) for scores in trial.outcome.scores if scores)
    return [100 * share for share in shares if share is not None]


class JudgedIndex(ReportData):
    """Index and rank of a model by one judge."""

    index: float | None  # none where it has not judged every trial
    rank: int | None


class JudgedModel(ModelName):
    """One model under each judge of the panel."""

    judges: dict[str, JudgedIndex]


class JudgeAnalysis(ReportData):
    """The judges of a panel compared on the same trials."""

    models: list[JudgedModel]
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
    indices = [{label: entry.result.index_by(place) for label, place in places.items()} for entry in own]
    return JudgeAnalysis(
        models=list(_models([*places], own, indices)),
        rubrics=list(by_rubric([trial for entry in own for trial in entry.result.trials])),
        rankings=list(of_ranks([*places], indices)),
        own_kind=list(own_kind(session.panel, own)),
    )


def _models(
    judges: Sequence[str], entries: Sequence[Ranked], indices: Sequence[Mapping[str, float | None]]
) -> Iterator[JudgedModel]:
    by_judge = {judge: places([own[judge] for own in indices]) for judge in judges}
    for place, (entry, own) in enumerate(zip(entries, indices, strict=True)):
        judged = {label: JudgedIndex(index=index, rank=by_judge[label][place]) for label, index in own.items()}
        yield JudgedModel(**entry.row.fields_of(ModelName), judges=judged)


def blocks(result: JudgeAnalysis) -> Iterator[Block[Any]]:
    """Yield the judges' agreement by rubric, then what else tells whether the numbers depend on the judge."""
    yield from captioned(page_words()[JUDGES.field], analysis_columns(JUDGES.field), result.rubrics)
    yield Bullets([*_sentences(result)])


def _sentences(result: JudgeAnalysis) -> Iterator[Phrase]:
    for each in result.rankings:
        tau = number(each.tau, 2)
        yield phrase(f"{{}} and {{}} rank {each.models} models with Kendall's tau {tau}.", *map(Name, each.judges))
    for own in result.own_kind:
        excess = signed_estimate(own.excess, own.interval)
        words = f"{{}} gives {{}} {excess} of 100 points more than other judges do, beyond what it gives the rest."
        yield phrase(words, Name(own.judge), own.of)


JUDGES = Analysis("judging", "Judges", compute, blocks, page="judges.html")
