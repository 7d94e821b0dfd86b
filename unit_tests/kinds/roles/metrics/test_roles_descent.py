"""The minimiser: it finds minima, tells when it has not, and stays inside the function's domain."""

import numpy as np
import pytest

from independence_bench.kinds.roles.metrics.descent import descend
from independence_bench.kinds.roles.metrics.rank_correlation import Array

pytestmark = pytest.mark.filterwarnings("error")


def rosenbrock(x: Array) -> tuple[float, Array]:
    value = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    slope = 200 * (x[1] - x[0] ** 2)
    return float(value), np.array([-2 * (1 - x[0]) - 2 * x[0] * slope, slope])


def test_it_follows_a_curved_valley_to_its_end() -> None:
    found = descend(rosenbrock, np.array([-1.2, 1.0]))
    assert found.converged
    assert found.typical_gradient == 0
    assert found.point == pytest.approx([1, 1], abs=1e-6)


def test_a_function_without_a_minimum_is_not_converged_and_tells_how_far_it_settled() -> None:
    def falling(x: Array) -> tuple[float, Array]:
        return float(1 / (1 + x[0] ** 2)), -2 * x / (1 + x**2) ** 2

    found = descend(falling, np.array([1.0]), iterations=10)
    assert not found.converged
    assert found.value < 0.5
    assert 0 < found.typical_gradient < 0.5


def test_it_stays_inside_the_domain() -> None:
    def walled(x: Array) -> tuple[float, Array]:
        if abs(x[0]) >= 1:
            return np.inf, np.zeros(1)
        return float(5 * x[0] - np.log(1 - x[0] ** 2)), 5 + 2 * x / (1 - x**2)

    found = descend(walled, np.array([0.0]))
    assert found.converged
    assert found.point == pytest.approx([(1 - np.sqrt(26)) / 5])


def test_a_minimum_hidden_in_rounding_counts_as_found() -> None:
    def coarse(x: Array) -> tuple[float, Array]:
        return float(np.round((x[0] - np.pi) ** 2, 12)), 2 * (x - np.pi) + 1e-12

    found = descend(coarse, np.array([1.0]), tolerance=1e-300)
    assert found.converged
    assert found.point == pytest.approx([np.pi], abs=1e-5)


def test_a_stalled_descent_far_from_a_minimum_is_not_converged() -> None:
    def lying(x: Array) -> tuple[float, Array]:
        return float(abs(x[0])), -np.sign(x)  # the gradient points the wrong way

    found = descend(lying, np.array([3.0]))
    assert not found.converged
    assert found.point == pytest.approx([3.0])
    assert found.typical_gradient == 1


def test_a_start_at_the_minimum_is_its_end() -> None:
    found = descend(rosenbrock, np.array([1.0, 1.0]))
    assert found.converged
    assert found.value == 0
