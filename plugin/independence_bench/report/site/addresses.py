"""The pages and their addresses. Opens no file.

One HTML file per kind of page, the subject behind ``#``: 8,100 trials would be as many files. A model is named by the
digest of its configuration, so that a shared address outlives a changed label.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from independence_bench.report.analysis.row import LeaderboardRow

DIGEST_SHOWN = 12  # hexadecimal digits of a configuration's digest in an address


class Page(NamedTuple):
    """One HTML file."""

    file: str
    title: str
    in_navigation: bool
    script: str | None
    of_index: bool = False  # only views with an Index have it


PAGES = (
    Page("index.html", "Leaderboard", True, "leaderboard.js"),
    Page("figures.html", "Charts", True, "figures.js", of_index=True),
    Page("map.html", "Map", True, "map.js", of_index=True),
    Page("stories.html", "Stories", True, "stories.js", of_index=True),
    Page("model.html", "Model", False, "model.js"),
    Page("explain.html", "Explain", False, "explain.js", of_index=True),
    Page("scenarios.html", "Scenarios", True, None),
    Page("scenario.html", "Scenario", False, "scenario.js"),
    Page("trajectory.html", "Trajectory", False, "trajectory.js"),
    Page("compare.html", "Side by side", True, "compare.js"),
    Page("analyses.html", "Analyses", True, None, of_index=True),
    Page("judges.html", "Judges", True, None),
    Page("data.html", "Data", True, None),
    Page("method.html", "Method", True, None),
    Page("search.html", "Search", True, "search.js"),
)

NOT_FOUND = Page("404.html", "No such page", False, None)
"""Of the whole site, not of a view: a static host shows it in place of any address it does not know."""
HEIGHTS = tuple("../" * height for height in range(9))
"""Prefixes that lead home from unknown addresses, up to 8 folders deep."""


def model_ids(rows: Sequence[LeaderboardRow]) -> list[str]:
    """Return the name of each row in addresses: unique, and the same whatever it is called or ranked today."""
    alike = Counter(identity[:DIGEST_SHOWN] for identity in {row.identity for row in rows})
    names = [row.identity if alike[row.identity[:DIGEST_SHOWN]] > 1 else row.identity[:DIGEST_SHOWN] for row in rows]
    return [f"{name}~{row.configuration}" if row.configuration else name for name, row in zip(names, rows, strict=True)]


def address(page: str, key: str, subject: str) -> str:
    """Return a page of a subject, relative to the view; ``key`` is ``m`` where it is a model, ``s`` for a scenario."""
    return f"{page}.html#{key}={quote(subject, safe='')}"
