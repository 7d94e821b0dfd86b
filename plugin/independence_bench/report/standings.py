"""The standings of all models under one session: gathered from the store, ranked, in the leaderboard's order."""

from typing import NamedTuple

from independence_bench.digest import Json, digest
from independence_bench.report.analyses.contestant import Contestant
from independence_bench.report.evidence import gather
from independence_bench.report.ranking import ranks
from independence_bench.report.standing import Standing
from independence_bench.store import Session, Store


class Standings(NamedTuple):
    """Every model configuration in a session's cells."""

    contestants: list[Contestant]
    """Ranked ones by rank, then incomplete ones, then those outside the edition's own configurations."""
    superseded: int
    """Embedded models of earlier versions, left out."""

    @property
    def newest(self) -> float:
        """Return when the newest record of all was made; unix time, 0 where there is none."""
        return max((contestant.standing.newest() for contestant in self.contestants), default=0.0)


def standings_of(store: Store, session: Session) -> Standings:
    """Return the standings of the session's edition, texts and panel over all that the store holds.

    Planned are all the edition's own cells × runs 1..R, R being the highest run with any transcript or failure; one
    missing trial leaves a model without rank and Index, with bounds. Equal stores give equal standings.
    """
    gathered = gather(store, session)
    shown = [evidence for evidence in gathered.evidence if not gathered.superseded(evidence.configuration)]
    contestants = []
    for evidence in shown:
        standing = Standing(session, evidence, gathered.verdicts)
        label, facts = gathered.labels[evidence.configuration], gathered.known[evidence.configuration].facts
        contestants.append(Contestant(standing.row(label, facts), standing))
    return Standings(_ranked(contestants), len(gathered.evidence) - len(shown))


def texts_of(session: Session) -> str:
    """Return the digest of all that is said in the edition's own configurations."""
    digests: list[Json] = [*sorted(cell.script_digest for cell in session.cells if cell.official)]
    return digest(digests)


def rubrics_of(session: Session) -> str:
    """Return the digest of what the edition's scenarios are judged by."""
    return digest({each.id: each.rubric.digest if each.rubric else None for each in session.edition.scenarios})


def _ranked(contestants: list[Contestant]) -> list[Contestant]:
    """Give ranks to the complete ones, then order all."""
    places = ranks([contestant.row.index if contestant.own else None for contestant in contestants])
    ranked = [
        Contestant(contestant.row.model_copy(update={"rank": rank}), contestant.standing)
        for contestant, rank in zip(contestants, places, strict=True)
    ]
    return sorted(ranked, key=_order)


def _order(contestant: Contestant) -> tuple[str, float, float, str, str]:
    row = contestant.row
    return (
        row.configuration or "",
        float("inf") if row.rank is None else row.rank,
        float("inf") if row.index is None else -row.index if row.rank is None else 0.0,
        row.label,
        row.identity,
    )
