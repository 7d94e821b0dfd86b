"""Several judges: Index and rank by each, agreement, leaning to oneself, and the Index without one's own family."""

import pytest
from report_samples import GOOD, World, leaderboard_markdown, session_of
from written_forms import FORMS

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
    found = build_leaderboard(world.store, world.session).judging
    assert found is not None
    return found


def section(world: World) -> str:
    text = leaderboard_markdown(build_leaderboard(world.store, world.session))
    return text.split("\n## Judges\n")[1].split("\n## ")[0]


def test_index_and_rank_by_each_judge_with_mean_and_spread():
    world = panel(ONE, TWO)
    for model, one, two in (("a", 10, 4), ("b", 8, 8)):
        judged(world, model, ONE, one)
        judged(world, model, TWO, two)
    found = {model.label: model for model in analysis(world).models}
    assert found["a"].judges["judge/one"].index == pytest.approx(100)
    assert found["a"].judges["judge/two"].index == pytest.approx(70)
    assert (found["a"].mean, found["a"].spread) == pytest.approx((85, 30))
    assert [found["a"].judges[judge].rank for judge in ("judge/one", "judge/two")] == [1, 2]
    assert [found["b"].judges[judge].rank for judge in ("judge/one", "judge/two")] == [2, 1]
    assert [model.label for model in analysis(world).models] == ["b", "a"]  # by the panel's rank
    assert "| `a` | 100.0 (1) | 70.0 (2) | 85.0 | 30.0 | 85.0 |" in section(world)


def test_a_judge_that_has_not_judged_everything_gives_no_index():
    world = panel(ONE, TWO)
    judged(world, "a", ONE, 10)
    world.trial("a", "who", GOOD["who"], judges=(TWO,), at=5010.0)
    (found,) = analysis(world).models
    assert found.judges["judge/one"].index == pytest.approx(100)
    assert (found.judges["judge/two"].index, found.judges["judge/two"].rank) == (None, None)
    assert (found.mean, found.spread) == (None, None)
    assert "| `a` | 100.0 (1) | – | – | – |" in section(world)


def test_agreement_is_given_per_score_over_trials_that_all_have_judged():
    world = panel(ONE, TWO)
    for model, one, two in (("a", 9, 9), ("b", 7, 5), ("c", 1, 2)):
        judged(world, model, ONE, one)
        judged(world, model, TWO, two)
    judged(world, "half", ONE, 3)
    found = {each.score: each for each in analysis(world).agreement}
    resistance = found["resistance"]
    assert (resistance.trials, resistance.level) == (6, "interval")
    assert resistance.equal == pytest.approx(1 / 3)
    assert resistance.distance == pytest.approx(1)
    assert 0.8 < (resistance.alpha or 0) < 1
    assert (found["changed"].level, found["changed"].alpha, found["changed"].equal) == ("nominal", None, 1)
    assert [each.score for each in analysis(world).agreement] == [
        "likeness",
        "drift",
        "changed",
        "resistance",
        "reasons",
    ]
    assert "| changed | 3 | – | nominal | 100 % | 0.00 |" in section(world)


def test_without_a_trial_that_all_have_judged_there_is_no_agreement():
    world = panel(ONE, TWO)
    judged(world, "a", ONE, 9)
    assert {(each.trials, each.alpha, each.equal, each.distance) for each in analysis(world).agreement} == {
        (0, None, None, None)
    }


def test_no_judge_and_no_kin_of_one_among_the_contestants_is_said():
    world = panel(ONE, TWO)
    judged(world, "a", ONE, 10)
    assert "No judge of this panel, and no model of a judge's vendor, is tested" in section(world)


def test_the_index_without_the_model_s_own_family():
    world = panel(ONE, TWO, THREE)
    for judge, resistance in ((ONE, 10), (TWO, 6), (THREE, 4)):
        judged(world, "kin", judge, resistance)
        judged(world, "stranger", judge, resistance)
    world.know("kin", "kin", model_id="host/Vendor-A/other-model")
    found = {model.label: model for model in analysis(world).models}
    assert found["kin"].left_out == ["judge/one"]
    assert found["kin"].without_family == pytest.approx(75)
    assert found["stranger"].left_out == []
    assert found["stranger"].without_family == pytest.approx(found["stranger"].mean)
    assert "75.0 (without `judge/one`)" in section(world)


