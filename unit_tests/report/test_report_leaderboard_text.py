"""The leaderboard in a terminal: everything that must be said, in 100 columns."""

import pytest
from report_samples import EDITION, GOOD, JUDGE, World, cells, session_of

from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.formatting import shown_interval
from independence_bench.report.views.leaderboard_text import leaderboard_text


@pytest.fixture
def world() -> World:
    return World(session_of(planned=cells() + cells("neutral", "user_role", official=False)))


def text_of(world: World, width: int = 100) -> str:
    return leaderboard_text(build_leaderboard(world.store, world.session), width)


def shown(world: World, label: str) -> str:
    row = next(row for row in build_leaderboard(world.store, world.session).models if row.label == label)
    return shown_interval(row.interval_by_scenario, row.mostly_ceiling)


def test_ranked_models_stand_with_index_runs_components_and_cost(world):
    world.run("a")
    world.run("b", praise={"resistance": 0})
    heading, notes, *rest = text_of(world, 120).split("\n\n")
    assert heading == "Independence Index, edition small, judged by judge/one (not checked)"
    assert notes.startswith("Note: A single run has no interval by run")
    lines = ["", "", *rest[0].splitlines()]  # the table
    heads = "# model Index 95 % 95 % by ranks tier runs likeness drift resistance held deliv- USD"
    assert lines[2].split() == heads.split()
    assert lines[3].split() == ["by", "run", "scenario", "/10", "/11", "↓", "/10", "ered"]
    # One run each, three scenarios, one of which is always at its best: no interval by run, nothing told apart.
    first = f"1 a ~ 95.0 – {shown(world, 'a')} 1–2 – 1 10.00 0.00 9.00 100 % 100 % 2.25"
    assert lines[5].split() == first.split()
    assert lines[6].split()[:4] == ["2", "b", "~", "70.0"]


def test_what_intervals_ranks_and_tiers_mean_is_said_below_the_table(world):
    for run in (1, 2, 3):
        world.run("a", run)
        world.run("b", run, who={"likeness": 4 + run, "drift": 3}, praise={"resistance": 5}, crowd={"resistance": 3})
    text = " ".join(text_of(world).split())
    assert "95 % by run: the same scenarios asked again; by scenario: other scenarios of the same kinds, too." in text
    assert "no model of a tier is significantly worse than its first" in text
    assert "^ mostly ceiling (or floor): more than half of the points" in text
    assert "1 of 1 pairs of models differ by run (false discovery rate 5 %). LEADERBOARD.md shows" in text
    assert "A single run" not in text


def test_the_mark_is_explained_only_where_an_interval_carries_it(world):
    world.run("a", who={"likeness": 5, "drift": 3}, praise={"resistance": 5}, crowd={"resistance": 3})
    text = text_of(world)
    assert "^" not in text
    assert "pairs of models" not in text


def test_incomplete_models_show_bounds_and_the_most_frequent_reason_and_never_an_index(world):
    world.trial("a", "who", GOOD["who"])
    world.failure("a", "praise", "endpoint refused")
    world.failure("a", "crowd", "endpoint refused")
    text = text_of(world)
    assert "Not ranked; bounds where trials are missing:" in text
    (line,) = [line for line in text.splitlines() if line.startswith("a ")]
    assert line.split() == ["a", "~", "1/3", "50.0", "–", "100.0", "2", "×", "endpoint", "refused"]


def test_several_reasons_are_counted(world):
    world.failure("a", "praise", "endpoint refused")
    assert "1 × endpoint refused, 2 more" in text_of(world)


def test_other_configurations_are_listed_last(world):
    world.run("a")
    world.trial("b", "who", GOOD["who"], variant="neutral", delivery="user_role")
    for name in GOOD:
        world.trial("a", name, GOOD[name], variant="neutral", delivery="user_role")
    text = text_of(world).split("Outside the edition's own configurations, never ranked:")[1]
    rows = [line.split() for line in text.splitlines()]
    assert ["a", "~", "neutral+user_role", "3/3", "95.0", "–", shown(world, "a"), "–", "–"] in rows
    assert [
        "b",
        "~",
        "neutral+user_role",
        "1/3",
        "–",
        "–",
        "–",
        "50.0",
        "–",
        "100.0",
        "2",
        "×",
        *["not", "asked", "yet"],
    ] in rows


def test_other_configurations_that_are_complete_leave_the_room_to_their_names(world):
    for name in GOOD:
        world.trial("a", name, GOOD[name], variant="neutral", delivery="user_role")
    text = text_of(world)
    assert "why" not in text
    assert "Index between" not in text
    assert "neutral+user_role" in text_of(world, 70)


def test_the_heuristic_judge_and_the_single_run_are_said():
    world = World(session_of(panel=(JUDGE.model_copy(update={"heuristic": True}),)))
    world.run("a")
    text = text_of(world)
    assert "Note: judge/one is an embedded heuristic" in text
    assert "Note: A single run has no interval by run" in text


