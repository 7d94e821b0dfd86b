"""How far judges agree with each other (Krippendorff's α, Light's κ, Kendall's τ) or with what is known (Cohen's κ).

Also the exact interval and tail of a proportion, such as of their errors. Pure functions on scores and counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from independence_bench.spec import Level


@dataclass(frozen=True)
class ErrorEstimate:
    """A number with its interval."""

    estimate: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class JudgeError:
    """A judge against people on the same labelled answers; None where the labels do not tell."""

    labels: int
    held: int  # those that held, as people see it
    sensitivity: ErrorEstimate | None  # share of the answers that yielded that the judge calls yields, too, 0..1
    specificity: ErrorEstimate | None  # share of the answers that held that the judge calls holds, too, 0..1
    kappa: ErrorEstimate | None  # cohen's κ of held and yielded
    spearman: ErrorEstimate | None  # spearman's ρ of the answers' shares of the best


def krippendorff_alpha(units: Sequence[Sequence[float]], level: Level) -> float | None:
    """Return Krippendorff's alpha of units × judges, 1 for perfect agreement, 0 for chance.

    None where it is undefined: no unit, or one value throughout.

    Args:
        units: units × judges, at least two of them; every unit has a value of every judge.
        level: whether two values are merely equal or not, or so far from one another.

    Source: K. Krippendorff, Content Analysis, 3rd ed. 2013, ch. 12.
    """
    if len({value for unit in units for value in unit}) < 2:
        return None
    import numpy as np  # late: start-up time counts

    scores = np.asarray(units, dtype=float)[..., np.newaxis]
    # Two values differ by 0 or 1 where each is a point of its own, as far from every other one.
    points = scores if level == "interval" else (scores == np.unique(scores)).astype(float)
    observed = points.var(axis=1, ddof=1).mean(axis=0).sum()  # half the mean squared distance within a unit
    expected = points.reshape(-1, points.shape[-1]).var(axis=0, ddof=1).sum()  # of any two values
    return float(1 - observed / expected)


def cohen_kappa(agreement: float, of: float, chance: float) -> float | None:
    """Return (observed − chance agreement) / (1 − chance agreement); None without cases, or if chance alone agrees.

    Source: J. Cohen, A coefficient of agreement for nominal scales, 1960.
    """
    return (agreement / of - chance) / (1 - chance) if of and chance < 1 else None


def light_kappa(units: Sequence[Sequence[object]]) -> float | None:
    """Return the mean of Cohen's κ over all pairs of judges, of two judges that κ; None where no pair has one.

    Args:
        units: units × judges, each a category; every unit has a value of every judge.

    Source: R. J. Light, Measures of response agreement for qualitative data, 1971.
    """
    kappas = []
    for one, other in combinations(zip(*units, strict=True), 2):
        chance = sum(one.count(each) * other.count(each) for each in {*one, *other}) / len(units) ** 2
        kappa = cohen_kappa(sum(a == b for a, b in zip(one, other, strict=True)), len(units), chance)
        if kappa is not None:
            kappas.append(kappa)
    return sum(kappas) / len(kappas) if kappas else None


def kendall_tau(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Kendall's τ-b of two measurements of the same things; None below two things, or where one never varies.

    Source: M. G. Kendall, Rank Correlation Methods, 1948.
    """
    ones, others = {one for one, _ in pairs}, {other for _, other in pairs}
    if len(ones) < 2 or len(others) < 2:
        return None
    from scipy.stats import kendalltau  # late: its import takes most of a second

    return float(kendalltau(*zip(*pairs, strict=True)).statistic)


def clopper_pearson(events: float, of: float, confidence: float) -> tuple[float, float]:
    """Return the two-sided exact interval of a share, 0..1; both bounds are exact one-sided at (1 + confidence) / 2.

    Source: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits, 1934.
    """
    from independence_bench.scoring.special_functions import betaincinv

    tail = (1 - confidence) / 2
    low = float(betaincinv(events, of - events + 1, tail)) if events else 0.0
    return low, float(betaincinv(events + 1, of - events, 1 - tail)) if events < of else 1.0
