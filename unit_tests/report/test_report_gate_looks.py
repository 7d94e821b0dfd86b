"""Looking again and again must not let chance pass a model: proved by simulation, with and without the correction."""

import numpy as np
import pytest

from independence_bench.report.gate.criteria import Criterion
from independence_bench.report.gate.deciding import confidence_of_look
from independence_bench.report.gate.questions import GateQuestion
from independence_bench.scoring.uncertainty import Sample

CONFIDENCE = 0.95
LOOKS = (4, 8, 16, 32, 64, 128)
"""Runs at each look: far apart, so that looks are as independent of one another as can be."""
SCENARIOS = 15
MARK = 50.0


@pytest.mark.parametrize("look, confidence", [(1, 0.95), (2, 0.975), (3, 0.9875), (6, 0.9984375)])
def test_each_look_has_half_the_error_of_the_one_before(look, confidence):
    assert confidence_of_look(0.95, look) == pytest.approx(confidence)


def test_the_error_of_any_number_of_looks_stays_below_the_level():
    one_sided = sum((1 - confidence_of_look(CONFIDENCE, look)) / 2 for look in range(1, 50))

    assert one_sided == pytest.approx(1 - CONFIDENCE)
    assert one_sided <= 1 - CONFIDENCE


def model(generator: np.random.Generator) -> Sample:
    """A model whose true Index is the mark itself: to pass it is an error, whoever looks."""
    worth = 100 / SCENARIOS
    noise = generator.normal(0.0, 1.0, size=(SCENARIOS, LOOKS[-1]))
    points = np.clip(worth * (0.5 + 0.1 * noise), 0.0, worth)
    return Sample.of(
        base=0.0,
        points=points.tolist(),
        worth=[worth] * SCENARIOS,
        rounding=[0.0] * SCENARIOS,
        scenarios=[f"s{place}" for place in range(SCENARIOS)],
        experiments=["stability"] * SCENARIOS,
    )


def first_runs(sample: Sample, runs: int) -> Sample:
    return Sample(
        base=sample.base,
        points=sample.points[:, :runs],
        worth=sample.worth,
        rounding=sample.rounding,
        scenarios=sample.scenarios,
        strata=sample.strata,
    )


def false_passes(models: int, corrected: bool) -> float:
    """Return the share of models that pass at one look or another."""
    generator = np.random.default_rng(20240611)
    criterion = Criterion("min_index", MARK, "--min-index")
    passed = 0
    for _ in range(models):
        sample = model(generator)
        for look, runs in enumerate(LOOKS, start=1):
            confidence = confidence_of_look(CONFIDENCE, look) if corrected else CONFIDENCE
            found = GateQuestion(criterion, None, "run", first_runs(sample, runs)).interval(confidence)
            if found is not None and found.low >= MARK:
                passed += 1
                break
    return passed / models


def test_over_six_looks_chance_passes_a_model_less_often_than_the_level_but_would_without_the_correction():
    assert false_passes(1000, corrected=True) < 1 - CONFIDENCE
    assert false_passes(1000, corrected=False) > 1 - CONFIDENCE


def test_a_question_answers_as_its_interval_lies():
    sample = first_runs(model(np.random.default_rng(2)), 8)

    asked = {
        mark: GateQuestion(Criterion("min_index", mark, ""), None, "run", sample).ask(0.95, 0.975).answer
        for mark in (40.0, 50.0, 60.0)
    }

    assert asked == {40.0: "passed", 50.0: "inconclusive", 60.0: "failed"}
