"""How sure the numbers are, and what would make them surer, as data. Computes nothing."""

from typing import Literal

from independence_bench.report.shown import Shown


class VariancePart(Shown):
    """One source of spread."""

    source: Literal["model", "scenario", "model × scenario", "run and judge"]
    variance: float
    """Of one trial's share of its best value, in (per cent)²."""
    share: float | None
    """Of all four together, 0..1; None where nothing varies."""


class Outlook(Shown):
    """What to expect of so many runs and scenarios, for an ordinary model away from the ends of the scale."""

    runs: int
    scenarios: int
    half_width_by_run: float | None
    """Points to either side of the Index; None for a single run."""
    half_width_by_scenario: float
    detectable_by_run: float | None
    """The difference of two models, in points, that such a measurement tells from zero with 80 % power."""
    detectable_by_scenario: float


class Separable(Shown):
    """How far apart two of the ranked models must stand to be told apart."""

    basis: Literal["run", "scenario"]
    runs: int
    """The median of the ranked models."""
    difference: float | None
    """Detected with 80 % power, in points; None for a single run by run."""
    ranks: int | None
    """So many ranks apart, half of the pairs differ by as much; None where no distance is enough."""


class Certainty(Shown):
    """What the spread between models, scenarios and runs says of the numbers."""

    confidence: float
    ranked: int
    """Ranked models."""
    compared: int
    """Those among them with two runs or more: the variances rest on these."""
    scenarios: int
    effective_scenarios: float | None
    """As many equally heavy scenarios the Index is worth; None without variances."""
    variance: list[VariancePart]
    """Empty where ``unknown`` says why."""
    outlook: list[Outlook]
    separable: list[Separable]
    neighbours: int
    """Pairs of neighbours in the ranking."""
    neighbours_apart: int
    """Those among them whose difference by scenario leaves out zero, each taken alone."""
    advice: list[str]
    """What would narrow the intervals, one sentence each."""
    unknown: str | None
    """Why there are no variances, one sentence; None where there are."""