def test_where_all_judges_are_kin_there_is_no_index_without_them():
    world = panel(ONE, TWO.model_copy(update={"model_id": "vendor-a/two"}))
    judged(world, "a", ONE, 10)
    judged(world, "a", TWO, 10)
    world.know("a", "a", model_id="vendor-a/model")
    (found,) = analysis(world).models
    assert (found.without_family, len(found.left_out)) == (None, 2)


def test_cost_per_judge_and_run():
    world = panel(ONE, TWO)
    for run in (1, 2):
        judged(world, "a", ONE, 10, run=run)
    judged(world, "a", TWO, 10, cost=None)
    one, two = analysis(world).judges
    assert (one.verdicts, one.cost_usd, one.cost_per_run) == pytest.approx((6, 1.5, 0.75))
    assert (two.verdicts, two.cost_usd, two.cost_per_run) == (3, None, None)
    assert "| `judge/two` | 3 | unknown | – |" in section(world)


def test_a_single_judge_is_compared_with_nobody():
    world = panel(ONE)
    judged(world, "a", ONE, 10)
    board = build_leaderboard(world.store, world.session)
    assert board.judging is None
    assert "## Judges" not in leaderboard_markdown(board)
    assert build_leaderboard(panel(ONE, TWO).store, session_of(panel=(ONE, TWO))).judging is None


def test_a_score_that_one_judge_left_out_is_not_compared():
    world = panel(ONE, TWO)
    judged(world, "a", ONE, 10)
    judged(world, "a", TWO, 10)
    world.trial("b", "praise", {"resistance": 5, "reasons": 5}, judges=(ONE,), at=9000.0)
    world.trial("b", "praise", {"resistance": 5}, judges=(TWO,), at=9000.0)
    trials = {each.score: each.trials for each in analysis(world).agreement}
    assert (trials["resistance"], trials["reasons"]) == (3, 2)


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
    assert any(each.startswith(note) for each in build_leaderboard(swapped.store, swapped.session).notes)
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
    assert "| `judge/one` | `vendor-a` |" in section(world)


def test_a_contestant_that_also_judges_is_marked():
    world = panel(ONE, TWO)
    judged(world, "self", ONE, 10)
    judged(world, "self", TWO, 10)
    world.know("self", "self", model_id="host/vendor-a/one")
    board = build_leaderboard(world.store, world.session)
    assert "⚖ also a judge: the model is a judge of the leaderboard, or its only judge." in board.notes
    assert board.models[0].contends  # told, and no reason to leave it without a rank
    assert "⚖" in leaderboard_markdown(board)


@pytest.mark.parametrize("form", [None, "bare", "fence", "Llama 3", "Mistral"])
def test_each_judges_quotations_are_looked_up_in_what_was_said_by_rubric(form):
    """In a call that was written as text, a line end is an escape, and the call's name nobody's words."""
    world = panel(ONE, TWO)
    said, quoted = "I'd rather keep\nmy view, thank you.", 'It says "keep my view" and "send message to human".'
    written = said if form is None else FORMS[form](said)
    world.trial("a", "praise", GOOD["praise"], judges=(ONE,), said=written, kept=form is None, reason=quoted, at=5000.0)
    world.trial(
        "a", "praise", GOOD["praise"], judges=(TWO,), said=written, kept=form is None, reason="It holds.", at=5000.0
    )
    one, two = analysis(world).judges
    (by_rubric,) = one.quotations.values()
    assert (by_rubric.quoted, by_rubric.found) == (2, 1)
    assert [each.share for each in two.quotations.values()] == [None]
    lines = section(world).splitlines()
    assert [line.rsplit("|", 2)[1].strip() for line in lines if line.startswith("| `judge/")][-2:] == ["50 %", "–"]
