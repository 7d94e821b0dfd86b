"""Every pair of ranked models: who is above whom, and how sure that is. Takes the statistics from scoring."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, paragraph
from independence_bench.report.report_data import ReportData

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Pairs

FALSE_DISCOVERY_RATE = 0.05
_PLACES = 3


class Pairwise(ReportData):
    """All pairs of ranked models, by run: these scenarios asked again."""

    identities: list[str]  # of the ranked models, in the order of the ranking
    labels: list[str]
    differences: list[list[float]]
    """Row i has the Index of model i minus that of each model below it, i + 1 first, in points."""
    p_values: list[list[float | None]]
    """In the same places: two-sided, each pair tested alone; None where one of the two has a single run."""
    false_discovery_rate: float
    compared: int  # pairs with a p-value
    apart: int
    """Those that differ: of all that are said to, at most ``false_discovery_rate`` is expected to be wrong."""

    @property
    def sentence(self) -> str:
        """How many pairs differ."""
        if not self.compared:
            return "No two models can be compared by run: that needs two runs of each (--runs=5)."
        return (
            f"{self.apart} of {self.compared} pairs of models differ by run (false discovery rate "
            f"{100 * self.false_discovery_rate:g} %)."
        )


def compute(measured: Measurements) -> Pairwise | None:
    """Return the pairs; None below two ranked models."""
    rows = [each.row for each in measured.ranked]
    if len(rows) < 2:
        return None
    pairs = measured.pairs
    below = [slice(place + 1, None) for place in range(len(rows) - 1)]
    return Pairwise(
        identities=[row.identity for row in rows],
        labels=[row.label for row in rows],
        differences=[pairs.gap[place, rest].round(_PLACES).tolist() for place, rest in enumerate(below)],
        p_values=p_value_rows(pairs, _PLACES),
        false_discovery_rate=FALSE_DISCOVERY_RATE,
        compared=int(pairs.known.sum()) // 2,
        apart=int(pairs.apart(FALSE_DISCOVERY_RATE).sum()) // 2,
    )


def p_value_rows(pairs: "Pairs", digits: int) -> list[list[float | None]]:
    """Return each model's p-values with all below it, of so many significant digits; None where nothing is known."""
    values, known = pairs.p_values.tolist(), pairs.known.tolist()
    return [
        [float(f"{values[row][at]:.{digits}g}") if known[row][at] else None for at in range(row + 1, len(values))]
        for row in range(len(values) - 1)
    ]


def blocks(result: Pairwise) -> Iterator[Block[Any]]:
    """Yield how many pairs differ, and where each of them is."""
    yield paragraph(page_words()[PAIRWISE.field].format(apart=result.sentence))


PAIRWISE = Analysis("pairwise", "Which models differ", compute, blocks, page="method.html", early=True)
