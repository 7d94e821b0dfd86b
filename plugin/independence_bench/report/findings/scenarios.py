"""Scenarios over all models and within one model, as data. Computes nothing."""

from independence_bench.report.shown import Shown


class ScenarioDifficulty(Shown):
    """How hard a scenario is, and whether it tells models apart as the rest of the Index does."""

    scenario: str
    experiment: str
    mean: float | None
    """Mean over its measured trials of all its scores, each as a share of its best value, 0..1; None without trials."""
    difficulty: float | None
    """100 × (1 − mean)."""
    discrimination: float | None
    """Pearson correlation over models of their mean in this scenario with what the other scenarios give to their Index;
    None below three models with an Index, or where one side does not vary."""
    trials: int
    """Measured trials that the mean rests on."""
    models: int
    """Models among them."""
    compared: int
    """Models with an Index: the correlation rests on these."""


class RunComponents(Shown):
    """The components of one run."""

    run: int
    components: dict[str, float | None]
    """On their own scales; None where a trial that a component rests on is not measured."""


class ScenarioRun(Shown):
    """One trial."""

    run: int
    scores: dict[str, float] | None
    """The panel's means; None where it is not measured."""
    held: bool | None
    """None where it is not measured or has no pass mark."""


class ScenarioDetail(Shown):
    """One scenario in one configuration of the edition, over all runs of a model."""

    scenario: str
    experiment: str
    system_variant: str
    delivery_mode: str
    scores: dict[str, float] | None
    """Mean over the runs; None where one of them is not measured."""
    runs: list[ScenarioRun]


class PublishedInterval(Shown):
    """The interval that the published edition would print: kept for comparison, not to be relied on."""

    low: float
    high: float
    draws: int = 10_000
    seed: int = 42
    method: str = "published method, undercovers"
