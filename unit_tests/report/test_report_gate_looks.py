"""What a look may decide follows from the looks before it, and from the end that the first look planned."""

import pytest
from gate_samples import Looking, criterion, measured, planned

from independence_bench.report.gate.gate_text import gate_text
from independence_bench.report.gate.look_history import LookHistory
from independence_bench.scoring.uncertainty import Spending
from independence_bench.scoring.uncertainty.spending import looked
from independence_bench.store import Look


def history(*runs: int, first: dict | None = None, max_runs: int | None = None) -> LookHistory:
    """Looks at these runs, one after another; ``first`` is what the first remembers."""
    looks = [
        Look(subject="G", runs=each, at=float(place), body=(first or {}) if not place else {"max_runs": 99})
        for place, each in enumerate(runs)
    ]
    return LookHistory(looks, 0.95, max_runs)


def confidences(of: LookHistory) -> list[float | None]:
    return [of.confidence(place) for place in range(1, len(of.looks) + 1)]


def test_each_look_is_judged_at_the_level_that_its_runs_and_the_looks_before_it_leave():
    levels = looked(Spending.by_run(0.95, 20), [3, 5, 8])[0]

    assert confidences(history(3, 5, 8, first={"max_runs": 20})) == pytest.approx([1 - 2 * each for each in levels])
    assert confidences(history(3, first={"max_runs": 20})) == pytest.approx([1 - 2 * levels[0]])


def test_a_look_at_fewer_runs_than_an_earlier_one_decides_nothing_and_costs_nothing():
    back = history(5, 8, 6, 12)

    assert back.confidence(3) is None
    assert back.idle(3) == "this look decides nothing: an earlier one has seen 8 runs, and these are 6 of them"
    assert confidences(back)[3] == history(5, 8, 12).confidence(3)


def test_past_the_planned_end_nothing_is_left():
    past = history(5, 20, 30, first={"max_runs": 20})

    assert [each is None for each in confidences(past)] == [False, False, True]
    assert past.idle(3).endswith("all error was spent at 20 runs, as the first look planned")
    assert (past.spent, past.cost(None)) == (1.0, None)


@pytest.mark.parametrize("first", [{}, {"max_runs": None}, {"confidence": 0.95}], ids=["empty", "none", "other keys"])
def test_a_first_look_that_remembers_no_end_has_planned_none(first):
    found = history(5, 8, first=first, max_runs=20)

    assert found.planned is None
    assert confidences(found) == pytest.approx(
        [1 - 2 * each for each in looked(Spending.by_run(0.95, None), [5, 8])[0]]
    )


def test_the_end_that_the_criteria_name_is_in_force_only_before_the_first_look():
    assert history(max_runs=20).planned == 20
    assert history(5, first={"max_runs": 10}, max_runs=20).planned == 10


def test_what_is_spent_and_what_the_next_look_costs_adds_up():
    found = history(5, first={"max_runs": 20})
    cost = found.cost(20)

    assert found.spent == pytest.approx(5 / 20)
    assert (cost.runs, cost.costs) == (20, pytest.approx(1 - found.spent))
    assert cost.confidence == history(5, 20, first={"max_runs": 20}).confidence(2)
    assert found.cost(None).runs == 6


def test_by_scenario_or_persona_a_first_look_is_as_sure_as_promised_whatever_its_runs():
    other = [LookHistory(history(runs).looks, 0.95, 20, by_run=False) for runs in (1, 5)]

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
    assert model.confidence == pytest.approx(1 - 2 * looked(Spending.by_run(0.95, 12), [5, 9])[0][1])
    assert [note for note in result.notes if note.startswith("a: ")] == [
        "a: the first look planned an end at 12 runs, and that stays in force; --max-runs=40 does not change how the "
        "error is spent"
    ]


def test_a_look_that_may_decide_nothing_is_inconclusive_and_says_so_in_one_sentence():
    gate = Looking(measured("a", runs=9), (criterion(mark=10.0),))
    gate.look(planned("a", runs=9))

    model = gate.one(planned("a", runs=5))

    assert (model.answer, model.look, model.next_look.runs) == ("inconclusive", 2, 10)
    assert model.criteria[0].estimate is not None
    assert model.criteria[0].reason.startswith("this look decides nothing: an earlier one has seen 9 runs")
    assert gate.one(planned("a", runs=9)).answer == "passed"


def test_a_gate_says_what_is_spent_and_what_the_next_look_costs():
    gate = Looking(measured("a", runs=9), (criterion(mark=91.0),), {"max_runs": 20})

    result = gate.look(planned("a", runs=5))

    (model,) = result.models
    assert (model.max_runs, model.spent) == (20, pytest.approx(5 / 20))
    assert model.next_look.runs == model.criteria[0].runs_to_decide <= 20
    told = " ".join(gate_text(result).split())
    assert "all looks together pass a model at the mark in at most 5 % of all cases" in told
    assert f"25 % of the error that may be spent is spent; a look at {model.next_look.runs} runs would cost" in told
    assert "looks are planned up to 20 runs" in told


def test_runs_to_decide_never_exceed_the_planned_end():
    found = {most: Looking(measured("a"), (criterion(mark=91.0),), {"max_runs": most}).one() for most in (6, None)}

    assert found[6].criteria[0].runs_to_decide is None
    assert "the 6 runs that are planned will probably not decide" in found[6].criteria[0].reason
    assert found[None].criteria[0].runs_to_decide > 6


@pytest.mark.parametrize("mark, answer", [(40.0, "passed"), (92.0, "inconclusive"), (100.0, "failed")])
def test_a_question_answers_as_its_interval_lies(mark, answer):
    assert Looking(measured("a"), (criterion(mark=mark),)).one().criteria[0].answer == answer
