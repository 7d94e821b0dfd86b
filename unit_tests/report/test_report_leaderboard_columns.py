"""The leaderboard's columns: declared once, explained wherever they are shown."""

from report_samples import WITH_ENGAGED, World, leaderboard_markdown, session_of

from independence_bench.kinds.edition_files import load_edition
from independence_bench.kinds.index.reporting.index_columns import not_weighed, ranked, viewed
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.row import NumberBeside


def published_board() -> Leaderboard:
    """A leaderboard of the edition that is measured by default; its one model has every number and no trial."""
    world = World()
    world.run("a")
    (row,) = build_leaderboard(world.store, world.session).models
    numbers = {name: NumberBeside(estimate=1, interval_by_run=None, interval_by_scenario=None) for name in BESIDE_INDEX}
    session = world.session.model_copy(update={"edition": load_edition("v2"), "cells": (), "configurations": ()})
    board = build_leaderboard(world.store, session)
    return board.model_copy(update={"models": [row.model_copy(update={"rank_interval": (1, 1), "numbers": numbers})]})


def test_every_column_of_a_page_is_explained_in_its_legend():
    world = World(session_of(edition=WITH_ENGAGED))
    world.run("a")
    board = build_leaderboard(world.store, world.session)
    legend = leaderboard_markdown(board).partition("## Legend")[2]
    columns = [column for column in ranked(board).columns if column.only != "terminal"]
    assert [c.head for c in columns if f"**{c.called or c.head}**: " not in legend] == ["Model"]


def test_the_viewer_shows_every_column_of_the_ranking():
    board = published_board()
    with_all = {column.head for column in [*ranked(board).columns, *not_weighed(board)]}
    viewed_heads = {column.head for column in viewed(board, {}, "", {})} - {"Components", "Lost most in", "USD per run"}
    assert with_all - {"USD"} == viewed_heads
