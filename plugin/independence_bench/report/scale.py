"""The scale of each component, and its title and explanation for a reader. Knows no model."""

from typing import Literal

from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.formatting import number
from independence_bench.report.report_data import ReportData


class ComponentScale(ReportData):
    """The scale of a component, and its part in the Index."""

    weight: float  # share of the Index; 0 is shown and not weighed
    minimum: float = 0.0
    maximum: float
    good: Literal["high", "low"]


class Scale(ComponentScale):
    """What a component's number means."""

    scores: list[str]
    scenarios: list[str]

    def goodness(self, component: float) -> float:
        """Return a component's share of the best possible, 0..1."""
        share = (component - self.minimum) / (self.maximum - self.minimum)
        return share if self.good == "high" else 1 - share


_BREAK = "\N{SOFT HYPHEN}"
_WORDS: dict[str, dict[str, str]] = packaged_yaml(__package__, "component_words.yaml")


def _title(component: str, space: str) -> str:
    return _WORDS.get(component, {}).get("title", component.replace("_", space))


def title(component: str) -> str:
    """Return a column's short title."""
    return _title(component, " ").replace(_BREAK, "")


def narrow_title(component: str) -> str:
    """Return the short title on several lines, as narrow as can still be read."""
    broken = _title(component, "\n")
    return broken.replace(f"-{_BREAK}", "-\n").replace(_BREAK, "-\n")


def shown_scale(scale: ComponentScale) -> str:
    """Return the scale under a title: ``/10``, ``1–5``, ``%`` for a share, with an arrow where low is good."""
    ends = f"{scale.minimum:g}–{scale.maximum:g}" if scale.minimum else f"/{scale.maximum:g}"
    return f"{'%' if is_share(scale) else ends}{' ↓' if scale.good == 'low' else ''}"


def is_share(scale: ComponentScale) -> bool:
    """Return whether a component counts how often something was so: it is shown in per cent."""
    return (scale.minimum, scale.maximum) == (0, 1)


def component_text(component: float | None, scale: ComponentScale) -> str:
    """Return a component on its scale with two decimals, a share in per cent with one."""
    return number(None if component is None else 100 * component, 1) if is_share(scale) else number(component, 2)


def meaning(component: str, scale: Scale) -> str:
    """Explain a column in one sentence: what it says, its scale, its scenarios and its weight."""
    says = _WORDS.get(component, {}).get("means", f"the score {component}")
    best = f"{'in per cent' if is_share(scale) else f'{scale.minimum:g} to {scale.maximum:g}'}, {scale.good} is good"
    weight = f"weighs {100 * scale.weight:g} % of the Index" if scale.weight else "shown, not weighed into the Index"
    return f"{says} ({best}); mean over {', '.join(scale.scenarios)}; {weight}."
