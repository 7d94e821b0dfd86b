"""Several judges on the same trials: how far they agree, and whether one prefers its own kind."""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from independence_bench.report.analysis.judge_agreement import (
    RUBRICS,
    TAU_ASKED,
    OwnKind,
    RankAgreement,
    RubricAgreement,
    by_rubric,
    of_ranks,
    own_kind,
)
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.ranked import Ranked, places
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.blocks import Block, Bullets, Name, Phrase, phrase
from independence_bench.report.formatting import number, signed_estimate
from independence_bench.report.report_data import ReportData


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
    indices = [{label: entry.result.mean_index(judges=[place]) for label, place in places.items()} for entry in own]
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
    yield from captioned(page_words()[JUDGES.field], RUBRICS, result.rubrics)
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
