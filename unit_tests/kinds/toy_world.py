"""A small edition of toys and a store in memory, filled with made-up descriptions."""

from collections.abc import Callable
from itertools import count

from toy_kind.design import ToyDesign

from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.spec import Scenario
from independence_bench.store import Configuration, PlannedCell, Session, Store
from independence_bench.trial import Exchange, Reply, Transcript, TrialRecord, Usage

TOYS = tuple(f"toy-{number}" for number in range(1, 9))
Describes = Callable[[int, int], int]
"""Toy from 0, run → how many of its two descriptions have more than a word."""


def edition() -> Edition:
    return Edition.model_validate(
        {
            "id": "toys",
            "title": "Toys",
            "system_variants": ("neutral",),
            "delivery_modes": ("user_role",),
            "scenarios": tuple(
                Scenario(id=toy, experiment="toys", title="", claim="", turns=(), rubric=None) for toy in TOYS
            ),
            "components": {},
            "design": ToyDesign(toys=len(TOYS)),
        }
    )


def records_of(store: Store, session: Session) -> BoardRecords:
    """Return what tidy tables of any kind are filled from."""
    return BoardRecords.of(store, session, build_leaderboard(store, session, current_set_digest))


class ToyWorld:
    """A store in memory and a session of toys; the kind must be installed."""

    def __init__(self, labels: tuple[str, ...] = (), runs: int = 1) -> None:
        self.store = Store.empty()
        cells = tuple(
            PlannedCell(
                scenario=toy,
                experiment="toys",
                system_variant="neutral",
                delivery_mode="user_role",
                script_digest=toy,
                official=True,
            )
            for toy in TOYS
        )
        self.session = Session(
            id="s-toys",
            started_at=1000.0,
            version="0",
            edition=edition(),
            cells=cells,
            runs=runs,
            labels=labels,
            configurations=labels,
            panel=(),
            plan_digest="plan",
        )
        self.seconds = count(2000)
        self.store.begin_session(self.session, [])

    def play(self, label: str, described: Describes, runs: int = 1) -> None:
        """Describe every toy in every run."""
        known = Configuration(configuration=label, label=label, model_id=f"id/{label}")
        self.store.begin_session(self.session, [known])
        self.store.add_all(
            [
                self._record(label, toy, run, described(place, run))
                for run in range(1, runs + 1)
                for place, toy in enumerate(TOYS)
            ],
            self.session.id,
        )

    def request(self, first: str, second: str, max_drop: float | None = None) -> ComparisonRequest:
        """Compare two of them."""
        entries = {entry.row.label: entry for entry in ranked_models(self.store, self.session).entries}
        one, other = (Side(entries[label].row, entries[label].result, "here", self.store) for label in (first, second))
        return ComparisonRequest(self.session, one, other, 0.95, 1, current_set_digest, max_drop)

    def _record(self, label: str, toy: str, run: int, described: int) -> TrialRecord:
        answers = [*["It is round."] * described, *["Hm."] * (2 - described)]
        exchanges = tuple(
            Exchange(after=None, asked="?", reply=Reply(answer=answer, usage=Usage(cost_usd=0.001)))
            for answer in answers
        )
        return TrialRecord(
            key=f"{label}/{toy}/{run}",
            label=label,
            model_id=f"id/{label}",
            configuration=label,
            build=None,
            edition="toys",
            experiment="toys",
            scenario=toy,
            run=run,
            system_variant="neutral",
            delivery_mode="user_role",
            script_digest=toy,
            transcript=Transcript(
                delivery_mode="user_role", system="", start="", greeting=None, opening=(), exchanges=exchanges
            ),
            transcript_at=float(next(self.seconds)),
        )
