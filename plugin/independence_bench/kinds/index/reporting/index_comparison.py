"""Two models compared by their Index: by run and by scenario, with every component on its own scale."""

from collections.abc import Iterator, Sequence
from functools import partial

from pydantic import Field

from independence_bench.kinds.index.reporting.responsible_scenarios import (
    AnswerPair,
    ComparedScenario,
    answer_pairs,
    answer_parts,
    compared_scenarios,
    scenario_parts,
    scenario_points,
)
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX, with_own_intervals
from independence_bench.report.analysis.row import IndexFacts, possible
from independence_bench.report.blocks import Column, Heading, Name, Phrase, Value, phrase
from independence_bench.report.comparison.comparison_data import ComparedSide, ComparedValue, Comparison, PairDifference
from independence_bench.report.comparison.comparison_parts import (
    LETTERS,
    ComparisonParts,
    NumberStyle,
    number_table,
    side_table,
)
from independence_bench.report.comparison.difference_words import DifferenceWords, outwards
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.formatting import (
    CEILING,
    CEILING_MARK,
    number,
    shown_bounds,
    shown_confidence,
    shown_interval,
    signed_amount,
)
from independence_bench.report.presented import Compared
from independence_bench.report.scale import ComponentScale, is_share, shown_scale, title
from independence_bench.scoring.holm import holm
from independence_bench.scoring.uncertainty import BASES, Basis, Sample, difference

GREATEST = 100.0
"""The largest possible difference between two Indices, in points."""


class ComparedModel(ComparedSide, IndexFacts):
    """One of the two sides."""


class ComparedComponent(ComparedValue, ComponentScale):
    """One component of the Index, or one number beside it."""

    name: str = Field(alias="component")
    points: float | None
    """Its contribution to the difference of the Index: positive favours the first, also where low is good."""
    by_scenario: PairDifference | None
    """None for a single scenario, or where trials are missing. p-values of all parts are adjusted together (Holm)."""
    by_run: PairDifference | None


class IndexComparison(Comparison[ComparedModel]):
    """Two models under one edition, one set of texts and one panel."""

    subject: str = "independence"
    difference: float | None  # of the Index; None where one side is incomplete
    bounds: tuple[float, float] | None
    """Bounds of the difference over all possible results of the missing trials; None where nothing is missing."""
    by_scenario: PairDifference | None
    by_run: PairDifference | None  # none where a side has a single run
    numbers: list[ComparedComponent] = Field(default_factory=list)
    """The numbers beside the Index, without weight in it."""
    components: list[ComparedComponent]
    answers: list[AnswerPair]  # in the scenarios most responsible
    scenarios: list[ComparedScenario]
    """The most responsible for the difference first; those against it, and incomplete ones, last."""


def compare_index(request: ComparisonRequest) -> Compared:
    """Compare two models. Raises BadInput: ``max_drop`` is outside the scale, or the confidence no evidence for it."""
    return index_parts(index_comparison(request)).compared("scenarios")


def index_comparison(request: ComparisonRequest) -> IndexComparison:
    """Return the comparison of two models under the session's edition, texts and panel; raises as above."""
    request.check_drop(GREATEST)
    edition, confidence = request.session.edition, request.confidence
    one, other = (_shown(side, confidence) for side in request.sides)
    results = [side.result for side in request.sides]
    points = scenario_points(edition, results[0]), scenario_points(edition, results[1])
    scenarios = compared_scenarios(request, points)
    between = partial(_difference, [result.sample for result in results])
    parts = [*_parts(request, (one, other))]
    for basis in BASES:
        parts = _adjusted_together(parts, basis)
    return IndexComparison(
        **request.facts,
        first=one,
        second=other,
        difference=one.index - other.index if one.index is not None and other.index is not None else None,
        bounds=_bounds(one, other),
        by_scenario=between("scenario", confidence),
        by_run=between("run", confidence),
        no_worse=request.no_worse(**{basis: partial(between, basis) for basis in BASES}),
        numbers=[each for each in parts if each.name not in edition.components],
        components=[each for each in parts if each.name in edition.components],
        notes=[*request.notes("transcripts")],
        answers=list(answer_pairs(request, points, scenarios)),
        scenarios=scenarios,
    )


def _shown(side: Side, confidence: float) -> ComparedModel:
    row = with_own_intervals(side, confidence).row
    return ComparedModel(**(side.facts | row.fields_of(IndexFacts)))


def _bounds(first: ComparedModel, second: ComparedModel) -> tuple[float, float] | None:
    """Return the bounds of the difference where trials are missing; a known Index is its own bound."""
    if first.no_index or second.no_index:
        return None
    ends = [possible(side) for side in (first, second)]
    if ends[0] is None or ends[1] is None or None not in (first.index, second.index):
        return None
    return ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]


def _parts(request: ComparisonRequest, shown: Sequence[ComparedModel]) -> Iterator[ComparedComponent]:
    """Yield the numbers beside the Index that a side has, then the components."""
    results = [side.result for side in request.sides]
    for name, beside in BESIDE_INDEX.items():
        if any(name in side.numbers for side in shown):
            scale = ComponentScale(weight=0.0, maximum=GREATEST, good="high")
            values = [side.beside(name) for side in shown]
            yield _compared(request, name, scale, values, beside.samples(results) or (None, None))
    for name, component in request.session.edition.components.items():
        values = [side.row.components.get(name) for side in request.sides]
        samples = [result.component_sample(name) for result in results]
        yield _compared(request, name, ComponentScale.model_validate(component), values, samples)


