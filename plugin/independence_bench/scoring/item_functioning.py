"""Of one scenario over models: how much it tells about them, and whether it treats groups of them differently."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty.sample import Numbers

LEAST_GROUP = 3  # models of a group, and outside it, below which nothing is said of it
_FLAT = 1e-12  # residual variance, of shares, that is rounding error alone


class Functioning(NamedTuple):
    """What groups of models that do equally well elsewhere do in one scenario."""

    group: str  # the group that differs most from all others
    difference: float
    """Its mean residual minus that of the others, in standard deviations of the residuals; above 0 it does better."""
    p_value: float  # of all groups together; not adjusted
    models: int


def information(discrimination: float) -> float:
    """Return the information r² / (1 − r²) of a linear item whose correlation with the rest is r, none if negative.

    Loading² over unique variance in the linear factor model (Mellenbergh 1996): the informations of independent items
    add up to signal over noise. The rest score has errors too, so it is rather too low. Infinite for r = 1.
    """
    signal = max(discrimination, 0.0) ** 2
    return signal / (1 - signal) if signal < 1 else float("inf")


def functioning(shares: Sequence[float], rest: Sequence[float], groups: Sequence[str | None]) -> Functioning | None:
    """Test whether groups differ in a scenario after matching on the rest of the Index: uniform DIF.

    F test of the groups in a linear regression on the rest score (Swaminathan and Rogers 1990, for graded items).
    Groups below three models are one group, "others"; models of no group are left out. None where fewer than two groups
    remain, one of them a named one, or where nothing is left to explain.
    """
    import numpy as np  # late: start-up time counts

    from independence_bench.scoring.special_functions import fdtrc

    known = [place for place, group in enumerate(groups) if group is not None]
    names = np.array([groups[place] for place in known], dtype=object)
    large = sorted(name for name in set(names.tolist()) if (names == name).sum() >= LEAST_GROUP)
    tested = [name for name in large if (names != name).sum() >= LEAST_GROUP]
    if not tested:
        return None
    own, matched = (np.asarray(values, dtype=float)[known] for values in (shares, rest))
    plain = np.column_stack([np.ones(len(known)), matched])
    marks = np.column_stack([names == name for name in tested]).astype(float)
    residuals, rank = _residuals(plain, own)
    left, full = _residuals(np.column_stack([plain, marks]), own)
    before, after, df = float(residuals @ residuals), float(left @ left), len(known) - full
    if full == rank or df < 1 or before / len(known) < _FLAT:
        return None
    spread = (before / (len(known) - rank)) ** 0.5
    apart = [float(residuals[names == name].mean() - residuals[names != name].mean()) / spread for name in tested]
    most = max(range(len(tested)), key=lambda place: abs(apart[place]))
    p_value = float(fdtrc(full - rank, df, (before - after) / (full - rank) / (after / df))) if after else 0.0
    return Functioning(tested[most], apart[most], p_value, len(known))


def _residuals(design: "Numbers", own: "Numbers") -> "tuple[Numbers, int]":
    import numpy as np

    found, _, rank, _ = np.linalg.lstsq(design, own, rcond=None)
    return own - design @ found, int(rank)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted so that the whole family errs with at most its level (Holm 1979)."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for step, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[place]))
        adjusted[place] = highest
    return adjusted
