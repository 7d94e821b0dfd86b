"""Certainty of the ranked models' numbers: what differs, and whether it would be found again."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from independence_bench.aggregation import mean_known
from independence_bench.counted import counted
from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, Paragraph
from independence_bench.report.formatting import number
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.confidence import CONFIDENCE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


class Generalization(ReportData):
    """The share of the observed variance between models that is theirs."""

    estimate: float
    """1 at most; not clipped: below 0 where the models differ by less than chance alone would have them differ."""
    interval: tuple[float, float] | None  # none below three models (or scenarios), and where runs never differ


class FieldReliability(ReportData):
    """How much of the spread between the ranked models would be found again, at the numbers of runs that they have."""

    items_fixed: Generalization  # the same scenarios asked again
    items_random: Generalization | None  # other scenarios of the same weights; None for a single scenario


class Certainty(ReportData):
    """What the spread of models, scenarios and runs implies for the numbers."""

    confidence: float = CONFIDENCE
    ranked: int
    compared: int  # those with two runs or more; the reliability is estimated from these
    scenarios: int
    unknown: str | None  # why the reliability cannot be estimated, one sentence; None where there are enough runs
    reliability: FieldReliability | None
    """None below two ranked models with two runs or more, or where all are equal."""
    tiers: int = 0
    mean_ranks_by_run: float | None = None
    """Number of ranks that a model could have by run, mean over the ranked models; None where there are none."""
    mean_ranks_by_scenario: float | None = None


def compute(measured: Measurements) -> Certainty | None:
    """Return the certainty of the ranked models' numbers; None where nothing is measured."""
    if not measured.entries:
        return None
    from independence_bench.scoring.uncertainty import reliability

    samples = measured.pairs.samples
    repeated, reliable = sum(sample.runs > 1 for sample in samples), reliability(samples)
    return Certainty(
        ranked=len(samples),
        compared=repeated,
        scenarios=len(samples[0].scenarios) if samples else 0,
        tiers=max((each.row.tier or 1 for each in measured.ranked), default=0),
        mean_ranks_by_run=_mean_ranks(each.row.rank_interval for each in measured.ranked),
        mean_ranks_by_scenario=_mean_ranks(each.row.rank_interval_by_scenario for each in measured.ranked),
        unknown=_unknown(samples, repeated),
        reliability=FieldReliability.model_validate(reliable) if reliable else None,
    )


def _mean_ranks(ranks: Iterable[tuple[int, int] | None]) -> float | None:
    return mean_known(each[1] - each[0] + 1 for each in ranks if each is not None)


def _unknown(samples: "Sequence[Sample]", repeated: int) -> str | None:
    if not samples:
        return "No model is measured completely, so there is no Index yet."
    if repeated > 1:
        return None
    return (
        "Reliability can be estimated once at least two models are measured completely in two runs or more (--runs=5); "
        f"so far {'one' if repeated else 'none'} is."
    )


def blocks(result: Certainty) -> Iterator[Block[Any]]:
    """Yield what intervals and ranks mean, and whether what differs would be found again."""
    words = page_words()[CERTAINTY.field]
    lines = [words["meaning"], _ranks(result)] if result.ranked > 1 else []
    yield Paragraph([*lines, *filter(None, [result.unknown])])
    if result.reliability is not None:
        fixed, random = result.reliability.items_fixed, result.reliability.items_random
        others = f", and {_shown(random)} with other scenarios of the same weights" if random else ""
        yield Paragraph([words["reliability"].format(fixed=_shown(fixed), others=others)])


def _shown(result: Generalization) -> str:
    ends = f" [{', '.join(map(_above_zero, result.interval))}]" if result.interval else ""
    return f"{_above_zero(result.estimate)}{ends}"


def _above_zero(coefficient: float) -> str:
    return f"{coefficient:.2f}" if coefficient > 0 else "≤ 0"


def _ranks(result: Certainty) -> str:
    by_run, by_scenario = number(result.mean_ranks_by_run, 1), number(result.mean_ranks_by_scenario, 1)
    known = (
        f"By run a model could have {by_run} of {result.ranked} ranks on average, and there "
        f"{'is' if result.tiers == 1 else 'are'} {counted(result.tiers, 'tier')}; by scenario it could have "
        f"{by_scenario}"
    )
    if (result.mean_ranks_by_scenario or 0) <= result.ranked / 2:
        return f"{known}."
    return f"{known}: {counted(result.scenarios, 'scenario')} cannot rank {counted(result.ranked, 'model')}."


CERTAINTY = Analysis("certainty", "How sure the numbers are", compute, blocks, page="method.html", early=True)
