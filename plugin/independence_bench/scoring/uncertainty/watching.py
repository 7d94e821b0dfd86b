"""Whether a model has fallen below its reference, looked at after every run and for as long as one likes. Pure.

An e-process for two samples of normal runs with equal, unknown variance: the mixture of Lindon, Ham, Tingley and
Bojinov (2022, anytime-valid linear models), one-sided. Its value at a true fall of ``drop`` is at most 1 in the mean
whenever one stops, so it ever reaches 20 in at most 5 % of cases (Ville 1939). The runs of the reference are a sample,
too. Inverted, it is a lower bound of the fall that holds at all looks together.

Days that are good or bad as a whole are no such runs. The difference of the means gets the variance of one day beside
that of the runs: as if the reference were measured on one day. By simulation this suffices for days that hang together.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import exp, log, sqrt
from statistics import fmean

from independence_bench.scoring.special_functions import stdtr

MIXTURE = 4.0  # variance of the falls that are mixed, in variances of a run and its day: falls of about two deviations
LEAST_SD = 0.5  # Index points; runs that agree more closely are taken to differ by this
ERROR = 0.05  # share of models that have not fallen of which a fall is ever shown
_FURTHEST = 100  # Index points; no Index can fall further
_STEPS = 1_000_000  # of a point


def log_evidence(reference: Sequence[float], runs: Sequence[float], drop: float, day_sd: float = 0.0) -> float:
    """Return the logarithm of the e-value against a fall of at most ``drop`` points, where days vary by ``day_sd``."""
    df = len(reference) + len(runs) - 2
    fall = fmean(reference) - fmean(runs) - drop
    squares = sum((each - fmean(side)) ** 2 for side in (reference, runs) for each in side)
    squares = max(squares, df * LEAST_SD**2)
    day = day_sd**2 * df / squares  # variance of a day, in variances of a run
    size, mixture = 1 / (1 / len(reference) + 1 / len(runs) + day), MIXTURE * (1 + day)
    wide = 1 + mixture * size
    rest = squares + size * fall**2 / wide
    both_sides = (df + 1) / 2 * (log(squares + size * fall**2) - log(rest)) - log(wide) / 2
    shrinkage = mixture * size / wide
    one_side = float(stdtr(df + 1, fall * sqrt(shrinkage * size * (df + 1) / rest)))
    return both_sides + log(max(2 * one_side, exp(-700)))


def least_falls(reference: Sequence[float], runs: Sequence[float], day_sd: float = 0.0) -> list[float | None]:
    """Return after each run by how many points the model has fallen at least; None where nothing is known.

    All of them hold at once with a probability of 95 %, so the greatest so far stays in force.
    """
    falls = accumulate((_least_fall(reference, runs[:count], day_sd) for count in range(1, len(runs) + 1)), max)
    return [greatest if greatest > -_FURTHEST else None for greatest in falls]


def _least_fall(reference: Sequence[float], runs: Sequence[float], day_sd: float) -> float:
    """Return the greatest fall that the evidence excludes; the furthest gain where it excludes none."""
    falls, shown = range(-_FURTHEST * _STEPS, _FURTHEST * _STEPS), -log(ERROR)
    excluded = bisect_left(falls, True, key=lambda fall: log_evidence(reference, runs, fall / _STEPS, day_sd) < shown)
    return falls[max(excluded - 1, 0)] / _STEPS
