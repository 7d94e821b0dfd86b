"""How a session's edition is presented: as the leaderboard of the Index, or of role stability. Writes nothing."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from independence_bench.report.board import Leaderboard
from independence_bench.report.json_text import json_text
from independence_bench.report.judge_checks import SetDigest, packaged_set_digest
from independence_bench.report.leaderboard import build_leaderboard
from independence_bench.report.markdown import leaderboard_markdown
from independence_bench.report.terminal import leaderboard_text
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.report.roles.building import RoleReport


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


def presented(store: Store, session: Session, set_digest: SetDigest = packaged_set_digest) -> Presented:
    """Build what the session's edition asks for, over all that the store holds."""
    if session.edition.kind != "roles":
        return of_leaderboard(build_leaderboard(store, session, set_digest))
    from independence_bench.report.roles.presenting import present_roles  # late: numpy and scipy

    return present_roles(store, session)


def of_leaderboard(board: Leaderboard) -> Presented:
    """Return a leaderboard of the Index as it is presented."""
    return Presented(
        heading="Independence Index",
        page="LEADERBOARD.md",
        text=lambda width: leaderboard_text(board, width),
        files=lambda: {"LEADERBOARD.md": leaderboard_markdown(board), "leaderboard.json": json_text(board, "models")},
        leaderboard=board,
    )
