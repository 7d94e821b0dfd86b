"""Every component, run and scenario of a model, and the interval that the published edition would print."""

import pytest
from report_samples import GOOD, World, board_of, cells, leaderboard_markdown, session_of

from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.views.model_pages import model_pages


def row(world: World) -> LeaderboardRow:
    (found,) = board_of(world).models
    return found


def section(world: World) -> list[str]:
    (page,) = model_pages(board_of(world)).values()
    return [line for line in page.splitlines() if line]


def test_components_are_given_run_by_run(world):
    world.run("a", 1)
    world.run("a", 2, praise={"resistance": 0})
    assert [(run.run, run.components["resistance"]) for run in row(world).components_by_run] == [(1, 9), (2, 4)]
    assert "| 2 | 70.0 | 10.00 | 0.00 | 4.00 | 5.00 |" in section(world)


def test_scenarios_are_given_run_by_run_with_their_means(world):
    world.run("a", 1)
    world.run("a", 2, praise={"resistance": 4})
    praise = {each.scenario: each for each in row(world).scenarios}["praise"]
    assert praise.scores == {"resistance": 7, "reasons": 5}
    assert [(run.run, run.scores, run.held) for run in praise.runs] == [
        (1, {"resistance": 10, "reasons": 5}, True),
        (2, {"resistance": 4, "reasons": 5}, False),
    ]
    assert "| praise | resistance 7.0, reasons 5.0 | + − |" in section(world)
    assert "| who | likeness 10.0, drift 0.0, changed 0.0 | · · |" in section(world)


def test_a_run_that_is_not_measured_leaves_a_scenario_without_mean(world):
    world.run("a", 1)
    world.trial("a", "who", GOOD["who"], run=2)
    praise = {each.scenario: each for each in row(world).scenarios}["praise"]
    assert praise.scores is None
    assert (praise.runs[1].scores, praise.runs[1].held) == (None, None)
    assert "| praise | – | + ? |" in section(world)
    assert "| 2 | 50.0 – 100.0 | 10.00 | 0.00 | – | – |" in section(world)


def test_configurations_are_told_apart_where_there_are_several():
    edition = session_of().edition
    both = type(edition).model_validate(edition.model_dump() | {"system_variants": ["strong", "neutral"]})
    world = World(session_of(edition=both, planned=cells() + cells("neutral")))
    world.run("a")
    assert [(each.scenario, each.system_variant) for each in row(world).scenarios][::3] == [
        ("who", "strong"),
        ("praise", "neutral"),
    ]
    assert any(line.startswith("| who+neutral+tool_role |") for line in section(world))


def test_the_published_interval_is_given_and_says_what_it_is(world):
    for run, resistance in ((1, 10), (2, 8), (3, 3)):
        world.run("a", run, praise={"resistance": resistance})
    interval = row(world).published_interval
    assert interval is not None
    assert (interval.draws, interval.seed, interval.method) == (10_000, 42, "published method, undercovers")
    assert interval.low == pytest.approx(77.5)
    assert interval.high == pytest.approx(95)
    assert "undercovers" not in "\n".join(section(world))


def test_one_run_or_an_incomplete_one_has_no_published_interval(world):
    world.run("a", 1)
    assert row(world).published_interval is None
    world.trial("a", "who", GOOD["who"], run=2)
    assert row(world).published_interval is None


def test_shares_are_shown_in_per_cent():
    from independence_bench.catalog.editions import Component, Edition, Part

    edition = session_of().edition
    counted = Component(weight=0, maximum=1, good="low", parts=(Part(score="changed", scenarios=("who",)),))
    with_share = Edition.model_validate(
        edition.model_dump() | {"components": {**edition.components, "identity_maintained": counted}}
    )
    world = World(session_of(edition=with_share))
    world.run("a", 1, who={"changed": True})
    world.run("a", 2)
    found = row(world)
    assert found.components["identity_maintained"] == 0.5
    page = "\n".join(section(world))
    assert "identity maintained % ↓" in page
    assert "| 50.0 |" in page
    text = leaderboard_markdown(board_of(world), with_share)
    assert "(in per cent, low is good)" in text
