"""What could not be computed, and why: every null in a result has an entry here. Knows nothing of the metrics."""

import math
from collections.abc import Mapping

from independence_bench.digest import Json


class Undefined:
    """Collects the undefined values of one analysis while its result is written."""

    def __init__(self) -> None:
        """Start with nothing undefined."""
        self._entries: dict[str, str] = {}

    def note(self, what: str, why: str) -> None:
        """Name something undefined; the first reason is kept."""
        self._entries.setdefault(what, why)

    def number(self, value: float | None, what: str, why: str) -> float | None:
        """Return a finite number as it is, anything else as None with an entry."""
        if value is not None and math.isfinite(value):
            return float(value)
        self.note(what, why)
        return None

    def numbers(self, values: Mapping[str, float | None], where: str, why: str) -> dict[str, Json]:
        """Return :meth:`number` of each value; ``where`` is put before its name."""
        return {name: self.number(value, where + name, why) for name, value in values.items()}

    def listed(self) -> list[Json]:
        """All entries in order of first mention."""
        return [{"what": what, "why": why} for what, why in self._entries.items()]
