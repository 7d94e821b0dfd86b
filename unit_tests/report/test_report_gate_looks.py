"""What a look may decide follows from the looks before it, and from the end that the first look planned."""

import pytest
from gate_samples import Looking, criterion, measured, planned

from independence_bench.report.gate.look_history import LookHistory, first_confidence
from independence_bench.scoring.uncertainty import Spending
from independence_bench.scoring.uncertainty.spending import look_levels
from independence_bench.store import Look


def history(*runs: int, declared: int | None = None, by_run: bool = True) -> LookHistory:
    """Looks at these runs, one after another; only what the first ``declared`` counts."""
    looks = [
        Look(subject="G", runs=each, at=float(place), body={"max_runs": 99 if place else declared})
        for place, each in enumerate(runs)
    ]
    return LookHistory(looks, 0.95, by_run)


def confidences(of: LookHistory) -> list[float | None]:
    return [of.confidence(place) for place in range(1, len(of.looks) + 1)]


@pytest.mark.parametrize("declared", [None, 3, 5], ids=["nothing", "fewer runs", "the same runs"])
def test_one_look_is_judged_at_the_confidence_that_was_asked_for(declared):
    one = history(5, declared=declared)

    assert (one.confidence(1), one.planned) == (pytest.approx(0.95), None)
    assert not one.is_extra(1)
    assert first_confidence(0.95, 5, declared) == pytest.approx(0.95)


def test_a_look_that_was_not_declared_is_charged_with_what_the_first_left():
    extra = history(5, 10)

    assert extra.is_extra(2)
    assert confidences(extra) == pytest.approx([0.95, 1 - 2 * look_levels(Spending(0.05, first=5), [5, 10])[0][1]])
    assert 0.97 < extra.confidence(2) < 0.975


def test_each_declared_look_is_judged_at_the_level_that_its_runs_and_the_looks_before_it_leave():
    levels = look_levels(Spending.of(0.95, 3, 20), [3, 5, 8])[0]

    found = history(3, 5, 8, declared=20)

    assert confidences(found) == pytest.approx([1 - 2 * each for each in levels])
    assert [found.is_extra(place) for place in (1, 2, 3)] == [False] * 3
    assert first_confidence(0.95, 3, 20) == pytest.approx(found.confidence(1))


def test_a_look_at_fewer_runs_than_an_earlier_one_decides_nothing_and_costs_nothing():
    back = history(5, 8, 6, 12)

    assert back.confidence(3) is None
    assert back.idle(3) == "this look decides nothing: an earlier one has seen 8 runs, and these are 6 of them"
    assert confidences(back)[3] == history(5, 8, 12).confidence(3)


def test_past_the_declared_end_nothing_is_left():
    past = history(5, 20, 30, declared=20)

    assert [each is None for each in confidences(past)] == [False, False, True]
    assert past.idle(3).endswith("all error was spent at 20 runs, as the first look planned")
    assert past.following.confidence(40) is None


def test_an_end_that_is_declared_later_is_not_in_force():
    assert [history(5, declared=end).overrules(40) for end in (None, 20, 40)] == [True, True, False]
    assert [history(5).overrules(end) for end in (None, 3, 5)] == [False] * 3


def test_by_scenario_or_persona_nothing_is_declared_and_a_first_look_is_as_sure_as_promised():
    other = [history(runs, declared=20, by_run=False) for runs in (1, 5)]

    assert [each.confidence(1) for each in other] == pytest.approx([0.95, 0.95])
    assert [each.planned for each in other] == [None, None]


# --- in a gate --------------------------------------------------------------------------------------------------------


def test_a_later_max_runs_does_not_change_how_the_error_is_spent_and_is_noted():
    gate = Looking(measured("a", runs=9), (criterion(mark=95.5),), {"max_runs": 12})
    gate.look(planned("a", runs=5))
    gate.options = {"max_runs": 40}

    result = gate.look(planned("a", runs=9))

    (model,) = result.models
    assert (model.max_runs, model.look) == (12, 2)
    assert model.confidence == pytest.approx(1 - 2 * look_levels(Spending.of(0.95, 5, 12), [5, 9])[0][1])
    assert [note for note in result.notes if note.startswith("a: ")] == [
        "a: the first look planned an end at 12 runs, and that stays in force; --max-runs=40 does not change how the "
        "error is spent"
    ]


def test_a_look_that_may_decide_nothing_is_inconclusive_and_says_so_in_one_sentence():
    gate = Looking(measured("a", runs=9), (criterion(mark=10.0),))
    gate.look(planned("a", runs=9))

    model = gate.one(planned("a", runs=5))

    assert (model.answer, model.look) == ("inconclusive", 2)
    assert model.criteria[0].estimate is not None
    assert model.criteria[0].reason.startswith("this look decides nothing: an earlier one has seen 9 runs")
    assert gate.one(planned("a", runs=9)).answer == "passed"


def test_runs_to_decide_never_exceed_the_planned_end():
    found = {most: Looking(measured("a"), (criterion(mark=91.0),), {"max_runs": most}).one() for most in (6, None)}

    assert found[6].criteria[0].runs_to_decide is None
    assert "the 6 runs that are planned will probably not decide" in found[6].criteria[0].reason
    assert found[None].criteria[0].runs_to_decide > 6
