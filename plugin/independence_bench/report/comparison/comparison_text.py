"""A comparison as text for a terminal: what is found, where it comes from, and both sides' words.

Colours nothing; whoever prints it strips control characters.
"""

from collections.abc import Iterator, Sequence
from textwrap import fill

from independence_bench.report.analysis.missing import gaps
from independence_bench.report.comparison.answers_text import answers_text
from independence_bench.report.comparison.found import ComparedModel, ComparedScenario, Comparison
from independence_bench.report.comparison.sentences import (
    LETTERS,
    component_gap,
    component_reach,
    component_scale,
    headline,
    judged_by,
    p_value,
    responsible,
    scores,
    signed_amount,
)
from independence_bench.report.formatting import (
    CEILING,
    CEILING_MARK,
    number,
    shown_bounds,
    shown_confidence,
    shown_interval,
)
from independence_bench.report.scale import shown_scale, title, value
from independence_bench.report.views.table import Column, fitted
from independence_bench.safe_text import safe_text

WIDTH = 100
LABEL_LEAST = 22
COMPONENT_LEAST = 20
SCORES_LEAST = 24


def comparison_text(comparison: Comparison, width: int = WIDTH) -> str:
    """Return the finding in words first, then components, scenarios and answers."""
    blocks = [
        fill(
            f"Comparison on the Independence Index, edition {safe_text(comparison.edition)}, "
            f"judged by {judged_by(comparison, safe_text, safe_text)}",
            width,
        ),
        fitted(_model_columns(comparison), width)[0],
        *(fill(sentence, width) for sentence in _sentences(comparison)),
        *_missing(comparison, width),
        f"Components on their own scales{_arrow(comparison)}:\n{fitted(_component_columns(comparison), width)[0]}",
        *_scenarios(comparison, width),
        *(answers_text(pair, comparison.first.label, comparison.second.label, width) for pair in comparison.answers),
        *(fill(safe_text(f"Note: {note}"), width) for note in _notes(comparison)),
    ]
    return "\n\n".join(blocks)


def _sentences(comparison: Comparison) -> Iterator[str]:
    return headline(comparison, safe_text(comparison.first.label), safe_text(comparison.second.label))


def _notes(comparison: Comparison) -> list[str]:
    marked = comparison.first.mostly_ceiling or comparison.second.mostly_ceiling
    return [*comparison.notes, *([f"{CEILING_MARK} {CEILING}"] if marked else [])]


def _model_columns(comparison: Comparison) -> list[Column]:
    rows = (comparison.first, comparison.second)
    level = shown_confidence(comparison.confidence)
    build = Column("build", [safe_text(row.build or "–") for row in rows], right=False, least=10, importance=0.1)
    return [
        Column("", LETTERS, right=False),
        Column("model", [safe_text(row.label) for row in rows], right=False, least=LABEL_LEAST),
        Column("Index", [_index(row) for row in rows]),
        Column(f"{level}\nby scenario", [shown_interval(row.interval_by_scenario, row.mostly_ceiling) for row in rows]),
        Column(f"{level}\nby run", [shown_interval(row.interval_by_run, row.mostly_ceiling) for row in rows]),
        Column("runs", [str(row.runs) for row in rows], importance=0.4),
        Column("measured", [f"{row.measured}/{row.planned}" for row in rows], importance=0.3),
        Column("last asked", [(row.last_asked or "–")[:10] for row in rows], importance=0.2),
        *([build] if rows[0].build != rows[1].build else []),
    ]


def _index(row: ComparedModel) -> str:
    return shown_bounds(row.bounds) if row.index is None else number(row.index, 1)


def _missing(comparison: Comparison, width: int) -> Iterator[str]:
    for letter, side in zip(LETTERS, (comparison.first, comparison.second), strict=True):
        lines = [
            fill(
                safe_text(f"{gap.size} × {gap.reason}: {', '.join(gap.trials)}", limit=2_000),
                width,
                initial_indent="  ",
                subsequent_indent="    ",
            )
            for gap in gaps(side)
        ]
        if lines:
            yield "\n".join([f"Missing of {letter}:", *lines])


def _arrow(comparison: Comparison) -> str:
    low = any(each.good == "low" for each in comparison.components)
    return ", ↓ where low is good" if low else ""


def _component_columns(comparison: Comparison) -> list[Column]:
    rows = comparison.components
    scales = [component_scale(row) for row in rows]
    each = list(zip(rows, scales, strict=True))
    names = [f"{title(row.component)} {shown_scale(scale)}" for row, scale in each]
    level = shown_confidence(comparison.confidence)
    return [
        Column("component", names, right=False, least=COMPONENT_LEAST),
        Column("A", [value(row.first, scale) for row, scale in each]),
        Column("B", [value(row.second, scale) for row, scale in each]),
        Column("A − B", [component_gap(row) for row in rows]),
        Column(f"{level}\nby scenario", [component_reach(row, row.by_scenario) for row in rows]),
        Column("p", [p_value(row.by_scenario) for row in rows], importance=0.4),
        Column(f"{level}\nby run", [component_reach(row, row.by_run) for row in rows], importance=0.2),
        Column("p by\nrun", [p_value(row.by_run) for row in rows], importance=0.1),
        Column("Index\npoints", [signed_amount(row.points) if row.weight else "–" for row in rows], importance=0.3),
    ]


def _scenarios(comparison: Comparison, width: int) -> Iterator[str]:
    rows = [row for row in comparison.scenarios if row.points != 0]
    equal = [row.scenario for row in comparison.scenarios if row.points == 0]
    if rows:
        heading = "\n".join(["Scenarios responsible", fill(responsible(comparison), width)])
        yield f"{heading}\n{fitted(_scenario_columns(rows), width)[0]}"
    if equal:
        yield fill(f"Equal in the points of {', '.join(map(safe_text, equal)) if rows else 'every scenario'}.", width)


def _scenario_columns(rows: Sequence[ComparedScenario]) -> list[Column]:
    return [
        Column("scenario", [safe_text(row.scenario) for row in rows], right=False, least=LABEL_LEAST),
        Column("A − B", [signed_amount(row.points) for row in rows]),
        Column("at most", [number(row.worth, 1) for row in rows], importance=0.2),
        Column("mean scores, A : B", [safe_text(scores(row)) for row in rows], right=False, least=SCORES_LEAST),
    ]
