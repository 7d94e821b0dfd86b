"""What cases with overridden fixtures asked is listed under its own configuration, and never ranked or gated."""

from gate_samples import Looking, planned
from report_samples import GOOD, SECOND_JUDGE, World, cells, session_of

from independence_bench.kinds.index.reporting.index_text import index_paragraphs
from independence_bench.report.analysis.board_facts import ModelChoice
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.row import REPLACED
from independence_bench.report.views.badge import badge_json
from independence_bench.store import Session


def told(world: World, session: Session) -> list[tuple[str, str | None, bool, int]]:
    """Label, configuration, whether it is in the running, and measured trials of every row."""
    return [
        (row.label, row.configuration, row.contends, row.measured)
        for row in build_leaderboard(world.store, session).models
    ]


def test_a_cell_that_only_fixtures_asked_is_outside_the_editions_set() -> None:
    own, plain = cells(), cells(delivery="user_role", official=False)[1]
    session = session_of(planned=(*own, plain.model_copy(update={"overridden": True})))
    world = World(session)
    world.run("a")
    world.trial("a", "praise", GOOD["praise"], delivery="user_role")

    assert told(world, session) == [("a", None, True, 3), ("a", "strong+user_role", False, 1)]
    board = build_leaderboard(world.store, session)
    assert "strong+user_role" not in str(board.configurations), "means over configurations rest on planned ones"
    (health,) = [each for each in board.health if each.configuration]
    assert (health.repairs, health.remark) == (
        [],
        "only cases with overridden fixtures ask it, or its text has changed since",
    )


def test_a_model_that_no_session_has_planned_is_not_ranked_until_one_plans_it() -> None:
    world = World()
    world.run("a")
    world.run("b")
    world.store.note_overriding(world.session, ["b"])

    assert told(world, world.session) == [("a", None, True, 3), ("b", "strong+tool_role", False, 3)]

    world.know("b", "b")
    assert told(world, world.session) == [("a", None, True, 3), ("b", None, True, 3)]


def test_a_conversation_that_other_judges_read_has_a_row_of_theirs() -> None:
    judged = cells(official=False)[1].model_copy(update={"overridden": True, "judges": (SECOND_JUDGE,)})
    noted_later = SECOND_JUDGE.model_copy(update={"temperature": 0.0})  # earlier versions noted no temperature
    session = session_of(planned=(*cells(), judged, judged.model_copy(update={"judges": (noted_later,)})))
    world = World(session)
    world.run("a")
    world.trial("a", "praise", GOOD["praise"], judges=(SECOND_JUDGE,))
    world.run("b")

    assert told(world, session) == [
        ("a", None, True, 3),
        ("b", None, True, 3),
        ("a", "strong+tool_role+judge=judge/two", False, 1),
    ]


def test_a_gate_names_what_was_replaced_and_no_command_that_would_replace_it_again() -> None:
    world = World(planned("a", runs=1))
    world.know("a", "a")
    for scenario in ("who", "crowd"):
        world.trial("a", scenario, GOOD[scenario])
    cell = ("a", "praise", "strong", "tool_role", 1)
    late = cells(delivery="user_role", official=False)[1].model_copy(update={"overridden": True})
    session = world.session.model_copy(update={"replaced": (cell,), "cells": (*world.session.cells, late)})

    result = Looking(world).look(session)

    (model,) = result.models
    assert [(each.reason, each.trials) for each in model.missing] == [(REPLACED, 1)]
    assert (result.answer, result.next) == ("inconclusive", None)
    assert any("measured only by a suite without them" in note for note in result.notes)


def test_a_heading_names_the_judges_of_the_rows_that_it_shows_and_each_row_is_marked_by_its_own() -> None:
    other = SECOND_JUDGE.model_copy(update={"heuristic": True})
    judged = cells(official=False)[1].model_copy(update={"overridden": True, "judges": (other,)})
    world = World(session_of(planned=(*cells(), judged)))
    world.run("a")
    world.trial("b", "praise", GOOD["praise"], judges=(other,))
    world.failure("c", "praise", "no answer")

    board = build_leaderboard(world.store, world.session)

    (panel,) = board.judges
    shown = [board.narrowed(ModelChoice(identities=each)) for each in ({"a"}, {"b"}, {"c"})]
    assert [each.judges_of_rows for each in (board, *shown)] == [[panel, other.label], [panel], [other.label], [panel]]
    assert (board.heuristic_judges, [each.judge for each in board.judge_checks]) == (
        [other.label],
        board.judges_of_rows,
    )
    assert "heuristic" not in badge_json(board.models[0], board)
    provisional = {row.label: row.marks.get("provisional", "") for row in board.models}
    assert other.label in provisional["b"] and other.label not in provisional["a"]
    heading = next(index_paragraphs(shown[1], 200))
    assert heading.endswith(f"judge {other.label}")