def _adjusted_together(parts: Sequence[ComparedComponent], basis: Basis) -> list[ComparedComponent]:
    """Return the parts with their p-values on one basis adjusted for all of them (Holm)."""
    field = f"by_{basis}"
    known: list[PairDifference | None] = [getattr(part, field) for part in parts]
    adjusted = iter(holm([each.p_value for each in known if each]))
    return [
        part.model_copy(update={field: each and each.model_copy(update={"p_value": next(adjusted)})})
        for part, each in zip(parts, known, strict=True)
    ]


def _compared(
    request: ComparisonRequest,
    name: str,
    scale: ComponentScale,
    values: Sequence[float | None],
    samples: Sequence[Sample | None],
) -> ComparedComponent:
    first, second = values
    span = scale.maximum - scale.minimum
    sign = 1 if scale.good == "high" else -1  # samples count what is good
    gap = None if first is None or second is None else first - second
    tested = partial(_difference, samples, confidence=request.confidence, scale=sign * span / 100)
    return ComparedComponent(
        name=name,
        **dict(scale),
        first=first,
        second=second,
        points=None if gap is None else 100 * scale.weight * sign * gap / span,
        by_scenario=tested("scenario"),
        by_run=tested("run"),
    )


def _difference(
    samples: Sequence[Sample | None], basis: Basis, confidence: float, scale: float = 1.0
) -> PairDifference | None:
    """Return the pair's difference, as tables of pairs have it, with every point of the samples times ``scale``."""
    first, second = samples
    known = difference(first, second, basis, confidence) if first and second else None
    return PairDifference.of(known, basis, confidence, scale)


def index_parts(comparison: IndexComparison) -> ComparisonParts:
    """Return a comparison as it is read."""
    level = shown_confidence(comparison.confidence)
    marked = any(side.mostly_ceiling for side in comparison.sides)
    arrow = ", ↓ where low is good" if any(each.good == "low" for each in comparison.components) else ""
    components = number_table(
        "Component",
        [*comparison.numbers, *comparison.components],
        _style,
        comparison.confidence,
        [("by run", lambda row: row.by_run, False), ("by scenario", lambda row: row.by_scenario, True)],
        [Column("Index points", _index_points, "", "Index\npoints", importance=0.3)],
    )
    columns: list[Column[ComparedModel]] = [
        Column("Index", _index),
        Column(f"{level} by run", lambda side: _interval(side, side.interval_by_run), "", f"{level}\nby run"),
        Column(f"{level} by scenario", lambda side: _interval(side, side.interval_by_scenario), only="page"),
    ]
    return ComparisonParts(
        comparison=comparison,
        title=phrase("Comparison on the Independence Index, edition {}", comparison.edition),
        models=side_table(comparison, columns),
        sentences=[*_sentences(comparison)],
        parts=[
            Heading(f"Components on their own scales{arrow}; p adjusted for all of them (Holm)"),
            components,
            *scenario_parts(comparison.scenarios, comparison.difference),
            *(part for pair in comparison.answers for part in answer_parts(pair)),
        ],
        explanation=packaged_yaml(__package__, "index_text.yaml")["compared"],
        legend=[f"{CEILING_MARK} {CEILING}"] if marked else [],
    )


_WORDS = DifferenceWords(
    "Index",
    "by scenario",
    unit="point",
    greatest=GREATEST,
    no_interval="there is no estimate by scenario: the Index rests on a single scenario",
)


def _sentences(comparison: IndexComparison) -> Iterator[Phrase]:
    """Yield the difference by scenario and by run; where there is no interval, what is needed for one."""
    names, gap = [Name(side.label) for side in comparison.sides], comparison.difference
    if gap is not None:
        yield _WORDS.sentence((names[0], names[1]), gap, comparison.by_scenario)
        if comparison.by_run is not None:
            yield phrase(f"By run, on these scenarios only {_WORDS.evidence('', gap, comparison.by_run)}.")
        else:
            yield phrase("There is no estimate by run: that needs two runs of both (--runs=5).")
        return
    for letter, name, side in zip(LETTERS, names, comparison.sides, strict=True):
        if side.index is None:
            missing = f"{side.planned - side.measured} of {side.planned} trials are not measured"
            yield phrase(f"{{}} ({letter}) has no Index: {side.no_index or missing}.", name)
    if comparison.bounds is not None:
        ends = outwards(*comparison.bounds).replace(" to ", " and ")
        yield phrase(
            f"The difference A − B would be between {ends}. "
            "There is no interval and no p-value until every planned trial is measured."
        )


def _index(side: ComparedModel) -> Value:
    return shown_bounds(side.bounds) if side.index is None else phrase("**{}**", number(side.index, 1))


def _interval(side: ComparedModel, ends: tuple[float, float] | None) -> Phrase:
    return phrase(shown_interval(ends, side.mostly_ceiling))


def _style(row: ComparedComponent) -> NumberStyle:
    factor, places = (100.0, 1) if is_share(row) else (1.0, 2)
    return NumberStyle(f"{title(row.name)} {shown_scale(row)}", factor, places, row.maximum - row.minimum)


def _index_points(row: ComparedComponent) -> Phrase:
    return phrase(signed_amount(row.points) if row.weight else "–")
