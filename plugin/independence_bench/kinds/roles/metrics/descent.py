"""Minimise a smooth function of a few dozen parameters: BFGS with a growing step limit. Knows nothing of factor models.

Written here because no library reports how far an unfinished descent had settled, and because verdicts on runaway
fits must not change with a library's line search. Nocedal & Wright, Numerical Optimization, ch. 6.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from independence_bench.kinds.roles.metrics.rank_correlation import Array

Function = Callable[[Array], tuple[float, Array]]

ROUNDING = 1e-5
"""A gradient this small, where no step gains any more, is a minimum to the precision of the function's own rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """Where the descent ended."""

    point: Array
    value: float
    converged: bool  # the gradient vanished: a minimum at finite parameters
    typical_gradient: float
    """Median, over the last half of the iterations, of the gradient's largest component; 0 where converged."""


def descend(function: Function, start: Array, *, iterations: int = 400, tolerance: float = 1e-7) -> Descent:
    """Minimise ``function`` (value and gradient; value infinite outside its domain) from a start inside the domain.

    The first step is at most 1 long and the limit doubles with each step that the line search takes at once: a full
    first step along a steep gradient would leave the basin that the start was chosen for.
    """
    point = start
    value, gradient = function(point)
    inverse = np.eye(len(point))
    limit = 1.0
    sizes = [_largest(gradient)]
    for iteration in range(iterations):
        if sizes[-1] < tolerance:
            return Descent(point, value, True, 0.0)
        direction = -inverse @ gradient
        slope = float(gradient @ direction)
        if slope >= 0:  # rounding spoilt the inverse: start it afresh
            inverse, direction, slope = np.eye(len(point)), -gradient, -float(gradient @ gradient)
        search = _line_search(function, point, value, direction, slope, limit)
        if search is None:
            break
        step, at_once, value, new_gradient = search
        squared_length = float(step @ step)
        length = math.sqrt(squared_length)
        limit = max(limit, 2 * length) if at_once else length
        change = new_gradient - gradient
        curvature = float(step @ change)
        squared_change = float(change @ change)
        if curvature > 1e-10 * math.sqrt(squared_length * squared_change):
            if iteration == 0:
                inverse *= curvature / squared_change
            inverse = _next_inverse(inverse, step, change, curvature)
        point, gradient = point + step, new_gradient
        sizes.append(_largest(gradient))
    no_gain = len(sizes) <= iterations
    if sizes[-1] < (ROUNDING if no_gain else tolerance):
        return Descent(point, value, True, 0.0)
    return Descent(point, value, False, float(np.median(sizes[-(iterations // 2) :])))


def _line_search(
    function: Function, point: Array, value: float, direction: Array, slope: float, limit: float
) -> tuple[Array, bool, float, Array] | None:
    """Shorten the step until the function falls enough (Armijo): the step, whether at once, new value and gradient."""
    scale = min(1.0, limit / math.sqrt(direction @ direction))
    for attempt in range(30):
        step = scale * direction
        new_value, gradient = function(point + step)
        if new_value <= value + 1e-4 * scale * slope:
            return step, attempt == 0, new_value, gradient
        if math.isfinite(new_value):
            parabola = -slope * scale**2 / (2 * (new_value - value - slope * scale))
            scale = min(max(parabola, 0.1 * scale), 0.5 * scale)
        else:
            scale *= 0.25
    return None


def _largest(gradient: Array) -> float:
    return float(np.maximum.reduce(np.abs(gradient)))


def _next_inverse(inverse: Array, step: Array, change: Array, curvature: float) -> Array:
    product = inverse @ change
    half = step * (0.5 * (1 + float(change @ product) / curvature) / curvature) - product / curvature
    outer = step[:, None] * half
    next_inverse: Array = outer + outer.T
    next_inverse += inverse
    return next_inverse
