"""One model's Index as the JSON that shields.io/endpoint draws a badge from."""

import json

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.formatting import number, shown_bounds, shown_interval


def badge_json(row: LeaderboardRow, board: Leaderboard) -> str:
    """Return the badge: edition, Index and interval; grey where it is not reliable."""
    if row.index is None:
        message = shown_bounds(row.bounds) if row.bounds else "not measured"
    elif row.interval_by_run is None:
        message = number(row.index, 1)
    else:
        message = f"{number(row.index, 1)} ({shown_interval(row.interval_by_run)})"
    doubts = [
        *(["one run"] if row.index is not None and row.interval_by_run is None else []),
        *(["not ranked"] if row.rank is None else []),
        *(["heuristic judge"] if board.heuristic_judges else []),
    ]
    return json.dumps(
        {
            "schemaVersion": 1,
            "label": f"Independence Index {board.edition}",
            "message": ", ".join([message, *doubts]),
            "color": "lightgrey" if doubts else "blue",
        },
        ensure_ascii=False,
    )
