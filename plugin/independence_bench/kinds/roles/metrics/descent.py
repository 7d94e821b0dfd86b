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
        taken = _line_search(function, point, value, direction, slope, limit)
        if taken is None:
            break
        step, at_once, value, new_gradient = taken
        squared = float(step @ step)
        length = math.sqrt(squared)
        limit = max(limit, 2 * length) if at_once else length
        change = new_gradient - gradient
        curvature = float(step @ change)
        changed = float(change @ change)
        if curvature > 1e-10 * math.sqrt(squared * changed):
            if iteration == 0:
                inverse *= curvature / changed
            inverse = _updated(inverse, step, change, curvature)
        point, gradient = point + step, new_gradient
        sizes.append(_largest(gradient))
    stalled = len(sizes) <= iterations
    if sizes[-1] < (ROUNDING if stalled else tolerance):
        return Descent(point, value, True, 0.0)
    return Descent(point, value, False, float(np.median(sizes[-(iterations // 2) :])))


def _line_search(
    function: Function, point: Array, value: float, direction: Array, slope: float, limit: float
) -> tuple[Array, bool, float, Array] | None:
    """Shorten the step until the function falls enough (Armijo): the step, whether at once, new value and gradient."""
    scale = min(1.0, limit / math.sqrt(direction @ direction))
    for attempt in range(30):
        step = scale * direction
        reached, gradient = function(point + step)
        if reached <= value + 1e-4 * scale * slope:
            return step, attempt == 0, reached, gradient
        if math.isfinite(reached):
            parabola = -slope * scale**2 / (2 * (reached - value - slope * scale))
            scale = min(max(parabola, 0.1 * scale), 0.5 * scale)
        else:
            scale *= 0.25
    return None


def _largest(gradient: Array) -> float:
    return float(np.maximum.reduce(np.abs(gradient)))


def _updated(inverse: Array, step: Array, change: Array, curvature: float) -> Array:
    moved = inverse @ change
    half = step * (0.5 * (1 + float(change @ moved) / curvature) / curvature) - moved / curvature
    crossed = step[:, None] * half
    updated: Array = crossed + crossed.T
    updated += inverse
    return updated
