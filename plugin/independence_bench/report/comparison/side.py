"""One side of a comparison: a model configuration's result and its source. Compares nothing."""

from dataclasses import dataclass
from functools import cached_property

from independence_bench.report.analysis.model_intervals import with_intervals
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow, leaderboard_row
from independence_bench.report.comparison.found import ComparedModel
from independence_bench.report.report_data import shared
from independence_bench.store import Configuration, Store
from independence_bench.utc import utc


@dataclass(frozen=True)
class Side:
    """A model in a comparison."""

    label: str
    """Differs from the other side's label."""
    source: str
    """The path or name that the user gave for its store."""
    store: Store
    facts: Configuration
    result: ModelResult

    @cached_property
    def row(self) -> LeaderboardRow:
        """Its row of the leaderboard."""
        return leaderboard_row(self.result, self.label, self.facts)

    def shown(self, confidence: float) -> ComparedModel:
        """Return the side as reports show it, with intervals at this confidence."""
        row = with_intervals([Ranked(self.row, self.result)], confidence)[0].row
        asked = [trial.transcript.created_at for trial in self.result.trials if trial.transcript]
        return ComparedModel(
            source=self.source,
            runs=len(row.runs),
            **shared(row, ComparedModel, "runs"),
            first_asked=utc(min(asked)) if asked else None,
            last_asked=utc(max(asked)) if asked else None,
        )
