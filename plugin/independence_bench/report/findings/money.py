"""What measuring costs and what it buys, as data. Computes nothing."""

from independence_bench.report.shown import Shown


class TokensPerRun(Shown):
    """Mean tokens of one run."""

    generation_in: float
    generation_out: float
    reasoning: float
    """Part of generation_out, where the server tells."""
    judging_in: float
    judging_out: float


class CostPerRun(Shown):
    """What one run of a model costs, failed attempts apart."""

    label: str
    identity: str
    runs: int
    """Runs in which anything was asked."""
    complete: bool
    """False: trials are missing, so a whole run costs more."""
    generation: float | None
    """US dollars, mean over the runs; None where a part is unknown."""
    judging: float | None
    index_per_dollar: float | None
    """Index / mean cost of the runs that cost anything; None for free models and where Index or cost is unknown."""
    tokens: TokensPerRun


class Variant(Shown):
    """One configuration of a model in a comparison."""

    label: str
    identity: str
    thinking: bool | None
    served_by: str
    """Provider pin, or the host in the model id, or ``any``."""
    reasoning_effort: str | None
    temperature: float | None
    index: float | None
    cost_per_run: float | None


class ThinkingComparison(Shown):
    """A model with an Index both with and without thinking."""

    model: str
    thinking: float
    """Mean Index of its thinking configurations."""
    not_thinking: float
    difference: float
    variants: list[Variant]


class ProviderComparison(Shown):
    """A model served by several providers with the same effort and temperature."""

    model: str
    spread: float | None
    """Highest minus lowest Index; None below two."""
    variants: list[Variant]


class CostAnalysis(Shown):
    """Value for money, and what thinking and the provider change."""

    models: list[CostPerRun]
    """By Index per dollar, then label."""
    thinking: list[ThinkingComparison]
    providers: list[ProviderComparison]
