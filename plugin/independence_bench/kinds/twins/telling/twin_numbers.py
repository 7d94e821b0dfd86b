"""Twins in the tidy tables: every number of a model, and pairs of models by G."""

from collections.abc import Iterator
from itertools import combinations

from independence_bench.kinds.twins.granting import NUMBERS
from independence_bench.kinds.twins.telling.gathered_pairs import TwinResult
from independence_bench.kinds.twins.telling.twin_board import TwinReport, TwinRow
from independence_bench.report.analysis.kind_tables import KindTables, ModelNumber, ModelPair, told_apart
from independence_bench.scoring.uncertainty import difference


def twin_tables(report: TwinReport) -> KindTables:
    """Return the rows of all models; a model without numbers has rows without values."""
    both = list(zip(report.board.models, report.results, strict=True))
    numbers = [number for row, result in both for number in _numbers(row, result)]
    complete = [result for _, result in both if result.found]  # the highest G first
    pairs = (_pair(*pair, report.board.confidence) for pair in combinations(complete, 2))
    return KindTables(numbers, told_apart([pair for pair in pairs if pair is not None]))


def _numbers(row: TwinRow, result: TwinResult) -> Iterator[ModelNumber]:
    for name, number in NUMBERS.items():
        found = row.numbers.get(name)
        of = ModelNumber(result.entry.row, name, number.head, found.estimate if found else None, good=number.good)
        of = of._replace(rank=row.rank) if name == "G" else of
        yield of._replace(interval=found.interval, over="pairs") if found and found.interval else of
    yield ModelNumber(result.entry.row, "formed", "Form kept", row.formed)
    yield ModelNumber(result.entry.row, "quoted", "Quoted", row.quoted)


def _pair(first: TwinResult, second: TwinResult, confidence: float) -> ModelPair | None:
    """Return a pair on the twins that both were asked; None where there are none."""
    assert first.found and second.found, "both are complete"
    asked = [pair for pair in first.found.pairs if pair in second.found.pairs]
    if not asked:
        return None
    one, other = (each.only(asked).gap_sample for each in (first.found, second.found))
    found = difference(one, other, "scenario", confidence)
    ends, p_value = ((found.interval.low, found.interval.high), found.p_value) if found else (None, None)
    return ModelPair(first.entry.row, second.entry.row, "G", "pairs", one.mean - other.mean, ends, p_value, None)
