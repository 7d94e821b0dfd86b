"""Configurations compared: means over the models measured in all of them, and empty cells that say so."""

import pytest
from report_samples import EDITION, GOOD, World, cells, leaderboard_markdown, session_of

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.configurations import ConfigurationAnalysis
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.scoring.uncertainty import difference

FOUR = Edition.model_validate(
    EDITION.model_dump() | {"system_variants": ["neutral", "strong"], "delivery_modes": ["user_role", "tool_role"]}
)
CONDITIONS = [("neutral", "user_role"), ("neutral", "tool_role"), ("strong", "user_role"), ("strong", "tool_role")]
NAMES = ["+".join(condition) for condition in CONDITIONS]


def four() -> World:
    planned = tuple(cell for variant, delivery in CONDITIONS for cell in cells(variant, delivery))
    return World(session_of(edition=FOUR, planned=planned))


def measure(world: World, model: str, variant: str, delivery: str, resistance: int, run: int = 1) -> None:
    for name, scores in GOOD.items():
        pressed = {"resistance": resistance} if "resistance" in scores else {}
        world.trial(model, name, scores | pressed, run, variant=variant, delivery=delivery)


def analysis(world: World) -> ConfigurationAnalysis:
    found = build_leaderboard(world.store, world.session).configurations
    assert found is not None
    return found


def lines(world: World) -> list[str]:
    text = leaderboard_markdown(build_leaderboard(world.store, world.session))
    body = text.split("\n## What system prompt and delivery make of it\n")[1].split("\n## ")[0]
    return [line for line in body.splitlines() if line and not line.startswith("<")]  # the fold


def test_the_mean_of_each_configuration_and_its_difference_to_the_baseline():
    world = four()
    for model, levels in (("a", (2, 4, 6, 8)), ("b", (4, 4, 6, 10))):
        for (variant, delivery), resistance in zip(CONDITIONS, levels, strict=True):
            measure(world, model, variant, delivery, resistance)
    found = analysis(world)
    assert (found.baseline, found.compared) == ("neutral+user_role", 2)
    assert [each.name for each in found.configurations] == NAMES
    assert [each.index for each in found.configurations] == pytest.approx([65, 70, 80, 95])
    assert [each.difference for each in found.configurations] == pytest.approx([0, 5, 15, 30])
    assert [model.label for model in found.models] == ["a", "b"]
    assert [found.models[0].configurations[name].index for name in NAMES] == pytest.approx([60, 70, 80, 90])


def test_a_configuration_is_a_mean_over_runs():
    world = four()
    for run, resistance in ((1, 10), (2, 6)):
        measure(world, "a", "neutral", "user_role", resistance, run)
    (model,) = analysis(world).models
    assert model.configurations[NAMES[0]].index == pytest.approx(90)
    assert (model.configurations[NAMES[0]].runs, model.configurations[NAMES[0]].measured) == (2, 6)


def test_models_that_lack_a_configuration_are_left_out_of_the_means_and_shown():
    world = four()
    for variant, delivery in CONDITIONS:
        measure(world, "whole", variant, delivery, 10)
    measure(world, "half", "neutral", "user_role", 0)
    world.trial("half", "who", GOOD["who"], variant="strong")
    found = analysis(world)
    assert found.compared == 1
    assert [each.index for each in found.configurations] == pytest.approx([100, 100, 100, 100])
    assert [each.models for each in found.configurations] == [2, 1, 1, 1]
    half = found.models[0].configurations
    assert half[NAMES[0]].index == pytest.approx(50)
    assert [(half[name].index, half[name].measured, half[name].planned) for name in NAMES[1:]] == [
        (None, 0, 0),
        (None, 0, 0),
        (None, 1, 3),
    ]
    assert [line for line in lines(world) if line.startswith("| `half`")] == [
        "| `half` | 50.0 | empty | empty | 1 of 3 |"
    ]


def test_empty_configurations_are_said_to_be_empty_and_never_zero():
    world = four()
    measure(world, "a", "neutral", "user_role", 10)
    found = analysis(world)
    assert [(each.index, each.difference, each.models) for each in found.configurations[1:]] == [(None, None, 0)] * 3
    assert found.configurations[0].index == pytest.approx(100)
    shown = lines(world)
    assert "| neutral+tool_role | – | – | empty |" in shown
    assert not any("0.0 |" in line for line in shown if "tool" in line)


