"""How the numbers of role stability are called and explained, each with its chance level. Knows no model."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from independence_bench.kinds.roles.metrics.numbers import Numbers
from independence_bench.kinds.roles.telling.role_board import Interval, RoleBoard
from independence_bench.report.formatting import number

AT_RANDOM = "answers at random"
AT_BEST = "best possible"
PLACES = 3


@dataclass(frozen=True, slots=True)
class RoleColumn:
    """One number of :class:`Numbers`."""

    name: str
    head: str
    best: float
    meaning: str
    percent: bool = False

    def shown(self, numbers: Numbers | None) -> str:
        """Return the number as it stands in a table; ``–`` where it is undefined."""
        found = None if numbers is None else getattr(numbers, self.name)
        return self.written(found)

    def written(self, found: float | None) -> str:
        """Return a value of this column."""
        if found is None:
            return "–"
        return f"{100 * found:.0f} %" if self.percent else plain(found)

    def chance(self, board: RoleBoard) -> str:
        """Return what answers at random come to, with its spread: ``0.002 ± 0.009``."""
        mean, sd = getattr(board.chance.mean, self.name), getattr(board.chance.sd, self.name)
        if mean is None:
            return "–"
        return self.written(mean) + ("" if sd is None else f" ± {self.written(sd)}")

    def sentence(self, board: RoleBoard) -> str:
        """Explain the column: what it says, its best value, and its chance level."""
        level = self.chance(board)
        at_random = f"answers at random: {level}" if level != "–" else "answers at random have none"
        return f"{self.meaning} Best: {self.written(self.best)}; {at_random}."


CARDINAL = RoleColumn(
    "cardinal",
    "Cardinal",
    1,
    "the score that the published leaderboard ranks by: half of it is rank order, and an eighth each 1 − Stress, CFI, "
    "1 − SRMR and 1 − RMSEA, all by the published rules.",
)
RANK_ORDER = RoleColumn(
    "rank_order",
    "Rank order",
    1,
    "do the personas keep their order on each of the ten values? Spearman's correlation over the personas of their "
    "value scores in two contexts, averaged over all pairs of contexts and all values; −1 to 1. The number to look at "
    "first.",
)
OF_CEILING = RoleColumn(
    "share_of_ceiling",
    "Of ceiling",
    1,
    "rank order as a share of the ceiling: 100 % says that another context changes no more than another order of the "
    "options does; “–” where the ceiling itself could be chance.",
    percent=True,
)
CEILING = RoleColumn(
    "ceiling",
    "Ceiling",
    1,
    "rank order between a context and the same context asked again with the options in another order: no change of "
    "context can be expected to keep more.",
)
PORTRAITS = RoleColumn(
    "rank_order_portrait_portrait",
    "Portrait–portrait",
    1,
    "rank order over the pairs of contexts that both ask the portrait questionnaire.",
)
SURVEYS = RoleColumn(
    "rank_order_portrait_survey",
    "Portrait–survey",
    1,
    "rank order over the pairs of the portrait questionnaire and the value survey: other questions besides another "
    "context.",
)
IPSATIVE = RoleColumn(
    "ipsative",
    "Ipsative",
    1,
    "does each persona keep the order of its own ten values? Spearman's correlation over the values, averaged over "
    "pairs of contexts and personas. A model in which all personas value the same things scores high here, too.",
)
ALPHA = RoleColumn(
    "cronbach_alpha",
    "Alpha",
    1,
    "do the items of a value agree with each other? Cronbach's alpha on centred items, averaged over values and "
    "contexts; it can fall below 0.",
)
STRESS_PUBLISHED = RoleColumn(
    "stress_compatibility",
    "Stress, published ↓",
    0,
    "does the population's answering have the circular structure of human values? Stress of a scaling that begins at "
    "the theoretical places and stops after about three steps, as published: kept for comparison.",
)
STRESS_CORRECTED = RoleColumn(
    "stress_corrected",
    "Stress, corrected ↓",
    0,
    "Kruskal's stress-1 of a non-metric scaling to a plane that has converged. It says how well any plane fits.",
)
CFI = RoleColumn("cfi", "CFI", 1, "comparative fit index of the factor models, a fit that failed counting as 0.")
SRMR = RoleColumn("srmr", "SRMR ↓", 0, "standardised residual of the factor models, a fit that failed counting as 1.")
RMSEA = RoleColumn("rmsea", "RMSEA ↓", 0, "approximation error of the factor models, a fit that failed counting as 1.")
ACCEPTED = RoleColumn(
    "success_rate",
    "Fits",
    1,
    "share of the factor models that could be fitted by the published rule: where it is low, CFI, SRMR and RMSEA "
    "mostly count failures.",
    percent=True,
)
CFI_STRICT = RoleColumn("cfi_strict", "CFI, strict", 1, "CFI, improper solutions counting as failed, too.")
SRMR_STRICT = RoleColumn("srmr_strict", "SRMR, strict ↓", 0, "SRMR, improper solutions counting as failed, too.")
RMSEA_STRICT = RoleColumn("rmsea_strict", "RMSEA, strict ↓", 0, "RMSEA, improper solutions counting as failed, too.")
ACCEPTED_STRICT = RoleColumn(
    "success_rate_strict",
    "Fits, strict",
    1,
    "share of the factor models with a proper solution: no variance below 0, no correlation of factors beyond 1.",
    percent=True,
)

STABILITY = (RANK_ORDER, CEILING, OF_CEILING, PORTRAITS, SURVEYS, IPSATIVE, ALPHA)
STRUCTURE = (
    STRESS_PUBLISHED,
    STRESS_CORRECTED,
    CFI,
    SRMR,
    RMSEA,
    ACCEPTED,
    CFI_STRICT,
    SRMR_STRICT,
    RMSEA_STRICT,
    ACCEPTED_STRICT,
)


def asked_in(board: RoleBoard, columns: Sequence[RoleColumn]) -> list[RoleColumn]:
    """Return the columns that this edition has anything for."""
    kinds = {context.kind for context in board.contexts if context.retest_of is None}
    retest = any(context.retest_of for context in board.contexts)
    absent = {"rank_order_portrait_survey"} if len(kinds) < 2 else set()
    absent |= set() if retest else {"ceiling", "share_of_ceiling"}
    return [column for column in columns if column.name not in absent]


def plain(found: float | None, places: int = PLACES) -> str:
    """Return a number without the sign of a zero; ``–`` where there is none."""
    shown = number(found, places)
    return shown[1:] if shown.startswith("-") and not float(shown) else shown.replace("-", "−")


def shown_reach(interval: Interval | None) -> str:
    """Return an interval of correlations, rounded outwards to two decimals; ``–`` where there is none."""
    if interval is None:
        return "–"
    low, high = floor(interval[0] * 100 + 1e-9) / 100, ceil(interval[1] * 100 - 1e-9) / 100
    return f"{plain(low, 2)} to {plain(high, 2)}"


def share(part: float | None) -> str:
    """Return a share of answers in per cent, with a decimal where it is small; ``–`` where there is none."""
    if part is None:
        return "–"
    if part == 0:
        return "0 %"
    return f"{100 * part:.1f} %" if part >= 0.0005 else "< 0.1 %"
