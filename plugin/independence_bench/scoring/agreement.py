"""How far judges agree with each other (Krippendorff's alpha, by a library) or with what is known (Cohen's κ)."""

from collections.abc import Sequence

from independence_bench.spec import Level


def krippendorff_alpha(units: Sequence[Sequence[float]], level: Level) -> float | None:
    """Return Krippendorff's alpha of units × judges, 1 for perfect agreement, 0 for chance.

    None where it is undefined: no unit, or one value throughout.

    Source: K. Krippendorff, Content Analysis, 3rd ed. 2013, ch. 12.
    """
    if len({value for unit in units for value in unit}) < 2:
        return None
    import numpy as np  # late: start-up time counts
    from krippendorff import alpha

    return float(alpha(reliability_data=np.asarray(units, dtype=float).T, level_of_measurement=level))


def cohen_kappa(agreed: float, of: float, chance: float) -> float | None:
    """Return (observed − chance agreement) / (1 − chance agreement); None without cases, or if chance alone agrees.

    Source: J. Cohen, A coefficient of agreement for nominal scales, 1960.
    """
    return (agreed / of - chance) / (1 - chance) if of and chance < 1 else None
