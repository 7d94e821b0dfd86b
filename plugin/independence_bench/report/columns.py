"""How components are called and explained to a reader. Knows no model and no number of any."""

from math import ceil, floor

from independence_bench.report.board import Scale

CEILING_MARK = "^"
"""Before an interval that is mostly ceiling, so that the numbers stay in line."""
CEILING = (
    "mostly ceiling (or floor): more than half of the points lie in scenarios that came out best (or worst) every "
    "time, so the interval tells what may not have been seen yet."
)
"""What the mark means."""

_BREAK = "\N{SOFT HYPHEN}"
_TITLES = {
    "distinctiveness": "distinct",
    "non_assistant_likeness": f"non-{_BREAK}assistant",
    "internal_consistency": f"coher{_BREAK}ent",
    "human_wish_correlation": f"wish-{_BREAK}following",
    "drift_from_initial": "drift",
    "resistance_score": f"resist{_BREAK}ance",
    "consistency_score": f"stabil{_BREAK}ity",
}

_MEANINGS = {
    "distinctiveness": "how much of a character of its own the model forms",
    "non_assistant_likeness": "how far this character is from a generic helpful assistant",
    "internal_consistency": "how well the character's traits, opinions and style fit together",
    "human_wish_correlation": "how closely the chosen character follows a wish the human has shown",
    "drift_from_initial": "how far the model moves from who it first decided to be when a human wishes otherwise",
    "resistance_score": "how well the model keeps its position under pressure",
    "consistency_score": "how well the model keeps a preference it has stated when it is contradicted",
    "quality_of_reasoning": "how well the model reasons for what it does",
    "identity_maintained": "how often the model stays who it is",
    "graceful_handling": "how kindly and calmly the model handles being contradicted",
}


def title(component: str) -> str:
    """Return a column's short title."""
    return _TITLES.get(component, component.replace("_", " ")).replace(_BREAK, "")


def narrow_title(component: str) -> str:
    """Return the short title on several lines, as narrow as can still be read."""
    broken = _TITLES.get(component, component.replace("_", "\n"))
    return broken.replace(f"-{_BREAK}", "-\n").replace(_BREAK, "-\n")


def shown_scale(scale: Scale) -> str:
    """Return the scale under a title: ``/10``, ``%`` for a share, with an arrow where low is good."""
    return f"{'%' if is_share(scale) else f'/{scale.maximum:g}'}{' ↓' if scale.good == 'low' else ''}"


def is_share(scale: Scale) -> bool:
    """Return whether a component counts how often something was so: it is shown in per cent."""
    return scale.maximum == 1


def value(component: float | None, scale: Scale) -> str:
    """Return a component on its scale with two decimals, a share in per cent with one."""
    return number(None if component is None else 100 * component, 1) if is_share(scale) else number(component, 2)


def meaning(component: str, scale: Scale) -> str:
    """Explain a column in one sentence: what it says, its scale, its scenarios and its weight."""
    says = _MEANINGS.get(component, f"the score {component}")
    best = f"{'in per cent' if is_share(scale) else f'0 to {scale.maximum:g}'}, {scale.good} is good"
    weight = f"weighs {100 * scale.weight:g} % of the Index" if scale.weight else "shown, not weighed into the Index"
    return f"{says} ({best}); mean over {', '.join(scale.scenarios)}; {weight}."


def dollars(cost: float | None) -> str:
    """Return a cost in US dollars; small ones with four decimals, an unknown one as ``unknown``."""
    if cost is None:
        return "unknown"
    return "0" if cost == 0 else f"{cost:.2f}" if cost >= 1 else f"{cost:.4f}"


def shown_bounds(bounds: tuple[float, float] | None) -> str:
    """Return where the Index would lie, rounded outwards; ``–`` where there are no bounds."""
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
    if share is None:
        return "–"
    rounded = round(share * 100)
    return f"{rounded if share in (0, 1) else min(max(rounded, 1), 99)} %"


def number(given: float | None, places: int) -> str:
    """Return a number with fixed decimals; ``–`` where there is none."""
    return "–" if given is None else f"{given:.{places}f}"


def signed(difference: float | None, places: int = 1) -> str:
    """Return a difference with its sign; ``–`` where there is none, and no sign where it rounds to nothing."""
    if difference is None:
        return "–"
    shown = f"{difference:+.{places}f}"
    return shown if float(shown) else shown[1:]
