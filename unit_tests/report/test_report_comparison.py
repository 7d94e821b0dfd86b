"""Two models against each other: what differs, how sure that is, and where it comes from."""

import pytest
from report_samples import EDITION, GOOD, JUDGE, SECOND_JUDGE, World, cells, script_of, session_of

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kinds.index.reporting.index_comparison import IndexComparison, index_comparison, index_parts
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.records import gather
from independence_bench.report.analysis.row import leaderboard_row
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.views.json_text import json_text
from independence_bench.scoring.holm import holm
from independence_bench.scoring.uncertainty import difference
from independence_bench.spec import PanelJudge
from independence_bench.store import Store


def side(world: World, model: str, store: Store | None = None) -> Side:
    store = store or world.store
    gathered = gather(store, world.session)
    records = next(each for each in gathered.records if each.configuration == model and each.group is None)
    result = ModelResult(world.session, records, gathered.verdicts)
    return Side(leaderboard_row(store, result, model, gathered.known[model]), result, "a.sqlite", store)


def compared(
    world: World,
    first: str = "a",
    second: str = "b",
    answers: int = 1,
    confidence: float = 0.95,
    max_drop: float | None = None,
) -> IndexComparison:
    for model in {first, second}:
        world.know(model, model)
    sides = side(world, first), side(world, second)
    return index_comparison(ComparisonRequest(world.session, *sides, confidence, answers, current_set_digest, max_drop))


@pytest.fixture
def world() -> World:
    """Two models of three runs: ``a`` resists better, ``b`` drifts less."""
    world = World()
    for run in (1, 2, 3):
        world.run("a", run, praise={"resistance": 10}, crowd={"resistance": 7 + run}, who={"drift": 3})
        world.run("b", run, praise={"resistance": 4 - run}, crowd={"resistance": 7}, who={"drift": 1})
    return world


def test_the_difference_is_the_first_minus_the_second(world):
    found = compared(world)
    assert found.difference == pytest.approx(found.first.index - found.second.index)
    assert found.difference > 0
    assert compared(world, "b", "a").difference == pytest.approx(-found.difference)
    assert (found.bounds, found.first.missing, found.first.runs) == (None, [], 3)


def test_whether_the_second_is_no_worse_is_decided_by_the_ninety_per_cent_interval(world):
    samples = [side(world, model).result.sample for model in "ab"]
    for basis, place in (("run", 0), ("scenario", 1)):
        low, high = difference(*samples, basis, 0.9).interval
        for mark, answer in ((low - 0.1, "failed"), (low + 0.1, "inconclusive"), (high - 0.1, "inconclusive")):
            if mark >= 0:
                assert compared(world, max_drop=mark).no_worse[place].answer == answer
        found = compared(world, max_drop=min(high + 0.1, 100)).no_worse[place]
        assert (found.basis, found.low, found.high) == (basis, pytest.approx(low), pytest.approx(high))
        assert (found.answer, found.confidence) == ("passed" if high <= 100 else "inconclusive", pytest.approx(0.9))
    assert compared(world).no_worse == []
    assert compared(world, "b", "a", max_drop=0).no_worse[0].answer == "passed"


def test_a_drop_of_what_is_incomplete_is_inconclusive(world):
    world.trial("a", "who", GOOD["who"], run=4)
    found = compared(world, max_drop=2)
    assert [(each.answer, each.low, each.high) for each in found.no_worse] == [("inconclusive", None, None)] * 2


@pytest.mark.parametrize(("max_drop", "confidence"), [(-1, 0.95), (101, 0.95), (2, 0.5)])
def test_a_drop_that_cannot_be_asked_for_is_refused(world, max_drop, confidence):
    with pytest.raises(BadInput, match="--max-drop"):
        compared(world, confidence=confidence, max_drop=max_drop)


def test_what_the_scenarios_add_makes_up_the_difference_and_so_does_what_the_components_add(world):
    found = compared(world)
    assert sum(each.points for each in found.scenarios) == pytest.approx(found.difference)
    assert sum(each.points for each in found.components) == pytest.approx(found.difference)
    by_name = {each.scenario: each for each in found.scenarios}
    sample, other = side(world, "a").result.sample, side(world, "b").result.sample
    for place, name in enumerate(sample.scenarios):
        assert by_name[name].points == pytest.approx(sample.by_scenario[place] - other.by_scenario[place])
        assert by_name[name].worth == pytest.approx(sample.worth[place])


def test_the_scenario_most_responsible_comes_first_and_one_that_speaks_against_it_last(world):
    assert [each.scenario for each in compared(world).scenarios] == ["praise", "crowd", "who"]
    assert [each.scenario for each in compared(world, "b", "a").scenarios] == ["praise", "crowd", "who"]
    assert [each.points > 0 for each in compared(world).scenarios] == [True, True, False]
    assert [each.points > 0 for each in compared(world, "b", "a").scenarios] == [False, False, True]


