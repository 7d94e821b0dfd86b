"""Exact intervals and tails of a proportion: Clopper and Pearson (1934). Pure functions on counts."""


def clopper_pearson(events: float, of: float, confidence: float) -> tuple[float, float]:
    """Return the two-sided exact interval of a share, 0..1; both bounds are exact one-sided at (1 + confidence) / 2."""
    from scipy.special import betaincinv  # late: start-up time counts

    tail = (1 - confidence) / 2
    low = float(betaincinv(events, of - events + 1, tail)) if events else 0.0
    return low, float(betaincinv(events + 1, of - events, 1 - tail)) if events < of else 1.0


def at_most(events: int, of: int, share: float) -> float:
    """Return the probability of so many events or fewer among independent cases."""
    from scipy.special import bdtr

    return float(bdtr(events, of, share))
