"""One rank: on any board terminal, page, JSON, tables, API and viewer give each model the same, that of its tier."""

import json
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import GOOD, World, leaderboard_markdown, leaderboard_text

from independence_bench.api.results import Results
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.standings import EVERY_MODEL, ModelChoice
from independence_bench.report.site.data.overview import overview_data
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.report.views.json_text import json_text

Ranks = dict[str, str]

MODEL = st.tuples(
    st.integers(1, 5),  # runs
    st.integers(1, 9),  # level
    st.sampled_from(["own", "own", "own", "embedded", "imported", "doubtful", "incomplete"]),
)


def world_of(models: list[tuple[int, int, str]]) -> World:
    world = World()
    for place, (runs, level, sort) in enumerate(models):
        name = f"{'offline' if sort == 'embedded' else 'vendor'}/{sort}-{place}"
        world.know(name, name, model_id=name)
        for run in range(1, runs + 1):
            for scenario in list(GOOD)[: 2 if sort == "incomplete" else 3]:
                own = {"who": {"likeness": level, "drift": run % 2}}.get(scenario, {"resistance": level + run % 2})
                facts = {"kept": sort not in ("imported", "doubtful"), "said": f"{name} {scenario} {run}"}
                origin = "published" if sort == "imported" else "measured"
                world.trial(name, scenario, GOOD[scenario] | own, run, origin=origin, **facts)
    return world


def expected(board: Leaderboard) -> Ranks:
    tiers = {row.label: row.tier for row in board.models}
    known = [tier for tier in tiers.values() if tier is not None]
    shared = {tier: "=" if known.count(tier) > 1 else "" for tier in known}
    return {
        label: "–" if tier is None else f"{1 + sum(other < tier for other in known)}{shared[tier]}"
        for label, tier in tiers.items()
    }


def in_terminal(board: Leaderboard, width: int, choice: ModelChoice = EVERY_MODEL) -> Ranks:
    table = leaderboard_text(board, width, choice=choice).split("\n\n")[1].splitlines()
    return {line.split()[1]: line.split()[0] for line in table[1:]}


def on_page(board: Leaderboard) -> Ranks:
    rows = re.findall(r"^\| (?:[🥇🥈🥉] )?([0-9=–]+) \| \[`([^`]+)`", leaderboard_markdown(board), re.MULTILINE)
    return {label: rank for rank, label in rows}


@given(st.lists(MODEL, min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_every_report_names_the_same_rank(models: list[tuple[int, int, str]]) -> None:
    world = world_of(models)
    results = ranked_models(world.store, world.session)
    board = build_leaderboard(world.store, world.session, results=results)
    ranks = expected(board)
    assert {row.label: row.shown_rank for row in board.models} == ranks
    for row in board.models:
        assert (row.rank is None) == (not row.contends or len(row.runs) == 1)

    for width in (60, 80, 120):
        assert in_terminal(board, width) == ranks
        shown = in_terminal(board, width, ModelChoice())
        assert shown.items() <= ranks.items()
    assert on_page(board) == {row.label: ranks[row.label] for row in board.models if row.contends}

    def written(rank: int | None, tied: bool) -> str:
        return "–" if rank is None else f"{rank}{'=' if tied else ''}"

    stored = json.loads(json_text(board, "models"))["models"]
    assert {row["label"]: written(row["rank"], row["tied"]) for row in stored} == ranks
    table = Results(Path("in-memory"), world.store).leaderboard()  # of the tidy table
    assert {row["label"]: row["rank"] for row in table} == {row.label: row.rank for row in board.models}
    view = EditionView(1, world.session, board, results.with_rows(board.models))
    site = overview_data(ViewPart(view), {})["models"]
    assert {model["label"]: model.get("rank", "–") for model in site} == ranks
    assert {model["label"] for model in site if model.get("contends")} == {r.label for r in board.models if r.contends}
