"""Where the spread comes from: the table of sources, and the judge's own variance where its questions were repeated."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from independence_bench.aggregation import aggregated
from independence_bench.counted import counted
from independence_bench.report.analysis.panel_verdicts import scores_of
from independence_bench.report.analysis.section import Measurements, captioned, page_words
from independence_bench.report.blocks import Block, Column, paragraph
from independence_bench.report.formatting import number, percent
from independence_bench.report.report_data import ReportData

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import JudgeVariance, VarianceComponents

Source = Literal["model", "scenario", "model × scenario", "run and judge", "run", "judge"]


class VariancePart(ReportData):
    """One source of spread."""

    source: Source
    variance: float  # of one trial's share of its best value, in (per cent)²
    share: float | None  # of all sources together, 0..1; None where nothing varies


class JudgeRepeatsRead(ReportData):
    """The repeated questions that tell the judge's variance from that of runs."""

    trials: int
    """Trials of the compared models that every judge of the panel scored twice or more, asked word for word alike."""
    verdicts: int  # the panel's verdicts on these trials, first ones included


def judge_variance_of(measured: Measurements) -> "JudgeVariance | None":
    """Return the judge's variance over the models whose variances are compared; None where no question was repeated."""
    from independence_bench.scoring.uncertainty import judge_variance

    edition = measured.session.edition
    return judge_variance(_repeated_shares(measured), len(edition.system_variants) * len(edition.delivery_modes))


def _repeated_shares(measured: Measurements) -> Iterator[list[float]]:
    """Yield every trial of the compared models as the panel's answers to one question scored it, first answers first.

    In shares of its best value, 0..1. An answer counts where each judge of the panel has given it. Equal conversations
    have the same verdicts and count once.
    """
    from independence_bench.scoring.uncertainty.variance import LEAST

    edition = measured.session.edition
    compared = (entry.result for entry in measured.ranked if len(entry.result.runs) >= LEAST)
    questions = {
        (trial.transcript.transcript_hash, trial.scenario.id): (trial, trial.outcome.worth)
        for trial in chain.from_iterable(result.trials for result in compared)
        if trial.transcript and trial.repeats and trial.outcome.worth
    }
    for trial, worth in questions.values():
        firsts = [scores or {} for scores in trial.scores]  # with what a function of the scenario's own found
        again = [
            [{**first, **scores_of(repeats[number])} for first, repeats in zip(firsts, trial.repeats, strict=True)]
            for number in sorted(set.intersection(*map(set, trial.repeats)))
        ]
        panels = [aggregated(panel, edition.aggregation) for panel in (trial.scores, *again)]
        yield [worth.points(panel) / worth.worth for panel in panels]


def sources(found: "VarianceComponents", judge: "JudgeVariance | None") -> list[VariancePart]:
    """Return the sources: four, or five where the judge's variance is known and is taken from that of runs."""
    variances: dict[Source, float] = {
        "model": found.model,
        "scenario": found.scenario,
        "model × scenario": found.model_scenario,
    }
    if judge is None:
        variances["run and judge"] = found.run
    else:
        variances |= {"run": max(0.0, found.run - judge.variance), "judge": judge.variance}
    whole = sum(variances.values())
    return [
        VariancePart(source=source, variance=variance, share=variance / whole if whole else None)
        for source, variance in variances.items()
    ]


def variance_blocks(parts: Sequence[VariancePart], repeats: JudgeRepeatsRead | None, over: str) -> Iterator[Block[Any]]:
    """Yield the table of sources, and what the judge's variance rests on; ``over`` names models and scenarios."""
    words = page_words()["certainty"]
    yield from captioned(words["variance"].format(over=over), _VARIANCE, parts)
    if repeats is not None:
        counts = {"verdicts": counted(repeats.verdicts, "verdict"), "trials": counted(repeats.trials, "trial")}
        yield paragraph(words["repeats"].format(**counts))


_VARIANCE: list[Column[VariancePart]] = [
    Column("Source", lambda row: row.source, right=False),
    Column("Variance", lambda row: number(row.variance, 1), number=lambda row: row.variance),
    Column("Share", lambda row: percent(row.share), number=lambda row: row.share),
]
