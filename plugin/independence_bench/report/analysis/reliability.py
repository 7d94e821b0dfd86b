"""How much of the spread between ranked models would be found again: of all, the top, each experiment and component."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, Column, Paragraph, Table
from independence_bench.report.formatting import number, percent, shown_confidence
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.confidence import CONFIDENCE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


class Generalization(ReportData):
    """One coefficient: the share of the observed variance between models that is theirs."""

    estimate: float
    """1 at most; not clipped: below 0 where the models differ by less than chance alone would have them differ."""
    interval: tuple[float, float] | None  # none below three models (or scenarios), and where runs never differ
    error: float  # standard error of a model's mean, in points of the Index or of the component (0..100)
    one_in_four: float
    """The true difference of two models, in points, that one measurement in four shows the other way round."""


class ReliabilityPart(ReportData):
    """One part of the field, or of the Index."""

    part: str  # ``all models``, ``top 10``, ``top 30``, the name of an experiment or of a component
    models: int  # ranked ones with two runs or more
    scenarios: int
    model_share: float | None
    """Share of the models in the variance of a single trial, 0..1; None where nothing varies."""
    items_random: Generalization | None  # other scenarios of the same weights; None for a single scenario
    items_fixed: Generalization  # the same scenarios asked again


class ReliabilityAnalysis(ReportData):
    """The coefficients of G theory, at the numbers of runs that the models have."""

    confidence: float = CONFIDENCE
    parts: list[ReliabilityPart]


TOPS = (10, 30)


def compute(measured: Measurements) -> ReliabilityAnalysis | None:
    """Return the coefficients; None below two ranked models with two runs or more, or where all are equal."""
    from independence_bench.scoring.uncertainty.variance import LEAST

    edition = measured.session.edition
    ranked = [entry.result for entry in measured.ranked if len(entry.result.runs) >= LEAST]
    samples = [result.sample for result in ranked if result.sample is not None]
    if not samples:
        return None
    parts = [_part("all models", samples)]
    parts += [_part(f"top {top}", samples[:top]) for top in TOPS if top < len(samples)]
    experiment_of = {scenario.id: scenario.experiment for scenario in edition.scenarios}
    for experiment in edition.experiments:
        places = [at for at, each in enumerate(samples[0].scenarios) if experiment_of[each] == experiment]
        if places:
            parts.append(_part(experiment, [sample.only(places) for sample in samples]))
    for component in edition.weights:
        own = [result.component_sample(component) for result in ranked]
        parts.append(_part(component, [sample for sample in own if sample is not None]))
    found = [part for part in parts if part is not None]
    return ReliabilityAnalysis(parts=found) if found else None


def _part(name: str, samples: "Sequence[Sample]") -> ReliabilityPart | None:
    from independence_bench.scoring.uncertainty import reliability, variance_components

    found = reliability(samples)
    if found is None:
        return None
    variances = variance_components(samples)
    share = variances.shares[0] if variances else None
    return ReliabilityPart.model_validate({"part": name, "model_share": share, **vars(found)})


def blocks(found: ReliabilityAnalysis) -> Iterator[Block[Any]]:
    """Yield what the coefficients mean, then every part of the field and of the Index."""
    whole, level = found.parts[0], shown_confidence(found.confidence)
    words = page_words()[RELIABILITY.field]
    lines = [words["meaning"].format(confidence=level), _meaning(whole.items_fixed, "of the same scenarios")]
    if whole.items_random is not None:
        lines.append(_meaning(whole.items_random, "with other scenarios"))
    if any(part.part.startswith("top ") for part in found.parts):
        lines.append(words["top"])
    if any(each.estimate <= 0 for part in found.parts for each in (part.items_fixed, part.items_random) if each):
        lines.append(words["below_zero"])
    yield Paragraph(lines)
    yield Table(_COLUMNS, found.parts)


def _meaning(found: Generalization, how: str) -> str:
    return (
        f"Two models that are {found.one_in_four:.1f} points apart change places in one of four repetitions {how} "
        f"(standard error of a model {found.error:.1f} points)."
    )


def _shown(found: Generalization | None) -> str:
    if found is None:
        return "–"
    shown = _above_zero(found.estimate)
    return shown if found.interval is None else f"{shown} [{', '.join(map(_above_zero, found.interval))}]"


def _above_zero(coefficient: float) -> str:
    return f"{coefficient:.2f}" if coefficient > 0 else "≤ 0"


_COLUMNS: list[Column[ReliabilityPart]] = [
    Column("Part", lambda row: row.part, right=False),
    Column("Models", lambda row: row.models),
    Column("Scenarios", lambda row: row.scenarios),
    Column("Share of models", lambda row: percent(row.model_share), number=lambda row: row.model_share),
    Column("Fixed", lambda row: _shown(row.items_fixed), number=lambda row: row.items_fixed.estimate),
    Column(
        "Random",
        lambda row: _shown(row.items_random),
        number=lambda row: None if row.items_random is None else row.items_random.estimate,
    ),
    Column("One in four, fixed", lambda row: number(row.items_fixed.one_in_four, 1)),
    Column("One in four, random", lambda row: number(row.items_random.one_in_four if row.items_random else None, 1)),
]

RELIABILITY = Analysis("reliability", "Reliability", compute, blocks)
