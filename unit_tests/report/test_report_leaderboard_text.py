"""The leaderboard in a terminal: each row with its interval or the reason for none, in 80 columns and 20 lines."""

import pytest
from report_samples import (
    EDITION,
    GOOD,
    JUDGE,
    WITH_ENGAGED,
    World,
    board_of,
    cells,
    details_text,
    leaderboard_text,
    presented_leaderboard,
    session_of,
)

from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.report.analysis.board_facts import ModelChoice
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.formatting import shown_interval
from independence_bench.report.presented import Presented, next_steps


@pytest.fixture
def world() -> World:
    return World(session_of(planned=cells() + cells("neutral", "user_role", official=False)))


def text_of(world: World, width: int = 80) -> str:
    return leaderboard_text(board_of(world), width)


def details_of(world: World, width: int = 100) -> str:
    return details_text(board_of(world), world.session.edition, width)


def presented(world: World) -> Presented:
    return presented_leaderboard(board_of(world), world.session.edition)


def rows_of(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n\n")[1].splitlines()]


def shown(world: World, label: str) -> str:
    row = next(row for row in board_of(world).models if row.label == label)
    return shown_interval(row.interval_by_scenario, row.mostly_ceiling)


VARIED = {"who": {"likeness": 5, "drift": 3}, "praise": {"resistance": 5}, "crowd": {"resistance": 3}}


def six_models(runs: int) -> World:
    """Two that no run distinguishes, and four below, with names as long as they are."""
    world = World(session_of(edition=WITH_ENGAGED))
    for place in range(6):
        label = f"offline/model-{place}" if place else "vendor/first-of-all-models@low"
        world.know(label, label, model_id=label)
        for run in range(1, runs + 1):
            worse = 2 * max(place - 1, 0)
            noise = (run + place) % 2
            world.run(label, run, praise={"resistance": 10 - noise - worse}, crowd={"resistance": 10 - worse})
    return world


def test_six_models_take_one_line_each_under_their_heading_in_80_columns():
    shown = presented(six_models(5))
    text = shown.text(80)
    steps = [*next_steps(shown.best(ModelChoice(embedded=True)), "reports/LEADERBOARD.md")]
    heading, table, below = text.split("\n\n")
    assert heading == "Independence Index · small · 3 scenarios × 5 runs\njudge judge/one (not checked)"
    assert len(table.splitlines()) == 7 and len(below.splitlines()) <= 6
    assert len([*text.splitlines(), "", *steps]) <= 20
    assert max(map(len, text.splitlines())) <= 80
    head, *rows = rows_of(text)
    assert head == ["model", "Index", "95", "%", "engaged", "held", "delivered"]
    assert [row[0] for row in rows] == ["1=", "1=", "3", "4", "5", "6"]
    first = build_leaderboard(*_of(six_models(5))).models[0]
    assert rows[0][1:] == [first.label, f"{first.index:.1f}", shown_interval(first.interval_by_run), *rows[0][4:]]
    assert rows[0][5:] == ["10/10", "100", "%"]


def _of(world: World):
    return world.store, world.session


def test_a_single_run_says_so_in_place_of_the_interval_and_ranks_nobody():
    text = presented(six_models(1)).text(80)
    assert [row[0] for row in rows_of(text)[1:]] == ["–"] * 6
    assert all(row[3:5] == ["one", "run"] for row in rows_of(text)[1:])
    assert "\nOne run shows neither an interval nor a difference: --runs=5." in text
    assert "A single run has no interval by run" not in text


def test_no_width_hides_the_interval_before_another_column():
    text = presented(six_models(5)).text(60)
    assert rows_of(text)[0] == ["model", "Index", "95", "%"]
    assert max(map(len, text.splitlines())) <= 60


def test_no_terminal_shows_less_of_a_name_than_the_narrowest_nor_less_than_all_that_is_said_of_the_judge():
    world = six_models(5)
    for name in ("vendor/a-model-with-a-long-name-preview@none-t0.7", "vendor/a-model-with-a-long-name@none-t0.7"):
        world.know(name, name, model_id=name)
        world.run(name)
    world.trial("incomplete", "who", GOOD["who"])
    least = 0
    for width in range(60, 140):
        text = text_of(world, width)
        assert "judge judge/one (not checked)" in text and max(map(len, text.splitlines())) <= width
        shown = max(len(row[1]) for row in rows_of(text)[1:])
        least = least or shown
        assert shown >= least > 30, width
    assert shown == len("vendor/a-model-with-a-long-name-preview@none-t0.7")


def test_ranks_are_those_of_the_whole_board():
    world = six_models(5)
    identities = [row.identity for row in build_leaderboard(*_of(world)).models]
    text = presented(world).text(80, choice=ModelChoice({identities[3], identities[5]}))
    assert [row[:2] for row in rows_of(text)[1:]] == [["4", "offline/model-3"], ["6", "offline/model-5"]]
    assert "4 more models: independence-bench leaderboard --all" in text


def test_embedded_models_are_shown_where_nothing_else_is_measured_or_with_all():
    world = six_models(2)
    assert len(rows_of(presented(world).text(80, choice=ModelChoice()))[1:]) == 1
    assert len(rows_of(presented(world).text(80, choice=ModelChoice(embedded=True)))[1:]) == 6
    alone = World()
    alone.know("offline/a", "offline/a", model_id="offline/a")
    alone.run("offline/a")
    assert [row[1] for row in rows_of(presented(alone).text(80, choice=ModelChoice()))[1:]] == ["offline/a"]


def test_a_session_that_has_measured_none_of_its_models_shows_all():
    text = presented(six_models(1)).text(80, choice=ModelChoice({"unknown"}))
    assert len(rows_of(text)[1:]) == 6


def test_the_next_steps_name_where_the_best_model_lost_most_and_commands_to_paste(tmp_path):
    world = World()
    world.run("a", praise={"resistance": 4}, crowd={"resistance": 8})
    best = presented(world).best(ModelChoice())
    lost, read, everything = next_steps(best, "reports/LEADERBOARD.md")
    assert lost == "a lost most in praise −15.0, crowd −5.0"
    assert read == "read it    independence-bench show a praise"
    assert everything == "read all   reports/LEADERBOARD.md · independence-bench view"
    _, read, everything = next_steps(best, "x.md", tmp_path / "my store")
    assert read.endswith(f" show a praise --store='{tmp_path}/my store'")
    assert everything.endswith(f" view --store='{tmp_path}/my store'")


def test_marks_stand_only_where_they_distinguish_rows():
    world = World()
    for run in (1, 2, 3):
        world.run("a", run)
    world.run("b")
    assert "~" not in leaderboard_text(build_leaderboard(*_of(world)), 80)  # the judge is unchecked for both
    world.know("old", "old", retired="2026-05-01")
    world.run("old")
    text = text_of(world)
    assert "old ∅" in text and text.endswith("\n∅ retired.") and "a ∅" not in text


def test_at_most_three_notes_stand_below_and_the_page_has_all():
    world = World(session_of(panel=(JUDGE.model_copy(update={"heuristic": True}),)))
    for label in "abcde":
        world.failure(label, "who", f"refused {label}")
    text = text_of(world)
    assert text.count("\n! ") == 3
    assert "\n! judge/one compares words: a test of the set-up, not a measurement.\n! a (1): refused a" in text
    assert text.endswith("8 more notes: LEADERBOARD.md")


def test_a_brief_board_keeps_intervals_and_warnings_and_leaves_out_explanations():
    shown = presented(six_models(5))
    text = shown.text(80, brief=True)
    assert rows_of(text) == rows_of(shown.text(80))
    assert "no difference shown" not in text


def test_details_are_the_page_with_both_intervals_ranks_and_components_then_every_models_own(world):
    world.run("a")
    world.run("b", praise={"resistance": 0})
    text = details_of(world, 120)
    assert "Note: A single run has no interval by run" in text
    lines = text.split("Ranking  -")[1].split("\n\n")[1].splitlines()
    heads = "# model Index 95 % 95 % by ranks tier runs likeness drift resistance held deliv- USD"
    assert lines[0].split() == heads.split()
    assert lines[1].split() == ["by", "run", "scenario", "/10", "/11", "↓", "/10", "ered"]
    # One run each, three scenarios, one of which is always at its best: no interval by run, nothing told apart.
    first = f"– a ~ 95.0 – {shown(world, 'a')} 1–2 – 1 10.00 0.00 9.00 100 % 100 % 2.25"
    assert lines[3].split() == first.split()
    assert lines[4].split()[:4] == ["–", "b", "~", "70.0"]
    assert "Means over the runs" in text.split("\nb ~  -")[1] and "Generation" in text


def test_incomplete_models_have_no_index_and_say_what_is_missing_and_why(world):
    world.trial("a", "who", GOOD["who"])
    world.failure("a", "praise", "endpoint refused")
    world.failure("a", "crowd", "endpoint refused")
    text = text_of(world)
    assert rows_of(text)[1] == ["–", "a", "–", "1/3", "measured", "–", "100", "%"]
    assert "! a (2): endpoint refused" in text
    details = details_of(world)
    assert ["a", "~", "1/3", "50.0", "–", "100.0", "2", "×", "endpoint", "refused"] in [
        line.split() for line in details.splitlines()
    ]


def test_other_configurations_are_listed_last_and_named(world):
    world.run("a")
    world.trial("b", "who", GOOD["who"], variant="neutral", delivery="user_role")
    for name in GOOD:
        world.trial("a", name, GOOD[name], variant="neutral", delivery="user_role")
    rows = rows_of(text_of(world))
    assert rows[2][:5] == ["–", "a", "(neutral+user_role)", "95.0", "one"]
    assert rows[3][:6] == ["–", "b", "(neutral+user_role)", "–", "1/3", "measured"]
    text = details_of(world).split("Outside the edition's own configurations, never ranked")[1]
    rows, never = [line.split() for line in text.splitlines()], ["not", "asked", "yet"]
    assert ["a", "~", "(neutral+user_role)", "3/3", "95.0", "–", shown(world, "a"), "–"] in rows
    assert ["b", "~", "(neutral+user_role)", "1/3", "50.0", "–", "100.0", "–", "–", "2", "×", *never] in rows


def test_nothing_measured_is_said(world):
    assert text_of(world).splitlines()[-1] == "Nothing is measured yet."


def test_components_that_find_no_room_are_left_out_and_named():
    names = ["non_assistant_likeness", *(f"a_component_with_a_long_name_{number}" for number in range(1, 9))]
    parts = (Part(score="likeness", scenarios=("who",)),)
    components = {
        name: Component(weight=(number + 1) / 45, maximum=10, parts=parts) for number, name in enumerate(names)
    }
    edition = Edition.model_validate(
        EDITION.model_dump() | {"components": {name: each.model_dump() for name, each in components.items()}}
    )
    world = World(session_of(edition=edition))
    world.run("a")
    assert "non-assistant" in details_of(world, 60).split("Hidden")[1]
    text = details_of(world)
    assert max(map(len, text.splitlines())) <= 100
    left_out = text.split("Hidden (terminal too narrow): ")[1].split(".")[0]
    names = ["non-assistant", *(f"a component with a long name {number}" for number in range(1, 4))]
    assert " ".join(left_out.split()) == ", ".join(["tier", "runs", *names, "held", "delivered", "USD"])


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
    long = "vendor/a-model-with-a-very-long-name-indeed@low-t0.7+127.0.0.1:8090+max=4096#build-2026-03-01"
    for identity, label in (("c", f"{long}x"), ("d", f"{long}y")):
        world.know(identity, label)
        world.run(identity)
    world.trial("c", "who", GOOD["who"], variant="neutral", delivery="user_role")
    for text in (text_of(world, width), details_of(world, width)):
        assert max(map(len, text.splitlines())) <= width
        assert "01x" in text and "01y" in text and "start it" in text


def test_the_details_leave_out_components_before_certainty(world):
    for run in (1, 2):
        world.run("a", run)
    gone = {
        width: details_of(world, width).split("Hidden (terminal too narrow): ")[1].split(".")[0] for width in (60, 80)
    }
    assert {"95 % by run", "95 % by scenario"}.isdisjoint(", ".join(gone.values()).split(", "))


def test_a_reason_shared_by_models_stands_below_the_table_in_full_and_once(world):
    reason = f"no connection to http://127.0.0.1:9/v1: {'refused ' * 9}"
    world.failure("one", "praise", reason)
    world.failure("two", "praise", reason)
    text = " ".join(text_of(world, 70).split())
    assert text.count("http://127.0.0.1:9/v1") == 1
    assert "one (1), two (1): no connection" in text
