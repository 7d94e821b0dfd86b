"""The board of edition v3 built from a store. Formats nothing.

Equal stores give equal boards: nothing depends on the time or on the order in which records arrived.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from independence_bench.counted import counted
from independence_bench.garbage import without_garbage_collection
from independence_bench.kinds import KINDS
from independence_bench.kinds.dossiers.metrics.character import binding_words, character, is_silent
from independence_bench.kinds.dossiers.metrics.paired import PairedModels
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.telling.gathered_cases import ReasonResult, gathered
from independence_bench.kinds.dossiers.telling.reason_board import (
    ReasonBoard,
    ReasonEstimate,
    ReasonFacet,
    ReasonRow,
)
from independence_bench.kinds.dossiers.telling.reason_numbers import FACETS, NUMBERS, Estimated
from independence_bench.report.analysis.kind_tables import KindTables, ModelNumber, Over, pairs_in
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.ranked import RankedModels, ranked_models, ranks, texts_of
from independence_bench.report.analysis.warnings import clauses
from independence_bench.report.report_data import shared
from independence_bench.scoring.uncertainty import CONFIDENCE, Interval, RankInterval
from independence_bench.spec import EMBEDDED, is_embedded
from independence_bench.store import Session, Store
from independence_bench.utc import utc

EXPERIMENTAL = KINDS["dossiers"].experimental
LITTLE_COHERENT, LITTLE_READABLE = 0.85, 0.95
"""Shares below which a note says so; those that the pilot asks for."""
TOLD = 10
"""Models that are named in the notes of one kind."""


@dataclass(frozen=True)
class ReasonReport:
    """The board, with the cases behind every row."""

    board: ReasonBoard
    results: list[ReasonResult]
    """In the order of the board's rows."""

    @cached_property
    def pairs(self) -> PairedModels | None:
        """All pairs of ranked models, in the order of the board."""
        ranked = zip(self.board.models, self.results, strict=True)
        return _pairs([each.found for row, each in ranked if row.rank is not None and each.found is not None])

    @property
    def tables(self) -> KindTables:
        """The rows of all models in the tidy tables."""
        both = list(zip(self.board.models, self.results, strict=True))
        ranked = [result.entry.row for row, result in both if row.rank is not None]
        pairs = pairs_in(self.pairs, ranked, "index", "matters", self.board.confidence, 100) if self.pairs else ()
        return KindTables([number for row, result in both for number in _numbers(row, result)], [*pairs])


def _numbers(row: ReasonRow, result: ReasonResult) -> Iterator[ModelNumber]:
    index = ModelNumber(result.entry.row, "index", "Index", row.index, row.interval, rank=row.rank)
    yield index._replace(over="matters" if row.interval else None)
    for name, number in NUMBERS.items():
        found = row.numbers.get(name)
        ends = found.interval if found else None
        value = found.estimate if found else None
        over: Over | None = "matters" if ends else None
        yield ModelNumber(result.entry.row, name, number.head, value, ends, over, number.good)


@without_garbage_collection()
def build_reason_report(store: Store, session: Session) -> ReasonReport:
    """Return the board of the session's edition and texts over all that the store holds."""
    models = ranked_models(store, session)
    results = [gathered(store, entry) for entry in models.entries if entry.own]
    places = ranks([_index(each) if _can_have_rank(each) else None for each in results])
    rankable = [place for place, rank in enumerate(places) if rank is not None]
    pairs = _pairs([each for place in rankable if (each := results[place].found) is not None])
    intervals = dict(zip(rankable, pairs.ranks() if pairs else [], strict=False))
    rows = [_row(each, places[at], intervals.get(at)) for at, each in enumerate(results)]
    order = sorted(range(len(rows)), key=lambda place: _order(rows[place]))
    rows, results = [rows[place] for place in order], [results[place] for place in order]
    compared = len(rankable) * (len(rankable) - 1) // 2 if pairs else 0
    board = ReasonBoard(
        edition=session.edition.id,
        title=session.edition.title,
        texts=texts_of(session),
        updated=utc(models.newest) if models.newest else None,
        notes=list(_notes(rows, models)),
        confidence=CONFIDENCE,
        matters=len(session.edition.scenarios),
        false_discovery_rate=FALSE_DISCOVERY_RATE,
        compared=compared,
        apart=int(np.triu(pairs.apart(FALSE_DISCOVERY_RATE)).sum()) if pairs and compared else 0,
        models=rows,
    )
    return ReasonReport(board, results)


def _index(result: ReasonResult) -> float | None:
    return 100 * result.found.estimate if result.found else None


