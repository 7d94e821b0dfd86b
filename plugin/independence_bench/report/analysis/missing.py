"""The missing trials of a model, grouped by reason, so that a reader can fix them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from independence_bench.grouping import group_values
from independence_bench.report.analysis.model_facts import Gaps, Missing
from independence_bench.report.analysis.row import NOT_ASKED, REPLACED, LeaderboardRow
from independence_bench.report.blocks import Bullets, Phrase, phrase

REASONS_SHOWN = 12  # reasons listed per model; the rest is counted


class Gap(NamedTuple):
    """All trials of one model that are missing for one reason."""

    reason: str
    trials: list[str]  # scenario with its runs, such as ``social-proof r1 r2``
    size: int  # how many trials these are

    @property
    def lost(self) -> bool:
        """Whether they were asked, and not measured."""
        return self.reason not in (NOT_ASKED, REPLACED)


def gaps(row: Gaps) -> list[Gap]:
    """Return the missing trials by reason, the most frequent first; trials that were never attempted come last."""
    by_reason = group_values((trial.reason, trial) for trial in row.missing)
    several = len({(trial.system_variant, trial.delivery_mode) for trial in row.missing}) > 1
    known = [Gap(reason, _named(trials, several), len(trials)) for reason, trials in by_reason.items()]
    return sorted(known, key=lambda gap: (gap.reason == NOT_ASKED, -gap.size, gap.reason))


def bounds_of(row: LeaderboardRow) -> Sequence[bool | None]:
    """Return at which ends to score lost trials: worst (False), then best (True); None where no trial is missing.

    Empty where one was never asked, or there are no bounds: then there is nothing to decide on yet.
    """
    if row.complete:
        return (None,)
    return (False, True) if row.bounds and all(gap.lost for gap in gaps(row)) else ()


def why(row: Gaps) -> str:
    """Return the most frequent reason why trials of a row are missing, and how often; some must be."""
    first, *others = gaps(row)
    rest = f", {sum(gap.size for gap in others)} more" if others else ""
    return f"{first.size} × {first.reason}{rest}"


def missing_list(rows: Iterable[tuple[Phrase, Gaps]], what: str, file: str, trials_shown: int | None = None) -> Bullets:
    """Return the missing trials of each model by reason; ``file`` is the file that lists all reasons and trials."""
    items: list[str | Phrase | Bullets] = []
    for label, row in rows:
        if known := gaps(row):
            items.append(phrase(f"{{}}: {len(row.missing)} of {row.planned} {what}", label))
            reasons: list[str | Phrase] = [_bullet(gap, trials_shown) for gap in known[:REASONS_SHOWN]]
            if rest := sum(gap.size for gap in known[REASONS_SHOWN:]):
                reasons.append(f"{rest} more for other reasons, see `{file}`")
            items.append(Bullets(reasons))
    return Bullets(items)


def _bullet(gap: Gap, trials_shown: int | None) -> Phrase:
    shown = gap.trials[:trials_shown]
    rest = f" and {len(gap.trials) - len(shown)} more" if len(gap.trials) > len(shown) else ""
    # The count comes first, so that no foreign text begins a line.
    return phrase(f"{gap.size} × {{}}: {{}}{rest}", gap.reason, shown)


def _named(trials: list[Missing], several: bool) -> list[str]:
    suffixes = (f"+{trial.system_variant}+{trial.delivery_mode}" if several else "" for trial in trials)
    runs = group_values((trial.scenario + suffix, trial.run) for trial, suffix in zip(trials, suffixes, strict=True))
    return [f"{scenario} {' '.join(f'r{run}' for run in numbers)}" for scenario, numbers in runs.items()]
