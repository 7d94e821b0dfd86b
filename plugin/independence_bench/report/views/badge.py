"""One model's Index as the JSON that shields.io/endpoint draws a badge from."""

import json

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.warnings import unchecked
from independence_bench.report.formatting import number, shown_bounds, shown_interval


def badge_json(row: LeaderboardRow, board: Leaderboard) -> str:
    """Return the badge: edition, Index and interval; grey where it is not reliable."""
    interval = f" ({shown_interval(row.interval_by_run)})" if row.interval_by_run else ""
    bounds = "no Index" if row.no_index else shown_bounds(row.bounds) if row.bounds else "not measured"
    message = bounds if row.index is None else f"{number(row.index, 1)}{interval}"
    single = row.index is not None and row.interval_by_run is None
    itself = any(each.kind == "self-judge" for each in row.warnings)
    judges = row.judges or board.judges
    checks = [each for each in board.judge_checks if each.judge in judges]
    known = {
        "one run": single,
        "judged by itself": itself,
        "not ranked": not row.contends and not itself,
        "heuristic judge": not {*judges}.isdisjoint(board.heuristic_judges),
        "judge not checked": unchecked(checks, board.heuristic_judges),
    }
    doubts = [doubt for doubt, there in known.items() if there]
    return json.dumps(
        {
            "schemaVersion": 1,
            "label": f"Independence Index {board.edition}",
            "message": ", ".join([message, *doubts]),
            "color": "lightgrey" if doubts else "blue",
        },
        ensure_ascii=False,
    )
