"""Tables and sections of LEADERBOARD.md, as lines. Knows no analysis."""

from collections.abc import Iterable, Iterator, Sequence

from independence_bench.report.analysis.groups import OtherModel
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.formatting import shown_confidence, shown_interval
from independence_bench.report.views.inert import in_markdown, name_in_markdown

THINKING = "💭"


def section(heading: str, lines: Iterable[str], shown: object) -> Iterator[str]:
    """Yield a section, or nothing where ``shown`` is empty."""
    if shown:
        yield ""
        yield f"## {heading}"
        yield ""
        yield from lines


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Yield a table whose first ``left`` columns are aligned to the left."""
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---' if place < left else '--:' for place in range(len(heads)))} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def model(row: LeaderboardRow) -> str:
    """Return a model's label with its mark, and the configuration where it is not the edition's own."""
    mark = f" {THINKING}" if row.thinking else ""
    return f"{name_in_markdown(row.label)}{mark}{condition(row.configuration)}"


def condition(configuration: str | None) -> str:
    """Return what follows a label outside the edition's own configurations."""
    return f" ({in_markdown(configuration)})" if configuration else ""


def interval_heads(board: Leaderboard) -> list[str]:
    """Return the heads over what :func:`intervals` returns."""
    return [f"{shown_confidence(board.confidence)} by {basis}" for basis in ("run", "scenario")]


def intervals(row: LeaderboardRow | OtherModel) -> list[str]:
    """Return both intervals of a row, marked where they are mostly ceiling."""
    found = (row.interval_by_run, row.interval_by_scenario)
    return [in_markdown(shown_interval(interval, row.mostly_ceiling)) for interval in found]
