"""The leaderboard built from a store: every model configuration in the session's cells, ranked. Formats nothing."""

from datetime import UTC, datetime

from independence_bench.digest import Json, digest
from independence_bench.report.board import Leaderboard, ModelRow, Scale
from independence_bench.report.evidence import gather
from independence_bench.report.standing import Standing
from independence_bench.store import Session, Store

_PLACES = 9
"""Decimals to which Indices are compared for a tie: far below any judge's step, far above the error of a float sum."""


def build_leaderboard(store: Store, session: Session) -> Leaderboard:
    """Return the leaderboard of the session's edition, texts and panel over all that the store holds.

    Planned are all the edition's own cells × runs 1..R, R being the highest run with any transcript or failure; one
    missing trial leaves a model without rank and Index, with bounds. Equal stores give equal leaderboards.
    """
    gathered = gather(store, session)
    shown = [evidence for evidence in gathered.evidence if not gathered.superseded(evidence.configuration)]
    standings = [Standing(session, evidence, gathered.verdicts) for evidence in shown]
    rows = [
        standing.row(gathered.labels[configuration], gathered.known[configuration].facts)
        for standing in standings
        for configuration in [standing.evidence.configuration]
    ]
    newest = max((standing.newest() for standing in standings), default=0.0)
    ranked = _ranked(rows)
    return Leaderboard(
        edition=session.edition.id,
        title=session.edition.title,
        texts=_texts(session),
        judges=[judge.label for judge in session.panel],
        heuristic_judges=[judge.label for judge in session.panel if judge.heuristic],
        updated=utc(newest) if newest else None,
        notes=_notes(session, ranked, len(gathered.evidence) - len(shown)),
        scales=_scales(session),
        experiments=_experiments(session),
        models=ranked,
    )


def utc(at: float) -> str:
    """Return a Unix time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _ranked(rows: list[ModelRow]) -> list[ModelRow]:
    """Give ranks to the complete ones, then order all: ranked, incomplete, outside the edition's own configurations."""
    indices = [round(row.index, _PLACES) for row in rows if row.index is not None and row.configuration is None]
    ordered = []
    for row in rows:
        if row.index is not None and row.configuration is None:
            better = sum(index > round(row.index, _PLACES) for index in indices)
            ordered.append(row.model_copy(update={"rank": better + 1}))
        else:
            ordered.append(row)
    return sorted(ordered, key=_order)


def _order(row: ModelRow) -> tuple[str, float, float, str, str]:
    return (
        row.configuration or "",
        float("inf") if row.rank is None else row.rank,
        float("inf") if row.index is None else -row.index if row.rank is None else 0.0,
        row.label,
        row.identity,
    )


def _notes(session: Session, rows: list[ModelRow], superseded: int) -> list[str]:
    notes = [
        f"{judge.label} is a heuristic that compares words, not a language model: "
        "its numbers show that everything works, they are no measurement of a real model."
        for judge in session.panel
        if judge.heuristic
    ]
    if any(row.index is not None and len(row.runs) == 1 for row in rows):
        notes.append("An Index of one run has no interval: measure several runs (--runs=5) before you compare models.")
    if superseded:
        notes.append(f"Left out: {superseded} of earlier versions of the embedded models.")
    return notes


def _texts(session: Session) -> str:
    digests: list[Json] = [*sorted(cell.script_digest for cell in session.cells if cell.official)]
    return digest(digests)


def _scales(session: Session) -> dict[str, Scale]:
    return {
        name: Scale(
            weight=component.weight,
            maximum=component.maximum,
            good=component.good,
            scores=list(dict.fromkeys(part.score for part in component.parts)),
            scenarios=list(dict.fromkeys(scenario for part in component.parts for scenario in part.scenarios)),
        )
        for name, component in session.edition.components.items()
    }


def _experiments(session: Session) -> dict[str, int]:
    edition = session.edition
    configurations = len(edition.system_variants) * len(edition.delivery_modes)
    return {
        experiment: configurations * sum(scenario.experiment == experiment for scenario in edition.scenarios)
        for experiment in edition.experiments
    }
