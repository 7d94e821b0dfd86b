"""The benchmark of the gate computes what the gate computes; and what it says, for few models, holds."""

import numpy as np
import pytest
from gate_tables import BANDS, LOOKS, WORTH, Seen, outcomes, table, world

from independence_bench.scoring.uncertainty import GATED, Sample, interval

pytestmark = pytest.mark.external

MODELS = 1500


def sample_of(points) -> Sample:
    return Sample.of(
        base=0.0,
        points=points.tolist(),
        worth=WORTH.tolist(),
        rounding=[0.0] * WORTH.size,
        scenarios=[f"s{place}" for place in range(WORTH.size)],
        experiments=["stability"] * WORTH.size,
    )


@pytest.mark.parametrize("runs", [2, 3, 7])
def test_its_intervals_are_those_of_the_gate(runs):
    chance = np.random.default_rng(runs)
    points = np.concatenate([world(band, 8, runs, chance).points for band in BANDS.values()])
    points[0, :, :] = WORTH[:, None]  # a model that never falls
    points[1, :, 0] *= 0.4  # one that has a bad day

    for level in (0.025, 0.001):
        low, high = Seen.of(points).ends(level)
        found = [interval(sample_of(each), "run", 1 - 2 * level, depth=GATED) for each in points]
        assert np.array(found) == pytest.approx(np.stack([low, high], axis=1))


def test_its_models_have_the_index_that_is_said_to_be_true():
    for place, band in enumerate(BANDS.values()):
        truth, points, spread = world(band, 400, 40, np.random.default_rng(place))
        off = points.sum(axis=1) - truth[:, None]
        assert abs(off.mean()) < 4 * off.std() / np.sqrt(off.size)
        assert off.std() == pytest.approx(np.sqrt((spread**2).mean()), rel=0.05)


@pytest.fixture(scope="module")
def seen():
    """By band: the true Index of its models, and what a gate sees of them after so many runs."""
    found = {}
    for place, name in enumerate(("mid", "high", "ceiling")):
        truth, points, _ = world(BANDS[name], MODELS, 20, np.random.default_rng(place))
        found[name] = truth, {runs: Seen.of(points[..., :runs]) for runs in LOOKS["every run"]}
    return found


@pytest.mark.parametrize("most", [20, None])
@pytest.mark.parametrize("looks", LOOKS)
def test_of_models_at_the_mark_no_more_pass_than_promised(seen, looks, most):
    for truth, runs in seen.values():
        at_the_mark = outcomes(truth, runs, 0.95, most, LOOKS[looks])[0]
        assert at_the_mark.passed < 6.5  # 5, and 2.7 standard errors
        assert at_the_mark.failed < 1


def test_looking_after_every_run_costs_little_power(seen):
    for (truth, runs), least in zip(seen.values(), (40, 69, 90), strict=True):
        few, every = (outcomes(truth, runs, 0.95, 20, LOOKS[looks])[2] for looks in ("3 5 8 12 16 20", "every run"))
        assert few.passed > least
        assert every.passed > few.passed - 3
        assert every.runs < few.runs


def test_looks_that_are_each_judged_as_if_they_were_alone_pass_too_many(seen):
    truth, runs = seen["mid"]
    passed = np.zeros(truth.size, dtype=bool)

    for count in LOOKS["every run"]:
        passed |= runs[count].ends(0.025)[0] >= truth

    assert passed.mean() > 0.065


def test_the_table_has_a_line_for_each_band_plan_and_way_of_looking():
    lines = list(table(20))

    assert len(lines) == 1 + len(BANDS) * (2 + 2 * len(LOOKS))
