"""Heads and explanations of the numbers of role stability, each with its chance level. Knows no model.

Their texts are in ``role_columns.yaml``, those around them in ``role_page.yaml``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Literal

from independence_bench.kinds.roles.metrics.measured import Numbers
from independence_bench.kinds.roles.reporting.role_board import Interval, RoleBoard
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.numbers.number import Estimated, Number
from independence_bench.report.numbers.number_columns import estimate_text
from independence_bench.report.numbers.number_questions import RANK_ORDER as RANK_ORDER_NAME

if TYPE_CHECKING:
    from independence_bench.kinds.roles.reporting.role_results import RoleResult

PLACES = 3


@dataclass(frozen=True)
class RoleColumn(Number["RoleResult"]):
    """One number of :class:`Numbers`, with the level of chance that stands beside it."""

    best: float = 1.0
    group: str | None = None  # its table: ``stability`` or ``structure``

    @classmethod
    def read(cls, name: str, head: str, meaning: str, best: float, low: float = 0.0, **facts: Any) -> "RoleColumn":
        """Take what the file says of a number."""
        good: Literal["high", "low"] = "high" if best else "low"
        gated = name == RANK_ORDER_NAME
        of: Callable[[RoleResult], Estimated] = lambda found: found.estimated(name)  # noqa: E731
        return cls(name, head, meaning, good, low, 1.0, of, gated=gated, best=best, **facts)

    def shown(self, numbers: Numbers | None) -> str:
        """Return the number as a table shows it; ``–`` where it is undefined."""
        return self.written(None if numbers is None else getattr(numbers, self.name))

    def written(self, found: float | None) -> str:
        """Return a value of this column."""
        if found is None:
            return "–"
        return f"{100 * found:.0f} %" if self.percent else rho_text(found)

    def chance(self, board: RoleBoard) -> str:
        """Return the result of random answers with its spread: ``0.002 ± 0.009``."""
        mean, sd = getattr(board.chance.mean, self.name), getattr(board.chance.sd, self.name)
        if mean is None:
            return "–"
        return self.written(mean) + ("" if sd is None else f" ± {self.written(sd)}")

    def sentence(self, board: RoleBoard) -> str:
        """Explain the column: its meaning, best value and chance level."""
        level = self.chance(board)
        at_random = f"answers at random: {level}" if level != "–" else "answers at random have none"
        return f"{self.means} Best: {self.written(self.best)}; {at_random}."


COLUMNS = {
    name: RoleColumn.read(name, **facts) for name, facts in packaged_yaml(__package__, "role_columns.yaml").items()
}
"""By the name of the number."""

WORDS: dict[str, Any] = packaged_yaml(__package__, "role_page.yaml")  # what page and figures say around their numbers

CARDINAL = COLUMNS["cardinal"]
RANK_ORDER = COLUMNS["rank_order"]
CEILING = COLUMNS["ceiling"]
OF_CEILING = COLUMNS["share_of_ceiling"]
STRESS = COLUMNS["stress"]
ACCEPTED = COLUMNS["success_rate"]

STABILITY = tuple(column for column in COLUMNS.values() if column.group == "stability")
STRUCTURE = tuple(column for column in COLUMNS.values() if column.group == "structure")


def asked_in(board: RoleBoard, columns: Sequence[RoleColumn]) -> list[RoleColumn]:
    """Return the columns for which this edition has data."""
    absent = set()
    if len({context.kind for context in board.main_contexts}) < 2:
        absent.add("rank_order_portrait_survey")
    if len(board.main_contexts) == len(board.contexts):
        absent |= {"ceiling", "share_of_ceiling"}
    return [column for column in columns if column.name not in absent]


def rho_text(found: float | None, places: int = PLACES) -> str:
    """Return a number, zero without a sign; ``–`` where there is none."""
    return estimate_text(found, places)


def rho_interval(interval: Interval | None) -> str:
    """Return an interval of correlations, rounded outwards to two decimals; ``–`` where there is none."""
    if interval is None:
        return "–"
    low, high = floor(interval[0] * 100 + 1e-9) / 100, ceil(interval[1] * 100 - 1e-9) / 100
    return f"{rho_text(low, 2)} to {rho_text(high, 2)}"


def share_text(part: float | None) -> str:
    """Return a share of answers in per cent, with a decimal where it is small; ``–`` where there is none."""
    if part is None:
        return "–"
    if part == 0:
        return "0 %"
    return f"{100 * part:.1f} %" if part >= 0.0005 else "< 0.1 %"
