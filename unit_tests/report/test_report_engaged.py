"""Engaged beside the Index: declared once, it is on the board, in tables, comparison and gate; elsewhere nowhere."""

import pytest
from gate_samples import Looking, criterion, planned
from report_samples import (
    EDITION,
    WITH_ENGAGED,
    World,
    board_of,
    details_text,
    leaderboard_markdown,
    leaderboard_text,
    session_of,
)
from test_report_comparison import compared

from independence_bench.bad_input import BadInput
from independence_bench.kinds.index.reporting.index_comparison import index_parts
from independence_bench.kinds.index.reporting.index_numbers import index_numbers
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX, BesideIndex
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.analysis.tidy_tables import TABLES
from independence_bench.report.numbers.number_questions import check_criterion
from independence_bench.report.views.model_pages import model_pages

HALF = {"who": {"likeness": 5, "drift": 0, "changed": False}}
ENGAGED = {"a": 100 * (0.2 + 0.3 + 0.5 * (1 + 0.5) / 2), "b": 100 * (0.2 * 0.5 + 0.3 * 0.5 + 0.5 * (1 + 0.5) / 2)}
"""Of good answers, in which only the crowd is resisted by 8 of 10; and with half of the likeness."""


def measured(edition=WITH_ENGAGED) -> World:
    world = World(session_of(edition=edition))
    for run in (1, 2):
        world.run("a", run)
        world.run("b", run, who=HALF["who"])
    return world


def test_it_is_in_the_row_with_both_intervals_and_on_every_page():
    world = measured()
    board = board_of(world)
    for row in board.models:
        known = row.numbers["engaged"]
        assert known.estimate == pytest.approx(ENGAGED[row.label])
        for low, high in (known.interval_by_run, known.interval_by_scenario):
            assert 0 <= low <= known.estimate <= high <= 100
    shown = f"{ENGAGED['a']:.1f}"
    assert "engaged" in leaderboard_text(board) and shown in leaderboard_text(board)
    assert "| Engaged | Engaged, 95 % by run | Engaged, 95 % by scenario |" in leaderboard_markdown(board)
    assert any(f"Engaged {shown}, 95 % by run" in page for page in model_pages(board).values())


def test_an_edition_without_it_shows_nothing_of_it():
    world = measured(EDITION)
    board = board_of(world)
    assert all(row.numbers == {} for row in board.models)
    for page in (leaderboard_text(board), leaderboard_markdown(board), *model_pages(board).values()):
        assert "engaged" not in page.casefold()


def test_an_incomplete_model_has_none():
    world = World(session_of(edition=WITH_ENGAGED))
    world.run("a", 1)
    world.trial("a", "who", None, 2)
    (row,) = board_of(world).models
    assert row.numbers == {}


def test_the_tidy_table_has_it_with_its_ends():
    world = measured()
    board = board_of(world)
    first, _ = TABLES["models"].records(BoardRecords.of(world.store, world.session, board))
    assert first["engaged"] == pytest.approx(ENGAGED["a"])
    assert [first["engaged_by_run_low"], first["engaged_by_run_high"]] == [
        *board.models[0].numbers["engaged"].interval_by_run
    ]


@pytest.mark.parametrize(("mark", "answer"), [(30, "passed"), (99.9, "failed")])
@pytest.mark.parametrize("kind", ["min_engaged", "min_component"])
def test_a_gate_decides_by_its_interval(kind, mark, answer):
    world = World(planned("a", runs=2).model_copy(update={"edition": WITH_ENGAGED}))
    world.know("a", "a")
    for run in (1, 2):
        world.run("a", run)
    asked = criterion(kind, mark, "engaged" if kind == "min_component" else None)
    model = Looking(world, (asked,)).one()
    assert (model.criteria[0].estimate, model.answer) == (pytest.approx(ENGAGED["a"]), answer)


def test_a_gate_on_an_edition_without_it_says_so():
    with pytest.raises(BadInput, match="has no Engaged; ask for --min-index"):
        check_criterion(criterion("min_engaged", 50), EDITION, index_numbers(EDITION))


def test_a_comparison_has_its_difference_with_intervals_and_shows_it_above_the_components():
    world = measured()
    found = compared(world)
    (row,) = found.numbers
    assert (row.name, row.first, row.second) == ("engaged", pytest.approx(ENGAGED["a"]), pytest.approx(ENGAGED["b"]))
    for basis in (row.by_run, row.by_scenario):
        assert basis.low <= basis.estimate <= basis.high
        assert basis.estimate == pytest.approx(ENGAGED["a"] - ENGAGED["b"])
    text = index_parts(found).text()
    assert 0 < text.index("engaged /100") < text.index("likeness /10")
    assert compared(measured(EDITION)).numbers == []


def test_one_more_number_beside_the_index_costs_one_declaration(monkeypatch):
    calm = BesideIndex(
        "Calm",
        "0 to 100: what is resisted.",
        lambda models: [sample for each in models if (sample := each.component_sample("resistance")) is not None],
        lambda edition: "resistance" in edition.components,
    )
    monkeypatch.setitem(BESIDE_INDEX, "calm", calm)
    world = measured()
    board = board_of(world)
    assert [row.number("calm") for row in board.models] == pytest.approx([90.0, 90.0])
    assert "engaged  calm" in " ".join(leaderboard_text(board, 120).splitlines()[2:3])
    for page in (leaderboard_markdown(board), details_text(board)):
        assert "Calm, 95 % by run" in page
    assert "**Calm**: 0 to 100" in leaderboard_markdown(board)
    check_criterion(criterion("min_component", 50, "calm"), WITH_ENGAGED, index_numbers(WITH_ENGAGED))
    assert [row.name for row in compared(world).numbers] == ["engaged", "calm"]
