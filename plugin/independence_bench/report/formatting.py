"""Numbers as a reader sees them: costs, intervals, ranks, shares. Knows no model and no number of any."""

from math import ceil, floor

CEILING_MARK = "^"  # before an interval that is mostly ceiling, so that the numbers stay in line
CEILING = (
    "mostly ceiling (or floor): more than half of the points belong to scenarios that were best (or worst) in every "
    "run, so the interval rests on outcomes not yet seen."
)
"""Explanation of the mark."""


def dollars(cost: float | None) -> str:
    """Return a cost in US dollars; small ones with four decimals, an unknown one as ``unknown``."""
    if cost is None:
        return "unknown"
    return "0" if cost == 0 else f"{cost:.2f}" if cost >= 1 else f"{cost:.4f}"


def shown_bounds(bounds: tuple[float, float] | None) -> str:
    """Return the bounds of the Index, rounded outwards; ``–`` where there are no bounds."""
    if bounds is None:
        return "–"
    low, high = floor(bounds[0] * 10 + 1e-9) / 10, ceil(bounds[1] * 10 - 1e-9) / 10
    return f"{low:.1f} – {high:.1f}"


def shown_interval(interval: tuple[float, float] | None, mostly_ceiling: bool = False) -> str:
    """Return an interval, rounded outwards, with its mark where it rests on an end of the scale; ``–`` for none."""
    if interval is None:
        return "–"
    return (CEILING_MARK if mostly_ceiling else "") + shown_bounds(interval).replace(" ", "")


def shown_confidence(confidence: float) -> str:
    """Return a confidence in per cent."""
    return f"{100 * confidence:g} %"


def shown_ranks(ranks: tuple[int, int] | None) -> str:
    """Return best and worst rank, one number where they are one; ``–`` where there is no rank."""
    if ranks is None:
        return "–"
    best, worst = ranks
    return str(best) if best == worst else f"{best}–{worst}"


def percent(share: float | None) -> str:
    """Return a share as whole per cent, where 100 % means all and 0 % none; ``–`` where there is none."""
    return "–" if share is None else f"{whole_percent(share)} %"


def whole_percent(share: float) -> int:
    """Return the number of :func:`percent`; the pages compute it alike, see ``percent`` in ``bench.js``."""
    rounded = round(share * 100)
    return rounded if share in (0, 1) else min(max(rounded, 1), 99)


def number(given: float | None, places: int) -> str:
    """Return a number with fixed decimals; ``–`` where there is none."""
    return "–" if given is None else f"{given:.{places}f}"


def signed_points(difference: float | None) -> str:
    """Return a difference with its sign; ``–`` where there is none, and no sign where it rounds to nothing."""
    if difference is None:
        return "–"
    shown = f"{difference:+.1f}"
    return shown if float(shown) else shown[1:]


def signed_estimate(estimate: float | None, interval: tuple[float, float] | None) -> str:
    """Return a difference with its interval in brackets, where it has one; ``–`` where there is none."""
    ends = "" if estimate is None or interval is None else f" [{', '.join(map(signed_points, interval))}]"
    return signed_points(estimate) + ends


def amount(value: float, places: int = 1) -> str:
    """Return a number with a true minus sign; one that is not zero gets up to three decimals to show it."""
    while places < 3 and value and not float(f"{value:.{places}f}"):
        places += 1
    shown = f"{value:.{places}f}"
    return (shown if float(shown) else shown.lstrip("-")).replace("-", "−")


def signed_amount(value: float | None, places: int = 1) -> str:
    """Return a difference with its sign, as :func:`amount`; ``–`` where there is none."""
    if value is None:
        return "–"
    shown = amount(value, places)
    return shown if value <= 0 else f"+{shown}"


def shown_p(value: float) -> str:
    """Return a p-value as ``0.11``, with a third decimal where it matters, or ``<0.001``."""
    return "<0.001" if value < 0.001 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"
