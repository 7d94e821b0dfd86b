"""The results of all models under one session: gathered from the store, ranked, in the leaderboard's order."""

from collections.abc import Sequence
from typing import NamedTuple

from independence_bench.catalog.editions import texts_digest
from independence_bench.digest import digest
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.records import gather
from independence_bench.report.analysis.row import LeaderboardRow, leaderboard_row
from independence_bench.store import Session, Store

_PLACES = 9
"""Decimals to which Indices are compared for a tie: far below any judge's step, far above the error of a float sum."""


def ranks(indices: Sequence[float | None]) -> list[int | None]:
    """Return the rank of each Index, 1 for the highest; None where there is no Index."""
    known = [round(index, _PLACES) for index in indices if index is not None]
    return [None if index is None else 1 + sum(better > round(index, _PLACES) for better in known) for index in indices]


class Ranked(NamedTuple):
    """A row of the leaderboard with its result."""

    row: LeaderboardRow
    result: ModelResult

    @property
    def own(self) -> bool:
        """True within the edition's own configurations."""
        return self.row.configuration is None

    @property
    def name(self) -> tuple[str, str]:
        """What rows are sorted by where no number decides."""
        return self.row.label, self.row.identity


class RankedModels(NamedTuple):
    """Every model configuration in a session's cells."""

    entries: list[Ranked]
    """Ranked ones by rank, then incomplete ones, then those outside the edition's own configurations."""
    superseded: int
    """Embedded models of earlier versions, left out."""

    @property
    def newest(self) -> float:
        """Return when the newest record of all was made; unix time, 0 where there is none."""
        return max((entry.result.newest() for entry in self.entries), default=0.0)


def ranked_models(store: Store, session: Session) -> RankedModels:
    """Return the results of the session's edition, texts and panel over all that the store holds.

    Planned are all the edition's own cells × runs 1..R, R being the highest run with any transcript or failure; one
    missing trial leaves a model without rank and Index, with bounds. Equal stores give equal results.
    """
    gathered = gather(store, session)
    shown = [records for records in gathered.records if not gathered.superseded(records.configuration)]
    entries = []
    for records in shown:
        result = ModelResult(session, records, gathered.verdicts)
        label, facts = gathered.labels[records.configuration], gathered.known[records.configuration].facts
        entries.append(Ranked(leaderboard_row(result, label, facts), result))
    return RankedModels(_ranked(entries), len(gathered.records) - len(shown))


def texts_of(session: Session) -> str:
    """Return the digest of all that is said in the edition's own configurations."""
    return texts_digest(cell.script_digest for cell in session.cells if cell.official)


def rubrics_of(session: Session) -> str:
    """Return the digest of what the edition's scenarios are judged by."""
    return digest({each.id: each.rubric.digest if each.rubric else None for each in session.edition.scenarios})


def _ranked(entries: list[Ranked]) -> list[Ranked]:
    """Give ranks to the complete ones, then order all."""
    places = ranks([entry.row.index if entry.own else None for entry in entries])
    ranked = [
        Ranked(entry.row.model_copy(update={"rank": rank}), entry.result)
        for entry, rank in zip(entries, places, strict=True)
    ]
    return sorted(ranked, key=_order)


def _order(entry: Ranked) -> tuple[str, float, float, str, str]:
    row = entry.row
    return (
        row.configuration or "",
        float("inf") if row.rank is None else row.rank,
        float("inf") if row.index is None else -row.index if row.rank is None else 0.0,
        row.label,
        row.identity,
    )
