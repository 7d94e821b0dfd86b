"""One model configuration as the analyses see it: its row and the trials the row was made of. Computes nothing."""

from typing import NamedTuple

from independence_bench.report.board import ModelRow
from independence_bench.report.standing import Standing


class Contestant(NamedTuple):
    """A row of the leaderboard with its standing."""

    row: ModelRow
    standing: Standing

    @property
    def own(self) -> bool:
        """True within the edition's own configurations."""
        return self.row.configuration is None

    @property
    def name(self) -> tuple[str, str]:
        """What rows are sorted by where no number decides."""
        return self.row.label, self.row.identity
