"""A baseline measured in the same session, runs over several dates, and what a gate can decide before it asks."""

from itertools import count

import pytest
from gate_samples import Looking, criterion, measured, planned
from report_samples import EDITION, GOOD, World

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.kinds.edition_files import load_edition
from independence_bench.kinds.index.reporting.feasibility import feasible, runs_to_pass
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.gate.criteria import Criteria
from independence_bench.scoring.uncertainty.known_models import ORDINARY, published_models
from independence_bench.scoring.uncertainty.planning import PlannedModels, comparisons

DAY = 86_400.0
DROP = (criterion("max_drop", 50.0),)
NOW = {"baseline_now": "old", "sources": {"baseline_now": "--baseline-now"}}
V2 = load_edition("v2")


def dated(world: World, model: str, days: tuple[int, ...], shift: tuple[int, ...] | None = None) -> None:
    """Measure a model, each run on a date; all scenarios of a date may go worse together."""
    world.know(model, model)
    for run, day in enumerate(days, 1):
        world.seconds = count(int(1000 * DAY + day * DAY + 100 * run))
        down = shift[run - 1] if shift else run % 2
        points = {"resistance": 9 - down}
        world.run(model, run, crowd=points, praise=points)


def test_the_baseline_of_a_session_is_compared_with_and_not_decided_on():
    gate = Looking(measured("old", "new"), DROP, NOW)

    result = gate.look()

    (model,) = result.models
    assert (model.label, model.answer, model.baseline.label, result.baseline) == ("new", "passed", "old", "old")
    assert model.criteria[0].estimate == 0.0
    assert not [note for note in result.notes if "side by side" in note]


def test_a_baseline_whose_trials_are_missing_leaves_the_model_inconclusive():
    world = measured("new", session=planned("old", "new"))

    (model,) = Looking(world, DROP, NOW).look().models

    assert (model.answer, model.look) == ("inconclusive", None)
    assert model.criteria[0].reason == "not all trials of the baseline old are measured"


def test_a_doubtful_baseline_of_the_session_is_told_and_leaves_the_drop_open():
    world = measured("new", session=planned("old", "new"))
    for run in range(1, 6):
        for name, scores in GOOD.items():
            world.trial("old", name, scores, run, kept=False)

    result = Looking(world, DROP, NOW).look()

    (model,) = result.models
    assert (model.answer, result.not_accepted, model.look) == ("inconclusive", ["delivery"], None)
    assert "new's baseline old: delivered as asked in 0 of 15 conversations." in result.notes


def test_a_stored_baseline_of_another_date_is_not_side_by_side_and_the_gate_says_so():
    world = World(planned("old", "new"))
    dated(world, "old", (0,) * 5)
    dated(world, "new", (7,) * 5)

    (note,) = [note for note in Looking(world, DROP, NOW).look().notes if "side by side" in note]

    assert note.startswith("old was measured on 1972-09-27, not side by side with new: stored answers are never")


@pytest.mark.parametrize(
    "models, now, told",
    [
        ("ab", "c", "--baseline-now=c: the session asks no such model; "),
        ("a", "a", "--baseline-now=a: there is no other model to compare; add --model=CANDIDATE"),
    ],
)
def test_a_baseline_that_the_session_does_not_ask_beside_others_is_refused(models, now, told):
    with pytest.raises(BadInput) as refused:
        Looking(measured(*models), DROP, {"baseline_now": now}).look()
    assert str(refused.value).startswith(told)


def gated_over_days(days: tuple[int, ...], shift: tuple[int, ...], over_days: bool):
    world = World(planned("a", runs=len(days)))
    dated(world, "a", days, shift)
    return Looking(world, (criterion(mark=70.0),), {"runs_over_days": over_days}).one()


def test_dates_are_the_clusters_once_there_are_three():
    days, shift = (0, 0, 1, 1, 2, 2, 3, 3), (0, 0, 2, 2, 1, 1, 3, 3)

    plain, clusters = (gated_over_days(days, shift, over) for over in (False, True))

    width = [model.criteria[0].interval[1] - model.criteria[0].interval[0] for model in (plain, clusters)]
    assert width[1] > 1.2 * width[0]
    assert (plain.days, clusters.days) == (None, "its 4 dates are the clusters of the interval")


def test_below_three_dates_the_interval_stays_and_one_sentence_says_what_it_holds_for():
    plain, two = (gated_over_days((0, 0, 0, 1, 1), (0, 1, 0, 1, 0), over) for over in (False, True))

    assert two.criteria == plain.criteria
    assert two.days == "this holds for the day of the measurement: --runs-over-days needs 3 dates, and there is 2"


def told(*asked, runs: int, baseline=None, edition: Edition = V2, **options: object) -> list[str]:
    criteria = Criteria(asked, **{"interval": "run", "confidence": 0.95} | options)
    return list(feasible(criteria, edition, runs, baseline))


def test_what_the_runs_can_decide_is_said_beforehand():
    assert told(criterion("max_drop", 3.0), runs=5) == [
        "5 runs against a baseline of 5 (± 5.3): passes from an estimated gain of 2.3, fails from an estimated drop of "
        "8.3; for a drop of 3 ask 29 runs of both, or accept a drop of 8"
    ]
    assert told(criterion(mark=85.0), runs=5) == [
        "5 runs (± 4.0): Index ≥ 85 passes from an estimate of 89.0, fails below 81.0"
    ]
    assert told(criterion("max_drop", 8.0), runs=5)[0].endswith("an unchanged model passes in 84 % of cases")


def test_a_forecast_says_whose_spread_it_expects_unless_models_are_known_in_these_scenarios():
    world = measured("a", resistance=(1, 9, 2, 8, 5))
    baseline = ranked_models(world.store, world.session).entries[0].result.sample

    first, second = (
        told(criterion("max_drop", 8.0), runs=5, edition=EDITION, baseline=each)[0] for each in (None, baseline)
    )

    assert " if it varies as models in other scenarios): passes " in first
    assert " if it varies as the baseline): passes " in second


def test_declared_looks_reach_less_far_and_a_single_run_decides_nothing():
    assert "(± 8." in told(criterion("max_drop", 3.0), runs=5, max_runs=20)[0]
    assert "a single run has no interval by run" in told(criterion(mark=85.0), runs=1)[0]
    assert told(criterion(mark=85.0), runs=5, interval="scenario") == []


def test_of_runs_for_a_drop_four_of_five_unchanged_models_pass():
    models = PlannedModels(published_models(V2), ORDINARY, "run")

    runs = runs_to_pass(models, 3.0)

    assert comparisons(models, 0.0, runs).power(3.0) == pytest.approx(0.8, abs=0.03)
    assert comparisons(models, 0.0, runs // 2).power(3.0) < 0.6


def test_what_a_baseline_of_one_run_leaves_open_is_said_of_the_drop_alone():
    one = World(planned("a", runs=1))
    one.graded_run("a", 1, who=5, praise=5, crowd=5)
    baseline = ranked_models(one.store, one.session).entries[0].result.sample
    asked = (criterion(mark=50.0), criterion("max_drop", 5.0))
    index, drop = told(*asked, runs=5, baseline=baseline)
    assert index.startswith("5 runs (± ")
    assert drop == "5 runs against a baseline of 1: it has no interval by run, so drop ≤ 5 is not decided"
    assert told(*asked, runs=1) == ["1 run: a single run has no interval by run, so nothing is decided; ask --runs=5"]
