"""What ``leaderboard --detailed`` adds: every model's runs, components and scenarios. Ranks nothing."""

from collections.abc import Iterator, Sequence
from itertools import product
from textwrap import fill

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.records import CellKey, ModelRecords, StoreRecords, gather, scores_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.formatting import (
    CEILING,
    CEILING_MARK,
    dollars,
    number,
    percent,
    shown_bounds,
    shown_confidence,
    shown_interval,
    shown_ranks,
)
from independence_bench.report.scale import meaning, title
from independence_bench.report.views.table import Column, fitted
from independence_bench.scoring import held, panel_mean
from independence_bench.scoring.components import mean
from independence_bench.spec import Scenario
from independence_bench.store import Session, Store


def details_text(board: Leaderboard, store: Store, session: Session, width: int) -> str:
    """Return one block per model, in the order of the leaderboard, and at the end what the components mean."""
    gathered = gather(store, session)
    evidence = {(each.configuration, each.group): each for each in gathered.evidence}
    lines: list[str] = []
    for row in board.models:
        lines += ["", *_model(row, board, width)]
        if (found := evidence.get((row.identity, row.configuration))) is not None:
            lines += ["", _scenarios(found, gathered, session, width)]
    lines += ["", *(fill(f"{title(name)}: {meaning(name, scale)}", width) for name, scale in board.scales.items())]
    return "\n".join(lines)


def _model(row: LeaderboardRow, board: Leaderboard, width: int) -> Iterator[str]:
    name = f"{row.label} ({row.configuration})" if row.configuration else row.label
    yield f"{name}  {'-' * max(width - len(name) - 2, 3)}"
    index = number(row.index, 1) if row.index is not None else f"between {shown_bounds(row.bounds)}"
    runs = ", ".join(
        f"r{run.run} {number(run.index, 1) if run.index is not None else shown_bounds(run.bounds)}" for run in row.runs
    )
    yield fill(f"Index {index}; by run: {runs}", width)
    if row.index is not None:
        yield fill(_certainty(row, board), width)
    components = ", ".join(
        f"{title(name)} {number(row.components.get(name), 2)}/{scale.maximum:g}" for name, scale in board.scales.items()
    )
    yield fill(f"components: {components}", width)
    yield fill(
        f"measured {row.measured} of {row.planned}, held {percent(row.held.share)}, "
        f"delivered as asked {percent(row.delivery_kept)}; "
        f"{row.prompt_tokens} + {row.completion_tokens} tokens; US dollars: generation {dollars(row.cost.generation)}, "
        f"judging {dollars(row.cost.judging)}, failed attempts {dollars(row.cost.failed)}",
        width,
    )
    for gap in gaps(row):
        yield fill(f"missing {gap.size}: {gap.reason} ({', '.join(gap.trials)})", width)


def _certainty(row: LeaderboardRow, board: Leaderboard) -> str:
    """Say where Index and rank would lie, and whether that is mostly ceiling."""
    known = [
        f"by run {shown_interval(row.interval_by_run)}" if row.interval_by_run else "no interval by run",
        f"by scenario {shown_interval(row.interval_by_scenario)}" if row.interval_by_scenario else "none by scenario",
    ]
    if row.rank_interval is not None:
        known.append(f"ranks {shown_ranks(row.rank_interval)}, tier {row.tier}")
    ceiling = f"; {CEILING_MARK} {CEILING}" if row.mostly_ceiling else ""
    return f"{shown_confidence(board.confidence)}: {', '.join(known)}{ceiling}"


def _scenarios(evidence: ModelRecords, gathered: StoreRecords, session: Session, width: int) -> str:
    """Return a table of every score's mean over all runs and configurations of a scenario."""
    runs = evidence.runs(session.edition.id)
    rows: list[tuple[str, str, str, str, str]] = []
    for scenario in session.edition.scenarios:
        cells = [cell for cell in evidence.cells if cell[0] == scenario.id]
        measured = list(_measured(scenario, cells, runs, evidence, gathered, session))
        reached = sum(held(scenario.passes, scores) for scores in measured)
        place = (
            scenario.id,
            f"{len(measured)}/{len(cells) * runs}",
            f"{reached}/{len(measured)}" if scenario.passes else "–",
        )
        for name in measured[0] if measured else ():
            rows.append((*place, name, number(mean([scores[name] for scores in measured]), 1)))
            place = ("", "", "")
        if not measured:
            rows.append((*place, "–", "–"))
    heads = ("scenario", "measured", "held", "score", "mean")
    columns = [
        Column(head, [row[at] for row in rows], right=head not in ("scenario", "score"))
        for at, head in enumerate(heads)
    ]
    return fitted(columns, width)[0]


def _measured(
    scenario: Scenario,
    cells: Sequence[CellKey],
    runs: int,
    evidence: ModelRecords,
    gathered: StoreRecords,
    session: Session,
) -> Iterator[dict[str, float]]:
    """Yield the panel's mean scores of every trial that all its judges have judged."""
    for cell, run in product(cells, range(1, runs + 1)):
        transcript = evidence.transcripts.get((cell, run))
        if transcript is None or scenario.rubric is None:
            continue
        found = [
            gathered.verdicts.find(
                transcript.transcript_hash, scenario.rubric.digest, judge.configuration, transcript.key
            )
            for judge in session.panel
        ]
        scores = panel_mean([scores_of(verdict) if verdict else None for verdict in found])
        if scores is not None:
            yield scores
