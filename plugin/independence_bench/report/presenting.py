"""How a session's edition is presented: as the leaderboard of the Index, or of role stability. Writes nothing."""

from independence_bench.report.analysis.checked_judges import SetDigest, packaged_set_digest
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.presented import Presented
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.leaderboard_markdown import leaderboard_markdown
from independence_bench.report.views.leaderboard_text import leaderboard_text
from independence_bench.store import Session, Store


def presented(store: Store, session: Session, set_digest: SetDigest = packaged_set_digest) -> Presented:
    """Build what the session's edition asks for, over all that the store holds."""
    if session.edition.kind != "roles":
        return of_leaderboard(build_leaderboard(store, session, set_digest))
    from independence_bench.report.roles.present_roles import present_roles  # late: numpy and scipy

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
