"""Role stability in the tidy tables: every number of a model, and pairs of models by rank order."""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

import numpy as np

from independence_bench.kinds.roles.metrics.bootstrap import paired_difference
from independence_bench.kinds.roles.telling.role_board import RoleRow
from independence_bench.kinds.roles.telling.role_columns import COLUMNS
from independence_bench.kinds.roles.telling.role_report import RoleReport, RoleResult
from independence_bench.report.analysis.kind_tables import KindTables, ModelNumber, ModelPair, told_apart


def role_tables(report: RoleReport) -> KindTables:
    """Return the rows of all models; a model without numbers has rows without values."""
    numbers = [
        number
        for row, result in zip(report.board.models, report.results, strict=True)
        for number in _numbers(row, result)
    ]
    known = [result for result in report.results if result.measured]
    known.sort(key=lambda each: -float(np.mean(each.by_run)))
    pairs = (_pair(*both, report.board.confidence) for both in combinations(known, 2))
    return KindTables(numbers, told_apart([pair for pair in pairs if pair is not None]))


def _numbers(row: RoleRow, result: RoleResult) -> Iterator[ModelNumber]:
    for name, column in COLUMNS.items():
        value = getattr(row.numbers, name) if row.numbers else None
        good: Literal["high", "low"] = "high" if column.best else "low"
        number = ModelNumber(result.row, name, column.head.removesuffix(" ↓"), value, good=good)
        if name == "rank_order" and row.rank_order_interval:
            number = number._replace(interval=row.rank_order_interval, over="personas")
        yield number._replace(rank=row.rank) if name == "cardinal" else number
    for value_name, order in row.numbers.rank_order_per_value.items() if row.numbers else ():
        yield ModelNumber(result.row, f"rank_order_{value_name}", f"Rank order, {value_name}", order)


def _pair(first: RoleResult, second: RoleResult, confidence: float) -> ModelPair | None:
    """Return a pair by the same personas; None where the rank order of one is undefined."""
    gap = float(np.mean(first.by_run) - np.mean(second.by_run))
    if np.isnan(gap):
        return None
    found = paired_difference(gap, first.draws - second.draws, first.personas, confidence)
    ends, p_value = ((found.low, found.high), found.p_value) if found else (None, None)
    return ModelPair(first.row, second.row, "rank_order", "personas", gap, ends, p_value, None)
