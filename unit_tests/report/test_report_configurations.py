"""Configurations of one model that differ in one thing, compared by scenario."""

import pytest
from report_samples import EDITION, GOOD, World, board_of, cells, leaderboard_markdown, session_of

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.configurations import ConfigurationDifference
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.scoring.uncertainty import difference

FOUR = Edition.model_validate(
    EDITION.model_dump() | {"system_variants": ["neutral", "strong"], "delivery_modes": ["user_role", "tool_role"]}
)
CONDITIONS = [("neutral", "user_role"), ("neutral", "tool_role"), ("strong", "user_role"), ("strong", "tool_role")]


def four() -> World:
    planned = tuple(cell for variant, delivery in CONDITIONS for cell in cells(variant, delivery))
    return World(session_of(edition=FOUR, planned=planned))


def measure(world: World, model: str, variant: str, delivery: str, resistance: int, run: int = 1) -> None:
    for name, scores in GOOD.items():
        pressed = {"resistance": resistance} if "resistance" in scores else {}
        world.trial(model, name, scores | pressed, run, variant=variant, delivery=delivery)


def analysis(world: World) -> list[ConfigurationDifference]:
    return board_of(world).configurations


def lines(world: World) -> list[str]:
    text = leaderboard_markdown(board_of(world))
    body = text.split("\n## What system prompt and delivery make of it\n")[1].split("\n## ")[0]
    return [line for line in body.splitlines() if line and not line.startswith("<")]  # the fold


def test_a_configuration_outside_the_edition_is_compared_too():
    world = World(session_of(planned=cells() + cells("neutral", official=False)))
    world.run("a")
    for name in GOOD:
        world.trial("a", name, GOOD[name] | ({"drift": 10} if name == "who" else {}), variant="neutral")
    (found,) = analysis(world)
    assert (found.first, found.second) == ("strong+tool_role", "neutral+tool_role")
    assert found.estimate == pytest.approx(300 / 11)


def test_a_configuration_that_is_not_measured_whole_is_not_compared():
    world = four()
    measure(world, "a", "neutral", "user_role", 10)
    world.trial("a", "who", GOOD["who"], variant="strong", delivery="user_role")
    assert analysis(world) == []


def test_what_one_change_does_to_a_model_is_paired_by_scenario():
    world = four()
    for (variant, delivery), resistance in zip(CONDITIONS, (2, 4, 6, 8), strict=True):
        for run in (1, 2):
            measure(world, "a", variant, delivery, resistance + run % 2, run)
    measure(world, "alone", "strong", "tool_role", 4)
    found = {(each.first, each.second): each for each in analysis(world)}
    assert {each.label for each in found.values()} == {"a"}
    assert {pair: each.estimate for pair, each in found.items()} == pytest.approx(
        {
            ("strong+tool_role", "strong+user_role"): 10,
            ("strong+tool_role", "neutral+tool_role"): 20,
            ("strong+user_role", "neutral+user_role"): 20,
            ("neutral+tool_role", "neutral+user_role"): 10,
        }
    )
    pair = found["strong+tool_role", "neutral+tool_role"]
    apart = World()
    for model, resistance in (("on", 8), ("off", 4)):
        for run in (1, 2):
            measure(apart, model, "strong", "tool_role", resistance + run % 2, run)
    on, off = (each.result.sample for each in ranked_models(apart.store, apart.session).entries)
    assert on and off
    expected = difference(on, off, "scenario")
    assert expected is not None
    assert pair.interval == pytest.approx(expected.interval)
    assert pair.p_value == pytest.approx(expected.p_value, rel=1e-3)
    low, high = pair.interval
    assert low < 20 < high
    assert f"| `a` | strong+tool_role | neutral+tool_role | +20.0 \\[{low:+.1f}, {high:+.1f}\\] |" in lines(world)


def test_what_more_effort_does_to_a_model_is_paired_by_scenario():
    world = World(session_of(planned=cells("strong", "tool_role")))
    for effort, resistance in (("low", 4), ("high", 8), ("xhigh", 6)):
        facts = {"temperature": 0.7, "reasoning_effort": effort}
        world.know(f"a@{effort}", f"a@{effort}", model_id="org/a", **facts)
        world.know(f"b@{effort}", f"b@{effort}", model_id="org/b", **facts | {"temperature": len(effort) / 10})
        for run in (1, 2):
            for model in ("a", "b"):
                measure(world, f"{model}@{effort}", "strong", "tool_role", resistance + run % 2, run)
    found = {(each.label, each.first, each.second): each.estimate for each in analysis(world)}
    assert found == pytest.approx(
        {
            ("a@xhigh", "xhigh effort", "high effort"): -10,
            ("a@xhigh", "xhigh effort", "low effort"): 10,
            ("a@high", "high effort", "low effort"): 20,
        }
    )
    assert any(line.startswith("| `a@high` | high effort | low effort | +20.0 ") for line in lines(world))


def test_a_model_with_several_rows_is_compared_by_effort_once():
    world = World(session_of(planned=cells() + cells("neutral", official=False)))
    for effort, resistance in (("low", 4), ("high", 8)):
        world.know(effort, effort, model_id="org/a", temperature=0.7, reasoning_effort=effort)
        for variant in ("strong", "neutral"):
            measure(world, effort, variant, "tool_role", resistance)
    by_effort = [each for each in analysis(world) if each.first == "high effort"]
    assert [each.estimate for each in by_effort] == pytest.approx([20, 20])  # one in each configuration


def test_where_no_two_configurations_of_a_model_are_measured_nothing_was_switched():
    world = four()
    measure(world, "a", "neutral", "user_role", 10)
    measure(world, "a", "strong", "tool_role", 10)
    board = board_of(world)
    assert board.configurations == []
    assert "What system prompt" not in leaderboard_markdown(board)


def test_an_edition_without_an_index_has_no_such_analysis():
    unweighed = Edition.model_validate(EDITION.model_dump() | {"components": {}})
    world = World(session_of(edition=unweighed))
    world.run("a")
    assert analysis(world) == []


def test_two_configurations_that_ask_for_the_same_effort_are_both_compared():
    world = four()
    for label, effort, resistance in (("a", "high", 8), ("b", "low", 4), ("c", "low", 6)):
        world.know(label, label, model_id="org/a", temperature=0.7, reasoning_effort=effort)
        for run in (1, 2, 3):
            measure(world, label, "strong", "tool_role", resistance, run)
    told = [(each.first, each.second, round(each.estimate)) for each in analysis(world)]
    assert sorted(told) == [("high effort", "low effort", 10), ("high effort", "low effort", 20)]
