"""The leaderboard built from a store: every model configuration in the session's cells, and the analyses over them.

Formats nothing.
"""

from collections.abc import Sequence

from independence_bench.report.analyses import (
    certainty_of,
    configuration_analysis,
    cost_analysis,
    health_of,
    judge_analysis,
    name_analysis,
    scenario_difficulty,
    with_intervals,
)
from independence_bench.report.board import Leaderboard, ModelRow, Scale
from independence_bench.report.groups import origins_of, other_groups
from independence_bench.report.judge_checks import SetDigest, checked_judges, packaged_set_digest
from independence_bench.report.standings import rubrics_of, standings_of, texts_of
from independence_bench.report.utc import utc
from independence_bench.store import Session, Store
from independence_bench.store.adding import MEASURED


def build_leaderboard(store: Store, session: Session, set_digest: SetDigest = packaged_set_digest) -> Leaderboard:
    """Return the leaderboard of the session's edition, texts and panel over all that the store holds.

    ``set_digest`` says which known-answer set the judges must have stood: where configs are laid over ours, theirs.
    Equal stores give equal leaderboards: nothing depends on the time or on the order in which records arrived.
    """
    from independence_bench.scoring.uncertainty import CONFIDENCE  # late: numpy, which no worker needs

    standings = standings_of(store, session)
    contestants = with_intervals(standings.contestants, CONFIDENCE)
    rows = [contestant.row for contestant in contestants]
    origins = origins_of(standings)
    return Leaderboard(
        edition=session.edition.id,
        title=session.edition.title,
        texts=texts_of(session),
        judges=[judge.label for judge in session.panel],
        judge_configurations=[judge.configuration for judge in session.panel],
        rubrics=rubrics_of(session),
        heuristic_judges=[judge.label for judge in session.panel if judge.heuristic],
        updated=utc(standings.newest) if standings.newest else None,
        notes=_notes(session, rows, standings.superseded, origins),
        scales=_scales(session),
        experiments=_experiments(session),
        models=rows,
        origins=origins,
        confidence=CONFIDENCE,
        certainty=certainty_of(contestants, CONFIDENCE),
        configurations=configuration_analysis(session, contestants),
        difficulty=scenario_difficulty(session, contestants) if rows else [],
        names=name_analysis(contestants),
        costs=cost_analysis(contestants),
        health=health_of(store, session, contestants),
        judging=judge_analysis(session, contestants),
        groups=other_groups(store, session, CONFIDENCE),
        judge_checks=checked_judges(store, session.panel, set_digest),
    )


def _notes(session: Session, rows: Sequence[ModelRow], superseded: int, origins: dict[str, int]) -> list[str]:
    notes = [
        f"{judge.label} is a heuristic that compares words, not a language model: "
        "its numbers show that everything works, they are no measurement of a real model."
        for judge in session.panel
        if judge.heuristic
    ]
    notes += [
        f"Texts from elsewhere: {transcripts} transcripts come from an import ({origin}). "
        "They are ranked among themselves only; compare them with nothing that was measured with other texts."
        for origin, transcripts in origins.items()
        if origin != MEASURED
    ]
    if any(row.index is not None and len(row.runs) == 1 for row in rows):
        notes.append(
            "A single run has no interval by run, and nothing tells what chance did in it: "
            "measure several runs (--runs=5) before you publish."
        )
    if superseded:
        notes.append(f"Left out: {superseded} of earlier versions of the embedded models.")
    return notes


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
