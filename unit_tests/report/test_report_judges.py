"""Several judges: Index and rank by each, agreement, and leaning to oneself."""

import pytest
from report_samples import GOOD, World, board_of, leaderboard_markdown, section_of, session_of

from independence_bench.report.analysis.judges import JudgeAnalysis
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.spec import PanelJudge, Score

ONE = PanelJudge(label="judge/one", model_id="vendor-a/one", configuration="J1")
TWO = PanelJudge(label="judge/two", model_id="vendor-b/two", configuration="J2")
THREE = PanelJudge(label="judge/three", model_id="vendor-c/three", configuration="J3")


def panel(*judges: PanelJudge) -> World:
    return World(session_of(panel=judges))


def judged(
    world: World, model: str, judge: PanelJudge, resistance: int, cost: float | None = 0.25, run: int = 1
) -> None:
    """Let one judge score a whole run; the transcripts are the same for all judges."""
    for place, (name, scores) in enumerate(GOOD.items()):
        pressed: dict[str, Score] = {"resistance": resistance} if "resistance" in scores else {}
        world.trial(model, name, scores | pressed, run, judges=(judge,), at=5000.0 + 10 * run + place, judge_cost=cost)


def analysis(world: World) -> JudgeAnalysis:
    found = board_of(world).judging
    assert found is not None
    return found


def test_index_and_rank_by_each_judge():
    world = panel(ONE, TWO)
    for model, one, two in (("a", 10, 4), ("b", 8, 8)):
        judged(world, model, ONE, one)
        judged(world, model, TWO, two)
    found = {model.label: model for model in analysis(world).models}
    assert found["a"].judges["judge/one"].index == pytest.approx(100)
    assert found["a"].judges["judge/two"].index == pytest.approx(70)
    assert [found["a"].judges[judge].rank for judge in ("judge/one", "judge/two")] == [1, 2]
    assert [found["b"].judges[judge].rank for judge in ("judge/one", "judge/two")] == [2, 1]
    assert [model.label for model in analysis(world).models] == ["b", "a"]  # by the panel's rank


def test_a_judge_that_has_not_judged_everything_gives_no_index():
    world = panel(ONE, TWO)
    judged(world, "a", ONE, 10)
    world.trial("a", "who", GOOD["who"], judges=(TWO,), at=5010.0)
    (found,) = analysis(world).models
    assert found.judges["judge/one"].index == pytest.approx(100)
    assert (found.judges["judge/two"].index, found.judges["judge/two"].rank) == (None, None)


def test_a_single_judge_is_compared_with_nobody():
    world = panel(ONE)
    judged(world, "a", ONE, 10)
    board = board_of(world)
    assert board.judging is None
    assert "## Judges" not in leaderboard_markdown(board)
    assert build_leaderboard(panel(ONE, TWO).store, session_of(panel=(ONE, TWO))).judging is None


def test_judges_agree_by_rubric_on_points_and_on_sides():
    world = panel(ONE, TWO, THREE)
    for model, one, two, three in (("a", 9, 9, 9), ("b", 2, 2, 9), ("c", 1, 1, 1), ("d", 9, 9, 9)):
        for judge, resistance in ((ONE, one), (TWO, two), (THREE, three)):
            judged(world, model, judge, resistance)
    found = analysis(world)
    (pressed,) = (each for each in found.rubrics if each.kappa is not None)
    assert pressed.trials == 8
    # One against two: 1; each of them against three: 3 of 4 models agree, chance (1/2 · 3/4 + 1/2 · 1/4) = 1/2.
    assert pressed.kappa == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert pressed.same_side == pytest.approx(10 / 12)
    assert pressed.alpha is not None and 0 < pressed.alpha < 1
    assert len(found.rubrics) > 1  # one figure for each


def test_the_board_says_that_ranks_depend_on_the_judge():
    swapped = panel(ONE, TWO)
    for model, one, two in (("a", 10, 9), ("b", 8, 2), ("c", 6, 4)):
        judged(swapped, model, ONE, one)
        judged(swapped, model, TWO, two)
    (found,) = analysis(swapped).rankings
    assert (found.judges, found.models) == (("judge/one", "judge/two"), 3)
    assert found.tau == pytest.approx(1 / 3)
    note = (
        "Ranks depend on the judge: judge/one and judge/two alone would rank 3 models differently (Kendall's tau 0.33"
    )
    assert any(each.startswith(note) for each in board_of(swapped).notes)
    alike = panel(ONE, TWO)
    for model, resistance in (("a", 10), ("b", 4)):
        judged(alike, model, ONE, resistance)
        judged(alike, model, TWO, resistance - 2)
    assert analysis(alike).note is None


def test_a_preference_for_one_s_own_vendor_is_what_exceeds_mildness_elsewhere_with_its_interval():
    world = panel(ONE, TWO)
    for model, one, two in (("self", 10, 6), ("kin", 9, 7), ("x", 8, 7)):
        judged(world, model, ONE, one)
        judged(world, model, TWO, two)
    world.know("self", "self", model_id="vendor-a/one")
    world.know("kin", "kin", model_id="vendor-a/other")
    itself, vendor = analysis(world).own_kind
    assert (itself.judge, itself.of, vendor.of) == ("judge/one", "itself", "vendor-a")
    assert vendor.trials == 2 * itself.trials
    assert 0 < vendor.own < itself.own
    assert itself.elsewhere == vendor.elsewhere and itself.elsewhere > 0
    assert itself.interval[0] < itself.excess < itself.interval[1]
    assert "- `judge/one` gives vendor-a +" in section_of(world, "Judges")
