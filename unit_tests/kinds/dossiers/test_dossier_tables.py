"""The benchmark of edition v3 computes what its report computes; and what it promises, for few models, holds."""

import numpy as np
import pytest
from dossier_tables import (
    CUES,
    MATTERS,
    NULLS,
    answers,
    asked,
    estimates_of,
    fallen_table,
    movement,
    ordered,
    populations_of_models,
    recovered,
    strategy_table,
    wide_variances,
)

from independence_bench.kinds.dossiers.case import Case
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS, Movements
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.reporting.reason_kind import _SIMULATED_VARIANCES as PACKAGED

pytestmark = pytest.mark.external


def test_its_movement_is_that_of_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Case, "coherent", True)
    for start, stance in ((20.0, 20.0), (60.0, -60.0), (60.0, 75.0), (35.0, -90.0), (80.0, 3.0)):
        case = Case(facts=None, standard=0, option=0, start=start, stances={"bare": stance})  # type: ignore[arg-type]
        assert movement(np.array(start), np.array(stance)) == case.movement("bare")


@pytest.mark.parametrize("name", NULLS)
def test_who_answers_without_weighing_gets_nothing(name: str) -> None:
    (row,) = strategy_table({name: NULLS[name]}, 2000)
    assert abs(row["Index"]) <= 1.5 and row["SE"] <= 0.5  # type: ignore[arg-type, operator]


@pytest.mark.parametrize("name", NULLS)
def test_each_contrast_of_a_null_is_nothing_by_itself(name: str) -> None:
    """Not only the least of them, which one contrast below nothing would bring there."""
    found = Responsiveness(answers(NULLS[name], MATTERS, 2000, np.random.default_rng(8)))
    assert [found.contrasts[each].estimate for each in CONTRASTS] == pytest.approx([0.0] * len(CONTRASTS), abs=0.015)


@pytest.mark.parametrize("name", CUES)
def test_who_follows_a_cue_gets_no_more_than_nothing(name: str) -> None:
    (row,) = strategy_table({name: CUES[name]}, 50)
    assert row["Index"] <= 0  # type: ignore[operator]


def test_these_tests_would_fail_for_somebody_who_reasons_and_for_a_case_left_out_of_a_contrast() -> None:
    reasoner = answers(NULLS["never moves"], MATTERS, 50, np.random.default_rng(1))
    moved = {**reasoner.by_step, "reason": np.ones_like(reasoner.by_step["reason"])}
    assert Responsiveness(Movements(reasoner.matters, reasoner.runs, moved)).estimate == 1.0  # type: ignore[arg-type]
    evader = Responsiveness(
        answers(NULLS["evader (silent where moving would cost)"], MATTERS, 5, np.random.default_rng(1))
    )
    assert evader.movements.by_step["reason"].min() > 0.0


@pytest.mark.parametrize(("responsiveness", "noise", "strength"), [(0.0, 40, 60), (0.5, 20, 60), (1.0, 20, 100)])
def test_reasoners_are_recovered(responsiveness: float, noise: float, strength: float) -> None:
    found = recovered(responsiveness, noise, strength, models=120, runs=5, seed=11)
    assert abs(found["bias"]) <= 3.0  # type: ignore[arg-type]  # the least of seven, where all are equal and noisy
    assert found["coverage"] >= 0.9  # type: ignore[operator]  # 120 models; the table asks 1,000 for .93


@pytest.mark.parametrize("share", [0.03, 0.1])
def test_a_difference_from_a_model_that_never_falls_covers_what_sixteen_matters_may_hide(share: float) -> None:
    (row,) = fallen_table(100, shares=(share,))
    assert row["coverage"] >= 0.93  # type: ignore[operator]  # .41 and .83 without what was never seen
    assert row["width"] <= 45.0  # type: ignore[operator]


def test_reasoners_a_quarter_apart_come_out_in_the_right_order() -> None:
    assert ordered(0.25, noise=20, strength=60, models=60, runs=5, seed=12) >= 0.95


def test_models_that_answer_as_language_models_do_are_found_again() -> None:
    population = populations_of_models(100)["wide"]
    truth = estimates_of(asked(population, 2000, 1, np.random.default_rng(1)))
    found = [Responsiveness(each) for each in asked(population, MATTERS, 5, np.random.default_rng(2))]
    ends = np.array([each.interval() for each in found])
    errors = np.array([each.estimate for each in found]) - truth
    assert abs(errors.mean()) <= 0.03 and errors.std() <= 0.09
    assert ((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean() >= 0.93


def test_the_variances_of_a_plan_without_a_store_are_those_that_it_prints() -> None:
    found = wide_variances(100, 10)
    assert [*found.values()] == pytest.approx(PACKAGED, abs=0.05)
