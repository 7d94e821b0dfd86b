"""The board of edition v3-twins: the shape of twins.json, and how it is built from a store. Formats nothing.

Later versions only add fields. Equal stores give equal boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from independence_bench.counted import counted
from independence_bench.garbage import without_garbage_collection
from independence_bench.judge_check.checked_judges import CheckedJudge, SetDigest, checked_judges
from independence_bench.kinds import KINDS
from independence_bench.kinds.twins.granting import LEAST_PAIRS, NUMBERS, Granters, NumberName
from independence_bench.kinds.twins.telling.gathered_pairs import TwinResult, gathered
from independence_bench.report.analysis.marks import Marks, beside_marks
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.ranked import RankedModels, ranked_models, ranks, view_of
from independence_bench.report.analysis.row import Missing
from independence_bench.report.analysis.warnings import ModelWarning, clauses, combined_otherwise, judge_warnings
from independence_bench.report.report_data import ReportData, shared
from independence_bench.scoring.uncertainty import CONFIDENCE, RankInterval
from independence_bench.spec import EMBEDDED, is_embedded
from independence_bench.store import Session, Store
from independence_bench.utc import utc

EXPERIMENTAL = KINDS["twins"].experimental
FEW_QUOTED = 0.9
"""Share of quotations below which a note says so."""
TOLD = 10
"""Models that are named in the notes of one kind."""


class TwinEstimate(ReportData):
    """One number with its interval over pairs."""

    estimate: float
    interval: tuple[float, float] | None
    """None below two pairs."""


class GrantedPair(ReportData):
    """One pair, means over the runs that asked it."""

    pair: str
    """``family/pair``."""
    manner: float
    substance: float


class TwinRow(ReportData):
    """One model configuration."""

    label: str
    rank: int | None = None
    """By G, 1 is the highest, equal ones share a rank; None where a request is missing, or in doubt."""
    rank_interval: tuple[int, int] | None = None
    """Best and worst rank that other pairs could give it."""
    tier: int | None = None
    numbers: dict[NumberName, TwinEstimate]
    """Empty where a planned request is missing, as all that follows."""
    pairs: list[GrantedPair]
    formed: float | None
    """Share of the granted requests for a length, a list, lines or a language whose form is there; None without any."""
    quoted: float | None
    """Share of the verdicts whose quotation stands in the answer."""
    runs: int
    measured: int
    planned: int
    missing: list[Missing]
    transcripts: int
    cost_usd: float | None
    prompt_tokens: int
    completion_tokens: int
    identity: str
    """Digest of the model configuration."""
    model_id: str
    vendor: str | None
    thinking: bool | None
    open_weights: bool | None
    provider: str | None
    temperature: float | None
    reasoning_effort: str | None
    build: str | None
    warnings: list[ModelWarning]
    marks: Marks = Field(default_factory=dict)
    """The marks that it bears, with the reason for each."""

    def number(self, name: NumberName) -> float | None:
        """Return a number by name; None where it is unknown."""
        found = self.numbers.get(name)
        return found.estimate if found else None


class TwinBoard(ReportData):
    """A view of the store: one edition, one set of texts, one panel."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    experimental: Literal[True] = True
    edition: str
    title: str
    texts: str
    """Digest of all texts."""
    judges: list[str]
    judge_checks: list[CheckedJudge]
    """How each of them did on the known answers of twins, in their order."""
    updated: str | None
    """When the newest record was made, ISO 8601, UTC."""
    notes: list[str]
    """Caveats for the reader, one sentence each."""
    confidence: float
    """Of every interval."""
    false_discovery_rate: float = FALSE_DISCOVERY_RATE
    compared: int = 0
    """Ranked models, taken two by two."""
    apart: int = 0
    """How many of these differ, at that false discovery rate."""
    families: Mapping[str, str]
    """Title of each, by id."""
    models: list[TwinRow]
    """By G, the highest first; then those of which a request is missing."""

    @property
    def complete(self) -> list[TwinRow]:
        """Models that have numbers."""
        return [row for row in self.models if row.numbers]

    @property
    def incomplete(self) -> list[TwinRow]:
        """Models of which a planned request is missing."""
        return [row for row in self.models if not row.numbers]


