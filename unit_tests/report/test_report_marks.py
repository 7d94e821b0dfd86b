"""Marks on the board, and that nothing stored of a model is hidden: all its runs, builds and names are told."""

import json
import re

import pytest
from report_samples import GOOD, JUDGE, World, details_text, leaderboard_markdown, leaderboard_text, session_of

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.marks import MARKS, marks_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.analysis.tidy_tables import TABLES
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.views.json_text import json_text
from independence_bench.store import JudgeCheck

NUMBERS = {"cases": 1, "errors": 0, "compared": 1, "flips": 0, "unjudged": 0}


def passed() -> JudgeCheck:
    return JudgeCheck(judge="judge/one", configuration="J1", set_digest="now", at=1.0, passed=True, body={})


@pytest.fixture(scope="module")
def world() -> World:
    """A settled model, one that is retired and judges, three builds of one, one under two names, a copy, an import."""
    world = World(session_of(panel=(JUDGE,)))
    world.store.add_judge_check(passed())
    for run in range(1, 9):
        world.run("eight", run, who={"likeness": 10 - run})
    for run in range(1, 4):
        world.run("old", run)
    for build in ("one", "two", "three"):
        world.run(build)
        world.know(build, f"mine#{build}", model_id="local/mine", build=build, temperature=0.5)
    for name in ("served", "served+elsewhere"):
        world.run(name)
        world.know(name, name, model_id="local/served", temperature=0.5)
    for name in GOOD:
        for model in ("said", "copied"):
            world.trial(model, name, GOOD[name], said=f"the same about {name}")
    for name in GOOD:
        for run in (1, 2, 3):
            world.trial("theirs", name, GOOD[name], run, kept=False, origin="published", said=f"{name} {run}")
    world.know("old", "old", model_id="judge/one", retired="2026-05")
    return world


@pytest.fixture(scope="module")
def board(world: World) -> Leaderboard:
    return build_leaderboard(world.store, world.session, lambda *, name: "now")


@pytest.mark.parametrize(
    ("runs", "state", "why"),
    [(3, "passed", None), (2, "passed", "2 runs"), (3, "outdated", "j: outdated"), (1, "not checked", "1 run; j: not checked")],
)  # fmt: skip
def test_a_row_is_provisional_below_three_runs_or_with_an_unchecked_judge(runs, state, why):
    check = CheckedJudge(judge="j", configuration="c", state=state, passed=True, at=None, set_digest=None, **NUMBERS)
    row = LeaderboardRow.model_construct(runs=[None] * runs, warnings=[], retired=None)
    assert marks_of(row, [check]).get("provisional") == why


def test_every_mark_stands_in_every_form_of_the_board(world, board):
    rows = {row.label: row for row in board.models}
    assert rows["old"].marks == {"retired": "since 2026-05", "also-judges": "the model is its only judge"}
    assert (rows["eight"].marks, rows["mine#one"].marks) == ({}, {"provisional": "1 run"})
    stored = {row["label"]: row for row in json.loads(json_text(board, "models"))["models"]}
    assert stored["old"]["marks"] == rows["old"].marks and stored["old"]["retired"] == "2026-05"
    for width in (60, 80, 120):
        text = leaderboard_text(board, width)
        assert "old ∅ ⚖ " in text and "theirs † " in text
        assert "\n† not delivered as asked; ~ provisional; ∅ retired; ⚖ also a judge.\n" in text.replace(
            "also a\njudge", "also a judge"
        )
    details = details_text(board, world.session.edition, 200)
    for text, name in ((details, "old ∅ ⚖ "), (leaderboard_markdown(board), "`old` ∅ ⚖]")):
        assert name in text and "eight ~" not in text and re.search(r"theirs`? †", text)
        assert all(f"{mark.sign} {mark.word}: {mark.means}." in text for mark in MARKS.values())
    tidy = {row["label"]: row for row in TABLES["models"].records(BoardRecords.of(world.store, world.session, board))}
    assert [tidy["old"][name] for name in ("provisional", "retired", "also_judges")] == [False, True, True]
    assert tidy["mine#one"]["marks"] == "provisional (1 run)"
    name = EditionView(1, world.session, board, ()).names["old"]
    assert name.marks[0] == ("∅", "retired", f"{MARKS['retired'].means} (since 2026-05)") and str(name) == "old"


def test_every_stored_run_and_configuration_of_a_model_is_on_the_board(world, board):
    rows = {row.identity: row for row in board.models}
    assert rows.keys() == {stored.configuration for stored in world.store.configurations()}
    assert [run.run for run in rows["eight"].runs] == [*range(1, 9)]
    by_run = [run.index for run in rows["eight"].runs]
    assert rows["eight"].index == pytest.approx(sum(by_run) / 8) and rows["eight"].index < max(by_run)
    listed = list(TABLES["runs"].records(BoardRecords.of(world.store, world.session, board)))
    assert sum(row["model"] == "eight" for row in listed) == 8


def test_a_name_without_an_answer_is_no_second_name_of_a_model():
    world = World(session_of())
    world.run("served")
    for name in ("served", "served+mistyped"):
        world.know(name, name, model_id="local/served")
    world.failure("served+mistyped", "who", "refused")

    assert not [note for note in build_leaderboard(world.store, world.session).notes if "One model" in note]


def test_several_rows_of_one_model_are_told_to_be_one_and_builds_are_not(board):
    told = [note for note in board.notes if "One model" in note or "the same conversations" in note]
    assert told == [
        "One model at the same settings under 2 names: served, served+elsewhere. Read these rows together: the "
        "best of several is higher by chance alone.",
        "copied, said hold the same conversations: they are one measurement under 2 names.",
    ]
