"""A small edition of toys and a store in memory, filled with the verdicts of a judge."""

from collections.abc import Callable

from report_samples import JUDGE, World, session_of
from toy_kind import RUBRIC, SCORE
from toy_kind.design import ToyDesign

from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.spec import PanelJudge, Scenario
from independence_bench.store import PlannedCell, Session, Store

TOYS = tuple(f"toy-{number}" for number in range(1, 9))
Describes = Callable[[int, int], int]
"""Toy from 0, run → what the judge finds of the description: 0, 1 or 2, which is best."""


def edition() -> Edition:
    return Edition.model_validate(
        {
            "id": "toys",
            "title": "Toys",
            "system_variants": ("neutral",),
            "delivery_modes": ("user_role",),
            "scenarios": tuple(
                Scenario(id=toy, experiment="toys", title="", claim="", turns=(), rubric=RUBRIC) for toy in TOYS
            ),
            "components": {},
            "design": ToyDesign(toys=len(TOYS)),
        }
    )


def records_of(store: Store, session: Session) -> BoardRecords:
    """Return what tidy tables of any kind are filled from."""
    return BoardRecords.of(store, session, build_leaderboard(store, session, current_set_digest))


class ToyWorld(World):
    """A store in memory and a session of toys; the kind must be installed."""

    def __init__(self, judge: PanelJudge = JUDGE) -> None:
        cells = [
            PlannedCell(
                scenario=toy,
                experiment="toys",
                system_variant="neutral",
                delivery_mode="user_role",
                script_digest=toy,
                official=True,
            )
            for toy in TOYS
        ]
        super().__init__(session_of(edition=edition(), planned=cells, panel=(judge,)))
        self.judge = judge

    def play(self, label: str, described: Describes, runs: int = 1) -> None:
        """Describe every toy in every run."""
        self.know(label, label)
        for run in range(1, runs + 1):
            for place, toy in enumerate(TOYS):
                self.trial(
                    label,
                    toy,
                    {SCORE: 5 * described(place, run)},
                    run,
                    judges=(self.judge,),
                    edition=self.session.edition,
                    variant="neutral",
                    delivery="user_role",
                    script=toy,
                )

    def request(self, first: str, second: str, max_drop: float | None = None) -> ComparisonRequest:
        """Compare two of them."""
        entries = {entry.row.label: entry for entry in ranked_models(self.store, self.session).entries}
        one, other = (Side(entries[label].row, entries[label].result, "here", self.store) for label in (first, second))
        return ComparisonRequest(self.session, one, other, 0.95, 1, current_set_digest, max_drop)
