"""The leaderboard's columns: declared once, explained wherever they are shown."""

from report_samples import WITH_ENGAGED, World, leaderboard_markdown, session_of

from independence_bench.kinds.index.reporting.index_columns import not_weighed, ranked, viewed
from independence_bench.report.analysis.leaderboard import build_leaderboard


def test_every_column_of_a_page_is_explained_in_its_legend():
    world = World(session_of(edition=WITH_ENGAGED))
    world.run("a")
    board = build_leaderboard(world.store, world.session)
    legend = leaderboard_markdown(board).partition("## Legend")[2]
    columns = [column for column in ranked(board, WITH_ENGAGED) if column.only != "terminal"]
    assert [c.head for c in columns if f"**{c.called or c.head}**: " not in legend] == ["Model"]


def test_the_viewer_shows_every_column_of_the_ranking():
    world = World(session_of(edition=WITH_ENGAGED))
    for run in (1, 2):
        world.run("a", run)
    board = build_leaderboard(world.store, world.session)
    with_all = {column.head for column in [*ranked(board, WITH_ENGAGED), *not_weighed(WITH_ENGAGED)]}
    heads = {column.head for column in viewed(board, WITH_ENGAGED, {}, "", {})}
    assert with_all - {"USD"} == heads - {"Components", "Lost most in", "USD per run"}
