"""A session's numbers, or a comparison, in every form that they are shown in, as values. Builds and writes nothing."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from independence_bench.report.analysis.leaderboard import Leaderboard

if TYPE_CHECKING:
    from independence_bench.report.roles.role_report import RoleReport


@dataclass(frozen=True)
class Presented:
    """One session's numbers in every form that they are shown in."""

    heading: str
    """Over the text in a terminal."""
    page: str
    """Name of the file that a person reads."""
    text: Callable[[int], str]
    """For a terminal of so many columns."""
    files: Callable[[], Mapping[str, str]]
    """Path in the folder of reports → content."""
    leaderboard: Leaderboard | None = None
    """Where it is the Index that is presented."""
    roles: "RoleReport | None" = None
    """Where it is role stability."""
    details: Callable[[int], str] | None = None
    """More of it for a terminal, where the command line has no form of its own for that."""
    replaces: re.Pattern[str] | None = None
    """Paths in the folder that only this report writes: those that it did not write this time are out of date."""


@dataclass(frozen=True)
class Compared:
    """A comparison of two models in every form that it is shown in."""

    text: Callable[[int], str]
    """For a terminal of so many columns."""
    markdown: Callable[[], str]
    json: Callable[[], str]
