"""What is missing of a model, gathered by reason, for a reader who wants to mend it. Formats no table."""

from collections import defaultdict
from typing import NamedTuple, Protocol

from independence_bench.report.analysis.row import NOT_ASKED, Missing


class Gap(NamedTuple):
    """All trials of one model that are missing for one reason."""

    reason: str
    trials: list[str]
    """Scenario with its runs, such as ``social-proof r1 r2``."""
    size: int
    """How many trials these are."""


class Lacking(Protocol):
    """Whatever says which of its trials are missing."""

    @property
    def missing(self) -> list[Missing]:
        """Planned trials that are not measured."""


def gaps(row: Lacking) -> list[Gap]:
    """Return what is missing by reason, the most frequent first; what nobody has tried comes last."""
    by_reason: dict[str, list[Missing]] = defaultdict(list)
    for trial in row.missing:
        by_reason[trial.reason].append(trial)
    several = len({(trial.system_variant, trial.delivery_mode) for trial in row.missing}) > 1
    found = [Gap(reason, _named(trials, several), len(trials)) for reason, trials in by_reason.items()]
    return sorted(found, key=lambda gap: (gap.reason == NOT_ASKED, -gap.size, gap.reason))


def _named(trials: list[Missing], several: bool) -> list[str]:
    runs: dict[str, list[int]] = defaultdict(list)
    for trial in trials:
        suffix = f"+{trial.system_variant}+{trial.delivery_mode}" if several else ""
        runs[trial.scenario + suffix].append(trial.run)
    return [f"{scenario} {' '.join(f'r{run}' for run in numbers)}" for scenario, numbers in runs.items()]