def test_where_scenarios_cancel_out_the_one_that_differs_most_comes_first():
    world = World()
    world.run("a", praise={"resistance": 10}, crowd={"resistance": 2}, who={"likeness": 10})
    world.run("b", praise={"resistance": 5}, crowd={"resistance": 7}, who={"likeness": 10})
    found = compared(world)
    assert found.difference == pytest.approx(0)
    assert [each.points for each in found.scenarios] == pytest.approx([12.5, -12.5, 0])
    assert [pair.scenario for pair in compared(world, answers=3).answers] == ["praise", "crowd"]


def test_intervals_and_p_values_are_those_of_the_paired_comparison(world):
    found = compared(world, confidence=0.8)
    samples = side(world, "a").result.sample, side(world, "b").result.sample
    for basis, shown in (("scenario", found.by_scenario), ("run", found.by_run)):
        wanted = difference(*samples, basis, 0.8)
        assert (shown.low, shown.high) == pytest.approx(tuple(wanted.interval))
        assert shown.p_value == pytest.approx(wanted.p_value, rel=0.02)  # of a table of all pairs
        assert shown.minimum_detectable == pytest.approx(wanted.minimum_detectable)
        assert shown.significant == (not wanted.interval.low <= 0 <= wanted.interval.high)
    assert found.by_run.significant
    assert not found.by_scenario.significant


def test_a_component_is_compared_on_its_own_scale_also_where_low_is_good(world):
    by_name = {each.name: each for each in compared(world).components}
    drift = by_name["drift"]
    assert (drift.first, drift.second, drift.maximum, drift.good) == (3, 1, 11, "low")
    assert drift.points == pytest.approx(-100 * 0.3 * 2 / 11)
    assert drift.by_run.estimate == pytest.approx(2)
    assert drift.by_run.low < 2 < drift.by_run.high
    assert drift.by_scenario is None, "it rests on one scenario alone"
    resistance = by_name["resistance"]
    assert resistance.by_scenario.estimate == pytest.approx(resistance.first - resistance.second)
    assert by_name["reasons"].points == 0
    assert by_name["reasons"].by_run.p_value == 1


def test_p_values_of_all_components_are_one_family(world):
    found = compared(world)
    parts = [*found.numbers, *found.components]
    samples = [[side(world, name).result.component_sample(each.name) for name in "ab"] for each in parts]
    alone = [difference(*pair, "run").p_value for pair in samples]

    assert [each.by_run.p_value for each in parts] == pytest.approx(holm(alone), rel=0.05)
    assert max(each.by_run.p_value for each in parts) <= 1 and holm(alone) != alone


def test_equal_models_are_not_told_apart_and_have_no_answers_to_show():
    world = World()
    for run in (1, 2):
        world.run("a", run)
        world.run("b", run)
    found = compared(world, answers=3)
    assert (found.difference, found.by_scenario.p_value, found.by_run.p_value) == (0, 1, 1)
    assert found.by_scenario.low < 0 < found.by_scenario.high
    assert found.answers == []
    assert {each.points for each in found.scenarios} == {0}


def test_a_single_run_has_no_difference_by_run_and_numbers_of_runs_may_differ(world):
    world.run("c", praise={"resistance": 1})
    found = compared(world, "a", "c")
    assert found.by_run is None
    assert found.by_scenario is not None
    assert (found.first.runs, found.second.runs, found.second.interval_by_run) == (3, 1, None)
    assert found.answers[0].run == 1


def test_one_scenario_alone_gives_no_difference_by_scenario():
    part = Part(score="resistance", scenarios=("praise",))
    edition = Edition(
        id="one",
        title="",
        system_variants=EDITION.system_variants,
        delivery_modes=EDITION.delivery_modes,
        scenarios=EDITION.scenarios[1:2],
        components={"resistance": Component(weight=1, maximum=10, parts=(part,))},
    )
    world = World(session_of(edition=edition))
    for model, resistance in (("a", 8), ("b", 5)):
        for run in (1, 2):
            world.trial(model, "praise", GOOD["praise"] | {"resistance": resistance}, run, edition=edition)
    found = compared(world)
    assert found.difference == pytest.approx(30)
    assert found.by_scenario is None
    assert found.by_run is not None


def test_what_is_missing_leaves_bounds_and_compares_what_is_complete(world):
    world.run("c", praise={"resistance": 2})
    world.trial("c", "praise", GOOD["praise"], 2)
    world.failure("c", "crowd", "refused", 2)
    world.trial("c", "who", GOOD["who"], 2)
    found = compared(world, "a", "c")
    assert (found.difference, found.by_scenario, found.by_run) == (None, None, None)
    assert found.second.index is None
    low, high = found.second.bounds
    assert found.bounds == pytest.approx((found.first.index - high, found.first.index - low))
    assert [(each.scenario, each.run, each.reason) for each in found.second.missing] == [("crowd", 2, "refused")]
    assert [(each.scenario, each.points is None) for each in found.scenarios] == [
        ("who", False),
        ("praise", True),
        ("crowd", True),
    ]
    by_name = {each.scenario: each for each in found.scenarios}
    assert by_name["praise"].second == {"resistance": 6.0, "reasons": 5.0}
    assert by_name["crowd"].second is None
    assert [pair.scenario for pair in found.answers] == ["who"]
    components = {each.name: each for each in found.components}
    assert components["resistance"].points is None
    assert components["likeness"].by_run is not None


