"""What a trial of each scenario adds to a weighted sum of components, such as the Index. Needs no numpy."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from independence_bench.catalog.editions import Edition
from independence_bench.scoring.components import MissingComponent


class ScenarioWorth(NamedTuple):
    """What one trial of a scenario adds to the sum, by its scores."""

    edition: str
    factors: tuple[tuple[str, float, float], ...]
    """Score, points of one unit of it (negative where low is good), and the value that earns nothing."""
    worth: float  # points of a trial whose scores are all best; one whose scores are all worst adds nothing
    rounding: float  # variance in points² that whole numbers hide

    @property
    def scores(self) -> frozenset[str]:
        """The scores that count."""
        return frozenset(score for score, _, _ in self.factors)

    def points(self, scores: Mapping[str, float] | None) -> float:
        """Return what a trial adds, 0..worth; raises :class:`MissingComponent` where one of its scores is missing."""
        total = 0.0
        for score, points, worst in self.factors:
            if scores is None or score not in scores:
                raise MissingComponent(self.edition, [score])
            total += max(0.0, points * (scores[score] - worst))
        return total


def index_worths(edition: Edition) -> dict[str, ScenarioWorth]:
    """Return what a trial of each scenario adds to the Index, in one of the edition's configurations."""
    one_each = {scenario.id: 1 for scenario in edition.scenarios}
    return scenario_worths(edition, edition.weights, one_each, {})


def scenario_worths(
    edition: Edition, weights: Mapping[str, float], cells: Mapping[str, int], above: Mapping[str, float]
) -> dict[str, ScenarioWorth]:
    """Return the scenarios that count; ``cells``: in how many configurations each is asked."""
    name = scenario_worths, *(tuple(each.items()) for each in (weights, cells, above))
    if name not in edition.computed:  # every model of a board asks for the same
        edition.computed[name] = _scenario_worths(edition, weights, cells, above)
    worths: dict[str, ScenarioWorth] = edition.computed[name]
    return worths


def _scenario_worths(
    edition: Edition, weights: Mapping[str, float], cells: Mapping[str, int], above: Mapping[str, float]
) -> dict[str, ScenarioWorth]:
    factors: defaultdict[str, list[tuple[str, float, float]]] = defaultdict(list)
    worth: defaultdict[str, float] = defaultdict(float)
    rounding: defaultdict[str, float] = defaultdict(float)
    for name, weight in weights.items():
        component = edition.components[name]
        sign = 1 if component.good == "high" else -1
        span = component.maximum - above[name] if name in above else component.span
        for part in component.parts:
            unit = 100 * weight / span / sum(cells.get(each, 0) for each in part.scenarios)
            for scenario in part.scenarios:
                least, high = edition.score_fields[scenario, part.score].ends
                low = max(float(least), above.get(name, float(least)))
                factors[scenario].append((part.score, sign * unit, low if sign > 0 else high))
                worth[scenario] += unit * (high - low)
                rounding[scenario] += unit**2 / 12
    return {each: ScenarioWorth(edition.id, (*own,), worth[each], rounding[each]) for each, own in factors.items()}