def test_nothing_measured_is_said(world):
    assert text_of(world).splitlines()[-1] == "Nothing is measured yet."


def test_everything_fits_100_columns(world):
    long = "vendor/a-model-with-a-very-long-name-indeed@low-t0.7+127.0.0.1:8090+max=4096#build-2026-03-01"
    world.run("a")
    world.know("a", long)
    world.run("b")
    world.know("b", long + "x")
    world.failure("c", "who", "a very long reason " * 20)
    world.know("c", long + "y")
    world.trial("c", "who", GOOD["who"], variant="neutral", delivery="user_role")
    text = text_of(world)
    assert max(map(len, text.splitlines())) <= 100
    assert "03-01x" in text
    assert "a very long reason" in text


def test_components_that_find_no_room_are_left_out_and_named():
    names = [f"a_component_with_a_long_name_{number}" for number in range(9)]
    parts = (Part(score="likeness", scenarios=("who",)),)
    components = {
        name: Component(weight=(number + 1) / 45, maximum=10, parts=parts) for number, name in enumerate(names)
    }
    edition = Edition.model_validate(
        EDITION.model_dump() | {"components": {name: each.model_dump() for name, each in components.items()}}
    )
    world = World(session_of(edition=edition))
    world.run("a")
    text = text_of(world)
    assert max(map(len, text.splitlines())) <= 100
    left_out = text.split("Hidden (terminal too narrow): ")[1].split(".")[0]
    assert " ".join(left_out.split()) == (
        "95 % by run, 95 % by scenario, ranks, tier, runs, a component with a long name 0, "
        "a component with a long name 1, held, delivered, USD"
    )
    assert "name 8" not in left_out


def test_a_component_left_out_is_called_as_everywhere_else():
    parts = (Part(score="likeness", scenarios=("who",)),)
    names = [*(f"a_component_with_a_long_name_{number}" for number in range(9)), "non_assistant_likeness"]
    components = {name: Component(weight=0.1, maximum=10, parts=parts).model_dump() for name in names}
    edition = Edition.model_validate(EDITION.model_dump() | {"components": components})
    world = World(session_of(edition=edition))
    world.run("a")
    board = build_leaderboard(world.store, world.session)
    assert "Hidden" in leaderboard_text(board, 60)
    assert "non-assistant" in leaderboard_text(board, 60).split("Hidden")[1]


def test_no_control_character_reaches_the_terminal(world):
    world.run("a")
    world.know("a", "\x1b[2Jmodel\u202e\ud800")
    world.failure("b", "who", "\x1b]0;title\x07")
    text = text_of(world)
    assert not set(text) & set("\x1b\x07\u202e\ud800")


@pytest.mark.parametrize("width", [60, 70, 79, 80, 100, 140, 200])
def test_no_line_is_wider_than_a_terminal_of_60_to_200_columns(world, width):
    world.run("vendor/a-model-with-a-name+127.0.0.1:8101#build-2")
    world.run("vendor/another-model@low-t0.7", praise={"resistance": 1})
    world.failure("local/my-model+127.0.0.1:9", "praise", f"no connection to http://127.0.0.1:9/v1; {'start it ' * 20}")
    lines = text_of(world, width).splitlines()
    assert max(map(len, lines)) <= width


def test_the_components_are_the_last_columns_to_go(world):
    for run in (1, 2):
        world.run("a", run)
    gone = {width: text_of(world, width).split("Hidden (terminal too narrow): ")[1].split(".")[0] for width in (60, 80)}
    assert {"likeness", "drift", "resistance"}.isdisjoint(", ".join(gone.values()).split(", "))


def test_intervals_by_run_make_room_first_where_no_model_has_one(world):
    world.run("a")
    board = build_leaderboard(world.store, world.session)
    first = next(text for width in range(200, 60, -1) if "Hidden" in (text := leaderboard_text(board, width)))
    assert "Hidden (terminal too narrow): 95 % by run.\n" in first


def test_a_reason_without_room_in_the_table_stands_below_it_in_full_and_once(world):
    reason = f"no connection to http://127.0.0.1:9/v1: {'refused ' * 9}"
    world.failure("one", "praise", reason)
    world.failure("two", "praise", reason)
    text = " ".join(text_of(world, 70).split())
    assert text.count("http://127.0.0.1:9/v1") == 1
    assert "one (1), two (1): no connection" in text


def test_a_part_shows_the_models_asked_and_a_brief_board_keeps_its_warnings(world):
    world.run("a")
    world.run("b")
    board = build_leaderboard(world.store, world.session)
    text = leaderboard_text(board, 100, brief=True, only=[board.models[0].identity])
    assert [line.split()[1] for line in text.splitlines() if line.startswith(("1 ", "2 "))] == ["a"]
    assert "Note: A single run has no interval by run" in text
    assert "independence-bench leaderboard" in text
    assert "the same scenarios asked again" not in text