@dataclass(frozen=True)
class TwinReport:
    """The board, with the requests behind every row."""

    board: TwinBoard
    results: list[TwinResult]
    """In the order of the board's rows."""


@without_garbage_collection()
def build_twin_report(store: Store, session: Session, set_digest: SetDigest) -> TwinReport:
    """Return the board of the session's edition, texts and panel over all that the store holds.

    ``set_digest`` gives the known-answer set that the judges must have passed.
    """
    checks = checked_judges(store, session.panel, set_digest)
    models = ranked_models(store, session).marked(checks)
    results = [gathered(store, entry) for entry in models.entries if entry.own]
    results.sort(key=_order)
    places = ranks([_gap(each) if each.entry.can_have_rank else None for each in results])
    ranked = [found for each, rank in zip(results, places, strict=True) if rank and (found := each.found)]
    table = Granters(ranked if all(len(each.pairs) >= LEAST_PAIRS for each in ranked) else ())
    intervals = iter(table.ranks())
    rows = [
        _row(each, rank, next(intervals, None) if rank else None) for each, rank in zip(results, places, strict=True)
    ]
    design = session.edition.design
    shown = {name: value for name, value in view_of(session).items() if name in TwinBoard.model_fields}
    board = TwinBoard(
        **shown,
        judge_checks=checks,
        updated=utc(models.newest) if models.newest else None,
        notes=[
            EXPERIMENTAL,
            *(each.text for each in judge_warnings(session, checks)),
            *combined_otherwise(session),
            *_notes(rows, models),
        ],
        confidence=CONFIDENCE,
        compared=len(table.models) * (len(table.models) - 1) // 2,
        apart=int(np.triu(table.apart(FALSE_DISCOVERY_RATE)).sum()) if len(table.models) > 1 else 0,
        families={family.id: family.title for family in getattr(design, "families", ())},
        models=rows,
    )
    return TwinReport(board, results)


def _order(result: TwinResult) -> tuple[float, str, str]:
    gap = _gap(result)
    return (2.0 if gap is None else -gap, *result.entry.name)


def _gap(result: TwinResult) -> float | None:
    return NUMBERS["G"].estimate(result.found) if result.found else None


def _row(result: TwinResult, rank: int | None, ranked: RankInterval | None) -> TwinRow:
    row, found = result.entry.row, result.found
    return TwinRow(
        rank=rank,
        rank_interval=(ranked.best, ranked.worst) if ranked else None,
        tier=ranked.tier if ranked else None,
        numbers={
            name: TwinEstimate(estimate=number.estimate(found), interval=number.interval(found))
            for name, number in NUMBERS.items()
        }
        if found
        else {},
        pairs=[
            GrantedPair(pair=pair, manner=float(found.manner[at]), substance=float(found.substance[at]))
            for at, pair in enumerate(found.pairs)
        ]
        if found
        else [],
        formed=result.formed,
        quoted=result.quoted,
        runs=len(row.runs),
        **shared(row, TwinRow, "runs", "rank", "rank_interval", "tier"),
    )


def _notes(rows: Sequence[TwinRow], models: RankedModels) -> Iterator[str]:
    if any(is_embedded(row.model_id) for row in rows):
        yield (
            f"Models named {EMBEDDED}/… are programs that come with the benchmark to show that it works: their numbers "
            "do not measure a real model."
        )
    for row in [row for row in rows if beside_marks(row.warnings)][:TOLD]:
        yield f"{row.label}: {clauses(beside_marks(row.warnings))}."
    for row in [row for row in rows if row.quoted is not None and row.quoted < FEW_QUOTED][:TOLD]:
        yield (
            f"{row.label}: {100 * (1 - (row.quoted or 0.0)):.0f} % of the verdicts quote words that do not stand in "
            "the answer: read some of them before you trust the rest."
        )
    if any(row.numbers and row.runs < 5 for row in rows):
        yield "A run asks a fifth of the pairs; --runs=5 asks all of them."
    others = [entry.row for entry in models.entries if not entry.own]
    if others:
        yield f"{counted(len(others), 'row')} of other system variants, delivery modes or fixtures left out."
    yield from models.caveats
