"""A watched model: false alarms over any number of looks, power, and bounds that hold at once."""

import numpy as np
import pytest

from independence_bench.scoring.uncertainty.watching import ERROR, least_falls, log_evidence

SD = 4.0


def normal(chance, size, mean=80.0):
    return [float(each) for each in chance.normal(mean, SD, size)]


def test_a_model_that_has_not_fallen_is_reported_in_at_most_five_per_cent_of_paths_of_thirty_looks():
    chance = np.random.default_rng(1)
    alarms = 0
    for _ in range(600):
        reference, runs = normal(chance, 5), normal(chance, 30)
        alarms += any(log_evidence(reference, runs[:count], 0.0) >= -np.log(ERROR) for count in range(1, 31))

    assert alarms <= 0.05 * 600


def test_the_evidence_is_a_martingale_at_no_fall():
    chance = np.random.default_rng(2)
    values = [np.exp(log_evidence(normal(chance, 6), normal(chance, 4), 0.0)) for _ in range(8_000)]

    assert 0.7 < np.mean(values) < 1.1  # its mean is 1, with a long tail


def test_a_fall_of_ten_points_is_found_within_eight_runs():
    chance = np.random.default_rng(3)
    found = [(least_falls(normal(chance, 10), normal(chance, 8, 70.0))[-1] or 0) > 0 for _ in range(60)]

    assert np.mean(found) >= 0.8


def test_bounds_only_grow_and_rarely_exceed_the_fall():
    chance = np.random.default_rng(4)
    over = 0
    for _ in range(60):
        falls = [fall for fall in least_falls(normal(chance, 10), normal(chance, 12, 72.0)) if fall is not None]
        assert falls == sorted(falls)
        over += falls[-1] > 8.0
    assert over <= 6


def test_a_bound_is_where_the_evidence_is_twenty():
    reference, runs = [80.0, 82.0, 79.0, 81.0, 78.0], [70.0, 71.0, 69.0]

    last = least_falls(reference, runs)[-1]

    assert log_evidence(reference, runs, last) == pytest.approx(-np.log(ERROR), abs=1e-3)
    assert 0 < last < 10


def test_equal_runs_are_taken_to_differ_by_half_a_point():
    assert least_falls([100.0] * 10, [99.8])[-1] < 0
    assert least_falls([100.0] * 10, [60.0])[-1] > 30
    assert least_falls([80.0, 81.0], [80.0])[-1] is None


def test_nights_that_hang_together_report_few_unchanged_models_once_days_are_allowed_for():
    chance = np.random.default_rng(5)
    alarms = {0.0: 0, 1.0: 0}
    for _ in range(150):
        nights = [chance.normal()]
        for step in chance.normal(size=49):
            nights.append(0.9 * nights[-1] + 0.19**0.5 * step)
        indices = (80 + chance.normal(size=50) + nights).tolist()
        before, since = indices[:10], indices[10:]
        for day_sd in alarms:
            alarms[day_sd] += any(
                log_evidence(before, since[:count], 0.0, day_sd) >= -np.log(ERROR) for count in range(1, 41)
            )

    assert alarms[0.0] > 0.1 * 150
    assert alarms[1.0] <= 0.05 * 150
