"""Computes the comparison of two results. Formats nothing."""

from collections.abc import Iterator, Sequence
from functools import partial

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import checked_judges
from independence_bench.option_table import MAX_DROP
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.ranked import view_of
from independence_bench.report.analysis.row import possible
from independence_bench.report.analysis.warnings import combined_otherwise, grave, judge_warnings, warning_sentences
from independence_bench.report.comparison.compared_scenarios import answer_pairs, compared_scenarios, scenario_points
from independence_bench.report.comparison.found import (
    ComparedComponent,
    ComparedModel,
    Comparison,
    FoundDifference,
    NoWorse,
)
from independence_bench.report.comparison.sentences import NO_INDEX
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.scale import ComponentScale
from independence_bench.scoring.holm import holm
from independence_bench.scoring.uncertainty import BASES, Basis, Sample, difference
from independence_bench.store.adding import MEASURED


def build_comparison(request: ComparisonRequest) -> Comparison:
    """Return the comparison of two models under the session's edition, texts and panel.

    Raises BadInput where ``max_drop`` is outside the scale, or the confidence is no evidence for it.
    """
    session, first, second = request.session, request.first, request.second
    confidence, max_drop = request.confidence, request.max_drop
    if max_drop is not None and confidence <= 0.5:
        raise BadInput(f"--confidence={confidence:g}: is no evidence for {MAX_DROP.flag}; give more than 0.5")
    if max_drop is not None and not 0 <= max_drop <= NO_INDEX:
        raise BadInput(f"{MAX_DROP.flag}={max_drop:.10g}: it is outside 0 to {NO_INDEX:g}; correct the number")
    edition = session.edition
    one, other = first.shown(confidence), second.shown(confidence)
    points = scenario_points(edition, first.result), scenario_points(edition, second.result)
    scenarios = compared_scenarios(edition, (first, second), points)
    samples = first.result.sample, second.result.sample
    checks = checked_judges(first.store, session.panel, request.set_digest)
    judges = grave(judge_warnings(session, checks))
    parts = [*_parts(edition, (first, second), (one, other), confidence)]
    for basis in ("by_run", "by_scenario"):
        parts = _adjusted(parts, basis)
    return Comparison(
        **view_of(session),
        judge_checks=checks,
        confidence=confidence,
        first=one,
        second=other,
        difference=one.index - other.index if one.index is not None and other.index is not None else None,
        bounds=_bounds(one, other),
        by_scenario=_difference(*samples, "scenario", confidence),
        by_run=_difference(*samples, "run", confidence),
        no_worse=[]
        if max_drop is None
        else [NoWorse.by(basis, partial(_difference, *samples, basis), confidence, max_drop) for basis in BASES],
        numbers=[each for each in parts if each.component not in edition.components],
        components=[each for each in parts if each.component in edition.components],
        warnings=[
            *warning_sentences(judges, [(side.label, side.warnings) for side in (one, other)]),
            *combined_otherwise(session),
        ],
        notes=_notes(first, second),
        answers=list(answer_pairs((first, second), points, scenarios, request.answers)),
        scenarios=scenarios,
    )


def _bounds(first: ComparedModel, second: ComparedModel) -> tuple[float, float] | None:
    """Return the bounds of the difference where trials are missing; a known Index is its own bound."""
    if first.no_index or second.no_index:
        return None
    ends = [possible(side) for side in (first, second)]
    if ends[0] is None or ends[1] is None or None not in (first.index, second.index):
        return None
    return ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]


def _adjusted(parts: Sequence[ComparedComponent], basis: str) -> list[ComparedComponent]:
    """Return parts with their p-values by one basis adjusted together (Holm)."""
    known = [own for part in parts if (own := getattr(part, basis)) is not None]
    adjusted = iter(holm([own.p_value for own in known]))
    return [
        part
        if (own := getattr(part, basis)) is None
        else part.model_copy(update={basis: own.model_copy(update={"p_value": next(adjusted)})})
        for part in parts
    ]


def _parts(
    edition: Edition, sides: Sequence[Side], shown: Sequence[ComparedModel], confidence: float
) -> Iterator[ComparedComponent]:
    """Yield the numbers beside the Index that a side has, then the components."""
    scale = ComponentScale(weight=0.0, maximum=NO_INDEX, good="high")
    for name, number in BESIDE_INDEX.items():
        if any(name in side.numbers for side in shown):
            pair = number.samples([side.result for side in sides]) or (None, None)
            yield _compared(name, scale, [side.beside(name) for side in shown], pair, confidence)
    for name, component in edition.components.items():
        values = [side.row.components.get(name) for side in sides]
        samples = [side.result.component_sample(name) for side in sides]
        yield _compared(name, ComponentScale.model_validate(component), values, samples, confidence)


def _compared(
    name: str,
    scale: ComponentScale,
    numbers: Sequence[float | None],
    samples: Sequence[Sample | None],
    confidence: float,
) -> ComparedComponent:
    (one, other), (first, second) = numbers, samples
    span = scale.maximum - scale.minimum
    sign = 1 if scale.good == "high" else -1  # samples count what is good
    gap = one - other if one is not None and other is not None else None
    return ComparedComponent(
        component=name,
        **dict(scale),
        first=one,
        second=other,
        points=None if gap is None else 100 * scale.weight * sign * gap / span,
        by_scenario=_difference(first, second, "scenario", confidence, sign * span / 100),
        by_run=_difference(first, second, "run", confidence, sign * span / 100),
    )


def _difference(
    first: Sample | None, second: Sample | None, basis: Basis, confidence: float, scale: float = 1.0
) -> FoundDifference | None:
    """Return the pair's difference, as tables of pairs have it, with every point of the samples times ``scale``."""
    found = difference(first, second, basis, confidence) if first and second else None
    return FoundDifference.of(found, scale, basis=basis, confidence=confidence) if found else None


def _notes(first: Side, second: Side) -> list[str]:
    notes = []
    asked = [
        {(row.key, row.created_at): row.origin for trial in side.result.trials if (row := trial.transcript)}
        for side in (first, second)
    ]
    origins = sorted({origin for rows in asked for origin in rows.values()} - {MEASURED})
    if origins:
        notes.append(f"Imported texts: some transcripts come from an import ({', '.join(origins)}).")
    if same := len(asked[0].keys() & asked[1].keys()):
        notes.append(
            f"{same} of {len(asked[0])} transcripts are the same measurement on both sides: their agreement is no "
            "evidence."
        )
    return notes