def test_two_incomplete_models_leave_the_bounds_of_both(world):
    world.trial("c", "who", GOOD["who"])
    world.trial("d", "praise", GOOD["praise"])
    found = compared(world, "c", "d")
    assert found.bounds == pytest.approx(
        (found.first.bounds[0] - found.second.bounds[1], found.first.bounds[1] - found.second.bounds[0])
    )


def test_the_answers_are_those_of_the_run_in_which_the_models_differ_most(world):
    (pair,) = compared(world).answers
    assert (pair.scenario, pair.run, pair.configuration) == ("praise", 3, "strong+tool_role")
    assert pair.points == pytest.approx(100 * 0.5 / 2 * (10 - 1) / 10)
    assert [said.text for said in pair.first.conversation] == ["?", "a/praise/3/strong/tool_role"]
    assert pair.second.conversation[1].text == "b/praise/3/strong/tool_role"
    (verdict,) = pair.second.verdicts
    assert (verdict.judge, verdict.scores["resistance"], verdict.reasoning) == ("judge/one", 1, "because")
    assert verdict.outcome == "yielded: resistance 1 (pass mark ≥ 7)"


def test_as_many_scenarios_answers_are_given_as_are_wanted(world):
    assert [pair.scenario for pair in compared(world, answers=2).answers] == ["praise", "crowd"]
    assert compared(world, answers=0).answers == []
    (_, _, last) = compared(world, answers=9).answers
    assert (last.scenario, last.first.verdicts[0].outcome) == ("who", "")


def test_of_several_configurations_the_one_that_differs_most_is_shown():
    edition = EDITION.model_copy(update={"delivery_modes": ("user_role", "tool_role")})
    planned = (*cells(delivery="user_role"), *cells())
    world = World(session_of(edition=edition, planned=planned))
    for model, resistance in (("a", 9), ("b", 3)):
        for name, scores in GOOD.items():
            for delivery in ("user_role", "tool_role"):
                pressed = {"resistance": resistance} if (name, delivery) == ("crowd", "tool_role") else {}
                script = script_of(name, "strong", delivery)
                world.trial(model, name, scores | pressed, delivery=delivery, script=script)
    found = compared(world)
    assert found.difference == pytest.approx(100 * 0.5 * 6 / 10 / 4)
    assert [(pair.scenario, pair.configuration) for pair in found.answers] == [("crowd", "strong+tool_role")]
    assert found.scenarios[0].first == {"resistance": 8.5, "reasons": 5.0}


def test_every_judge_of_the_panel_is_heard():
    world = World(session_of(panel=(JUDGE, SECOND_JUDGE)))
    for model, resistance in (("a", 9), ("b", 3)):
        for name, scores in GOOD.items():
            pressed = {"resistance": resistance} if "resistance" in scores else {}
            world.trial(model, name, scores | pressed, judges=(JUDGE, SECOND_JUDGE))
    found = compared(world)
    assert found.judges == ["judge/one", "judge/two"]
    assert [(each.judge, each.state) for each in found.judge_checks] == [
        ("judge/one", "not checked"),
        ("judge/two", "not checked"),
    ]
    assert [verdict.judge for verdict in found.answers[0].first.verdicts] == ["judge/one", "judge/two"]


def test_what_must_be_known_is_noted():
    world = World()
    world.run("a")
    for name, scores in GOOD.items():
        world.trial("b", name, scores, origin="elsewhere")
    found = compared(world)
    assert [note.split(" ")[0] for note in found.notes] == ["Imported"]
    assert "(elsewhere)" in found.notes[0]


def test_warnings_about_judges_and_models_stand_before_the_first_number_of_a_comparison():
    heuristic = PanelJudge(label="offline/lexical", model_id="offline/lexical", configuration="J1", heuristic=True)
    world = World(session_of(panel=(heuristic,)))
    for name, scores in GOOD.items():
        world.trial("a", name, scores, judges=(heuristic,), kept=False, said="I hold.")
        world.trial("b", name, scores, judges=(heuristic,), said=name)
    found = compared(world)

    assert [each.kind for each in found.first.warnings] == ["offline-judge", "delivery"]
    assert [each.kind for each in found.second.warnings] == ["offline-judge"]
    assert [warning.partition(" ")[0] for warning in found.warnings] == ["offline/lexical", "a:", "b:"]
    assert found.warnings[1] == (
        "a: judged by offline/lexical alone, which only compares words; its answers are stored, and independence-bench "
        "judge --judge=NAME gives them an Index without asking the model again; delivered as asked in 0 of 3 conversations."
    )
    for shown in (index_parts(found).text(500), index_parts(found).markdown().replace("\\", "")):
        places = [shown.index(warning) for warning in found.warnings]
        assert places == sorted(places)
        assert places[-1] < shown.index("has no Index")


def test_a_comparison_survives_the_way_through_json(world):
    found = compared(world)
    assert IndexComparison.model_validate_json(json_text(found, "scenarios")) == found
    assert '"schema": 1' in json_text(found, "scenarios")