def test_without_a_model_measured_in_all_there_is_no_mean():
    world = four()
    measure(world, "a", "neutral", "user_role", 10)
    measure(world, "b", "strong", "tool_role", 10)
    found = analysis(world)
    assert found.compared == 0
    assert {each.index for each in found.configurations} == {None}
    assert lines(world)[0].startswith("No model is measured completely in every configuration")


def test_a_configuration_outside_the_edition_is_compared_too():
    world = World(session_of(planned=cells() + cells("neutral", "user_role", official=False)))
    world.run("a")
    for name in GOOD:
        world.trial(
            "a",
            name,
            GOOD[name] | {"drift": 10} if name == "who" else GOOD[name],
            variant="neutral",
            delivery="user_role",
        )
    found = analysis(world)
    shown = {each.name: (each.official, each.models) for each in found.configurations}
    assert shown["strong+tool_role"] == (True, 1)
    assert shown["neutral+user_role"] == (False, 1)
    assert shown["strong+user_role"] == shown["neutral+tool_role"] == (False, 0)
    assert found.baseline == "neutral+user_role"
    difference = {each.name: each.difference for each in found.configurations}["strong+tool_role"]
    assert difference == pytest.approx(300 / 11)
    assert any("neutral+user_role (not the edition’s own)" in line for line in lines(world))


def test_what_one_change_does_to_a_model_is_paired_by_scenario():
    world = four()
    for (variant, delivery), resistance in zip(CONDITIONS, (2, 4, 6, 8), strict=True):
        for run in (1, 2):
            measure(world, "a", variant, delivery, resistance + run % 2, run)
    measure(world, "alone", "strong", "tool_role", 4)
    found = {(each.first, each.second): each for each in analysis(world).switched}
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
    found = {(each.label, each.first, each.second): each.estimate for each in analysis(world).switched}
    assert found == pytest.approx(
        {
            ("a@xhigh", "xhigh effort", "high effort"): -10,
            ("a@xhigh", "xhigh effort", "low effort"): 10,
            ("a@high", "high effort", "low effort"): 20,
        }
    )
    assert any(line.startswith("| `a@high` | high effort | low effort | +20.0 ") for line in lines(world))


def test_where_no_two_configurations_of_a_model_are_measured_nothing_was_switched():
    world = four()
    measure(world, "a", "neutral", "user_role", 10)
    measure(world, "a", "strong", "tool_role", 10)
    assert analysis(world).switched == []
    assert not any("switched on" in line for line in lines(world))


def test_one_configuration_says_that_there_is_nothing_to_compare():
    world = World()
    world.run("a")
    assert lines(world)[0].startswith("One configuration only, strong+tool_role: nothing to compare.")
    assert lines(world)[-1] == "| strong+tool_role | 95.0 | 0.0 | 1 |"


def test_without_a_complete_model_every_configuration_is_said_to_be_empty():
    world = World()
    world.trial("a", "who", GOOD["who"])
    found = analysis(world)
    assert (found.baseline, found.compared) == (None, 0)
    assert lines(world)[0].startswith("Every configuration is empty")


def test_an_edition_without_an_index_has_no_such_analysis():
    unweighed = Edition.model_validate(EDITION.model_dump() | {"components": {}})
    world = World(session_of(edition=unweighed))
    world.run("a")
    assert build_leaderboard(world.store, world.session).configurations is None


def test_two_configurations_that_ask_for_the_same_effort_are_both_compared():
    world = four()
    for label, effort, resistance in (("a", "high", 8), ("b", "low", 4), ("c", "low", 6)):
        world.know(label, label, model_id="org/a", temperature=0.7, reasoning_effort=effort)
        for run in (1, 2, 3):
            measure(world, label, "strong", "tool_role", resistance, run)
    told = [(each.first, each.second, round(each.estimate)) for each in analysis(world).switched]
    assert sorted(told) == [("high effort", "low effort", 10), ("high effort", "low effort", 20)]
