"""Texts from elsewhere beside our own, as data. Computes nothing."""

from pydantic import Field

from independence_bench.report.shown import Shown


class OtherModel(Shown):
    """One row of a group of other texts."""

    label: str
    identity: str
    rank: int | None
    index: float | None
    bounds: tuple[float, float] | None
    runs: int
    measured: int
    planned: int
    interval_by_run: tuple[float, float] | None = None
    interval_by_scenario: tuple[float, float] | None = None
    mostly_ceiling: bool = False
    rank_interval: tuple[int, int] | None = None
    """Best and worst within the group."""
    tier: int | None = None


class OtherGroup(Shown):
    """Models measured with texts from elsewhere: ranked among themselves, never beside ours."""

    edition: str
    title: str
    texts: str
    judges: list[str]
    origins: dict[str, int]
    """Where its transcripts come from, and how many."""
    models: list[OtherModel] = Field(default_factory=list)