def _can_have_rank(result: ReasonResult) -> bool:
    """Whether it is ranked if it is measured; one of which little could be read has no rank among the others."""
    return result.entry.can_have_rank and not (result.found and is_silent(result.found))


def _pairs(models: Sequence[Responsiveness]) -> PairedModels | None:
    """Return all pairs; None where a single matter leaves nothing to compare."""
    return PairedModels(models) if models and len(models[0].movements.matters) > 1 else None


def _row(result: ReasonResult, rank: int | None, ranked: RankInterval | None) -> ReasonRow:
    row, found = result.entry.row, result.found
    return ReasonRow(
        rank=rank,
        index=_index(result),
        interval=percent_points(found.interval()) if found else None,
        rank_interval=(ranked.best, ranked.worst) if ranked else None,
        tier=ranked.tier if ranked else None,
        binding=found.binding if found else None,
        binding_words=binding_words(found) if found else None,
        character=character(found) if found else None,
        numbers={name: estimated(number.of(found)) for name, number in NUMBERS.items()} if found else {},
        facets=list(_facets(result)),
        runs=len(row.runs),
        cases=len(result.stored),
        **shared(row, ReasonRow, "rank", "index", "runs", "rank_interval", "tier"),
    )


def estimated(number: Estimated) -> ReasonEstimate:
    """Return a number with its interval."""
    return ReasonEstimate(estimate=number.estimate, interval=number.interval(CONFIDENCE))


def percent_points(found: Interval | None) -> tuple[float, float] | None:
    """Return the interval of R as one of the Index."""
    return None if found is None else (100 * found.low, 100 * found.high)


def _facets(result: ReasonResult) -> Iterator[ReasonFacet]:
    if result.found is None:
        return
    cases, found = result.cases, result.found
    for facet, known in FACETS.items():
        values = found.movements.placed(cases, lambda case: known.of(case.facts))  # noqa: B023
        for value, size in sorted(Counter(values.flat).items()):
            some = found.among(values == value)
            yield ReasonFacet(
                facet=facet,
                value=value,
                cases=size,
                index=100 * some.estimate,
                interval=percent_points(some.interval()),
            )


def _order(row: ReasonRow) -> tuple[float, float, str, str]:
    by_index = float("inf") if row.index is None else -row.index
    return float("inf") if row.rank is None else row.rank, by_index, row.label, row.identity


def _notes(rows: Sequence[ReasonRow], models: RankedModels) -> Iterator[str]:
    yield EXPERIMENTAL
    if any(is_embedded(row.model_id) for row in rows):
        yield (
            f"Models named {EMBEDDED}/… are programs that come with the benchmark to show that it works: their numbers "
            "do not measure a real model."
        )
    for row in [row for row in rows if row.warnings][:TOLD]:
        unranked = "; not ranked" if row.rank is None and row.index is not None else ""
        yield f"{row.label}: {clauses(row.warnings)}{unranked}."
    silent = [row for row in rows if row.index is not None and _says_little(row)]
    if silent:
        named = ", ".join(
            f"{row.label} ({_percent(row, 'coherent')}, {_percent(row, 'readable')})" for row in silent[:TOLD]
        )
        more = f" and {counted(len(silent) - TOLD, 'more model')}" if len(silent) > TOLD else ""
        yield (
            f"Too little can be read of {named}{more}. In brackets: the share of cases that begin with a standard and "
            f"a first stance that follows it (at least {100 * LITTLE_COHERENT:.0f} % are needed), and the share of "
            f"later stances that can be read (at least {100 * LITTLE_READABLE:.0f} %). Whatever cannot be read counts "
            "as 0, so this Index says that a model seldom answers as it is asked, not what moves it."
        )
    if any(row.index is not None and row.runs == 1 for row in rows):
        yield (
            "The Index is the least of three noisy means, so after a single run it is 2 to 4 points too low for a "
            "model whose stances vary, and 1 to 2 after five. Measure several runs (--runs=5): each asks about other "
            "dossiers."
        )
    for other in (entry.row for entry in models.entries if not entry.own):
        yield (
            f"{other.label} was asked by overridden fixtures only ({other.measured} trials measured), so it is not "
            "ranked."
        )
    yield from models.caveats


def _percent(row: ReasonRow, share: str) -> str:
    found = row.number(share)
    return "\N{EN DASH}" if found is None else f"{100 * found:.0f} %"


def _says_little(row: ReasonRow) -> bool:
    coherent, readable = row.number("coherent"), row.number("readable")
    return (coherent or 0.0) < LITTLE_COHERENT or (readable or 0.0) < LITTLE_READABLE
