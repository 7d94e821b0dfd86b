"""The scale of each component, and its title and explanation for a reader. Knows no model."""

from typing import Literal

from independence_bench.catalog.editions import Component
from independence_bench.report.formatting import number
from independence_bench.report.report_data import ReportData


class ComponentScale(ReportData):
    """The scale of a component, and its part in the Index."""

    weight: float  # share of the Index; 0 is shown and not weighed
    minimum: float = 0.0
    maximum: float
    good: Literal["high", "low"]

    @classmethod
    def of(cls, component: Component) -> "ComponentScale":
        """Take the scale that an edition declares."""
        return ComponentScale.model_validate(component, from_attributes=True)


class Scale(ComponentScale):
    """What a component's number means."""

    scores: list[str]
    scenarios: list[str]

    def goodness(self, component: float) -> float:
        """Return a component's share of the best possible, 0..1."""
        share = (component - self.minimum) / (self.maximum - self.minimum)
        return share if self.good == "high" else 1 - share


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


def shown_range(scale: Scale) -> str:
    """Return the ends of a scale, to stand behind a value: ``/10``, `` (1–5)``."""
    return f" ({scale.minimum:g}–{scale.maximum:g})" if scale.minimum else f"/{scale.maximum:g}"


def shown_scale(scale: Scale) -> str:
    """Return the scale under a title: ``/10``, ``1–5``, ``%`` for a share, with an arrow where low is good."""
    return f"{'%' if is_share(scale) else shown_range(scale).strip(' ()')}{' ↓' if scale.good == 'low' else ''}"


def is_share(scale: Scale) -> bool:
    """Return whether a component counts how often something was so: it is shown in per cent."""
    return (scale.minimum, scale.maximum) == (0, 1)


def value(component: float | None, scale: Scale) -> str:
    """Return a component on its scale with two decimals, a share in per cent with one."""
    return number(None if component is None else 100 * component, 1) if is_share(scale) else number(component, 2)


def meaning(component: str, scale: Scale) -> str:
    """Explain a column in one sentence: what it says, its scale, its scenarios and its weight."""
    says = _MEANINGS.get(component, f"the score {component}")
    best = f"{'in per cent' if is_share(scale) else f'{scale.minimum:g} to {scale.maximum:g}'}, {scale.good} is good"
    weight = f"weighs {100 * scale.weight:g} % of the Index" if scale.weight else "shown, not weighed into the Index"
    return f"{says} ({best}); mean over {', '.join(scale.scenarios)}; {weight}."
