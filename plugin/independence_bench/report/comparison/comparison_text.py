"""A comparison as text for a terminal: the finding, the scenarios responsible for it, and both sides' answers.

Adds no colours; the caller strips control characters.
"""

from collections.abc import Iterator

from independence_bench.report.analysis.missing import gaps
from independence_bench.report.blocks import Table, phrase
from independence_bench.report.comparison.answers_text import answers_text
from independence_bench.report.comparison.compared_columns import FOR_A_TERMINAL, compared_components, compared_models
from independence_bench.report.comparison.found import Comparison
from independence_bench.report.comparison.sentences import LETTERS, headline, responsible
from independence_bench.report.formatting import CEILING, CEILING_MARK
from independence_bench.report.views.panel import judged_by
from independence_bench.report.views.text import WIDTH, filled, table_text


def comparison_text(comparison: Comparison, width: int = WIDTH) -> str:
    """Return the finding in sentences, then components, scenarios and answers."""
    return "\n\n".join(_parts(comparison, width))


def _parts(comparison: Comparison, width: int) -> Iterator[str]:
    judges = judged_by(comparison.judges, comparison.judge_checks)
    heading = "Comparison on the Independence Index, edition {}, judged by {}"
    yield filled(phrase(heading, comparison.edition, judges), width)
    yield from (filled(f"Note: {warning}", width) for warning in comparison.warnings)
    yield table_text(compared_models(comparison), width)
    yield from (filled(sentence, width) for sentence in headline(comparison))
    for letter, side in zip(LETTERS, (comparison.first, comparison.second), strict=True):
        if found := gaps(side):
            lines = (f"{gap.size} × {gap.reason}: {', '.join(gap.trials)}" for gap in found)
            yield "\n".join([f"Missing of {letter}:", *(filled(line, width, "  ", "    ") for line in lines)])
    arrow = ", ↓ where low is good" if any(each.good == "low" for each in comparison.components) else ""
    yield f"Components on their own scales{arrow}:\n{table_text(compared_components(comparison), width)}"
    yield from _scenarios(comparison, width)
    for pair in comparison.answers:
        yield answers_text(pair, comparison.first.label, comparison.second.label, width)
    marked = comparison.first.mostly_ceiling or comparison.second.mostly_ceiling
    for note in [*comparison.notes, *([f"{CEILING_MARK} {CEILING}"] if marked else [])]:
        yield filled(f"Note: {note}", width)


def _scenarios(comparison: Comparison, width: int) -> Iterator[str]:
    rows = [row for row in comparison.scenarios if row.points != 0]
    equal = [row.scenario for row in comparison.scenarios if row.points == 0]
    if rows:
        table = table_text(Table(FOR_A_TERMINAL, rows), width)
        yield f"Scenarios responsible\n{filled(responsible(comparison), width)}\n{table}"
    if equal:
        yield filled(phrase("Equal in the points of {}.", equal if rows else "every scenario"), width)
