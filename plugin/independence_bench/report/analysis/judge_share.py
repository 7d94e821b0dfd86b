"""How much of the variance between runs is the judge's own, where its questions were repeated."""

from collections.abc import Iterator
from itertools import chain

from independence_bench.aggregation import aggregate
from independence_bench.counted import counted
from independence_bench.report.analysis.panel_verdicts import scores_of
from independence_bench.report.analysis.section import Measurements
from independence_bench.report.formatting import percent
from independence_bench.report.report_data import ReportData


class JudgeShare(ReportData):
    """The judge's part of the variance of runs and judge together."""

    share: float | None  # 0..1; None where neither varies
    trials: int
    """Trials of the compared models that every judge of the panel scored twice or more, asked word for word alike."""
    verdicts: int  # the panel's verdicts on these trials, first ones included

    @property
    def sentence(self) -> str:
        """The share and what it rests on."""
        counts = f"{counted(self.verdicts, 'verdict')} on {counted(self.trials, 'trial')}"
        return (
            f"Of the variance between runs {percent(self.share)} is the judge's own, by {counts} whose questions were "
            "sent several times, word for word alike; scores come from first verdicts."
        )


def judge_share(measured: Measurements, run: float) -> JudgeShare | None:
    """Return the judge's share over the models whose variances are compared; None where no question was repeated.

    ``run`` is the variance of runs and judge together, in (per cent)².
    """
    from independence_bench.scoring.uncertainty import judge_variance

    edition = measured.session.edition
    known = judge_variance(_repeated_shares(measured), len(edition.system_variants) * len(edition.delivery_modes))
    if known is None:
        return None
    whole = max(run, known.variance)
    share = known.variance / whole if whole else None
    return JudgeShare(share=share, trials=known.trials, verdicts=known.verdicts)


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
        panels = [aggregate(panel, edition.aggregation) for panel in (trial.scores, *again)]
        yield [worth.points(panel) / worth.worth for panel in panels]
