"""What system prompt and delivery make of the Index, as data. Computes nothing."""

from independence_bench.report.shown import Shown


class ConfigurationMean(Shown):
    """One system variant × delivery mode over all models."""

    name: str
    """``variant+delivery``."""
    system_variant: str
    delivery_mode: str
    official: bool
    """One of the edition's own configurations."""
    models: int
    """Models that have an Index in it."""
    index: float | None
    """Mean over the models measured in every configuration that is not empty; None where there is none, or it is
    empty."""
    difference: float | None
    """To the baseline."""


class ConfigurationIndex(Shown):
    """One model in one configuration."""

    index: float | None
    """None where one of its trials is not measured."""
    runs: int
    measured: int
    planned: int
    """0 where the model was never asked in this configuration."""


class ModelConfigurations(Shown):
    """One model over all configurations."""

    label: str
    identity: str
    configurations: dict[str, ConfigurationIndex]
    """By name; those in which it was never asked are empty."""


class ConfigurationAnalysis(Shown):
    """How much of the Index lies in system prompt and delivery."""

    baseline: str | None
    """``neutral+user_role`` where it is measured, else the first that is; None where nothing is."""
    compared: int
    """Models with an Index in every configuration that is not empty: the means rest on these alone."""
    configurations: list[ConfigurationMean]
    models: list[ModelConfigurations]
