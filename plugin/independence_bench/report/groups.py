"""Texts from elsewhere that a store holds beside the session's own: each a group, ranked within itself."""

from collections import Counter
from collections.abc import Iterable

from independence_bench.bad_input import BadInput
from independence_bench.report.analyses.intervals import with_intervals
from independence_bench.report.board import ModelRow
from independence_bench.report.findings import OtherGroup, OtherModel
from independence_bench.report.standings import Standings, standings_of, texts_of
from independence_bench.store import Session, Store


def other_groups(store: Store, session: Session, confidence: float) -> list[OtherGroup]:
    """Return every imported group but the session's own, by edition, texts and judges; empty ones are left out."""
    shown = {_group(session)}
    found = []
    for imported in store.imported_sessions():
        if _group(imported) not in shown:
            shown.add(_group(imported))
            found.append(_of_session(imported, standings_of(store, imported), confidence))
    filled = [group for group in found if group.models]
    return sorted(filled, key=lambda group: (group.edition, group.title, group.texts, group.judges))


def session_showing(store: Store, texts: str) -> Session:
    """Return the session whose texts have this digest, or one that begins so: the newest, or an imported one.

    Raises:
        BadInput: no such texts, or several.
    """
    newest = store.newest_session()
    by_texts = {texts_of(session): session for session in [*store.imported_sessions(), *([newest] if newest else [])]}
    found = [session for digest, session in by_texts.items() if digest.startswith(texts)]
    if len(found) != 1:
        known = ", ".join(f"{digest} ({session.edition.title})" for digest, session in sorted(by_texts.items()))
        trouble = "several texts begin so" if found else "there are no such texts"
        raise BadInput(f"--texts={texts}: {trouble}; the store holds {known or 'none'}")
    return found[0]


def origins_of(standings: Standings) -> dict[str, int]:
    """Return how many transcripts come from where."""
    rows = (trial.transcript for each in standings.contestants for trial in each.standing.trials)
    return dict(sorted(Counter(row.origin for row in rows if row).items()))


def _of_session(session: Session, standings: Standings, confidence: float) -> OtherGroup:
    return OtherGroup(
        edition=session.edition.id,
        title=session.edition.title,
        texts=texts_of(session),
        judges=[judge.label for judge in session.panel],
        origins=origins_of(standings),
        models=_models(contestant.row for contestant in with_intervals(standings.contestants, confidence)),
    )


def _models(rows: Iterable[ModelRow]) -> list[OtherModel]:
    return [
        OtherModel(
            label=row.label,
            identity=row.identity,
            rank=row.rank,
            index=row.index,
            bounds=row.bounds,
            runs=len(row.runs),
            measured=row.measured,
            planned=row.planned,
            interval_by_run=row.interval_by_run,
            interval_by_scenario=row.interval_by_scenario,
            mostly_ceiling=row.mostly_ceiling,
            rank_interval=row.rank_interval,
            tier=row.tier,
        )
        for row in rows
        if row.configuration is None
    ]


def _group(session: Session) -> tuple[str, str, tuple[str, ...]]:
    return session.edition.id, texts_of(session), tuple(sorted(judge.configuration for judge in session.panel))
