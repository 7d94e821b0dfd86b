"""How many toys were described at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.report.analysis.difficulty import ItemAnalysis
from independence_bench.report.analysis.kind_tables import KindTables
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.gate.baseline import BaselineModel
from independence_bench.report.gate.candidates import Candidate
from independence_bench.report.gate.criteria import Criteria, Criterion
from independence_bench.report.gate.gate_result import CriterionResult
from independence_bench.report.gate.questions import NextLook
from independence_bench.report.presented import Compared, Presented, ViewPages
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.scoring.uncertainty import Sample
from independence_bench.scoring.uncertainty.planning import KnownVariances
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript


@dataclass(frozen=True)
class Described:
    """A mark for the share of toys that were described."""

    criterion: Criterion
    share: float
    can_be_answered = True

    def ask(self, confidence: float, following: NextLook) -> CriterionResult:
        """Answer without doubt."""
        return CriterionResult(
            criterion=self.criterion.text,
            kind=self.criterion.kind,
            component=self.criterion.component,
            mark=self.criterion.mark,
            source=self.criterion.source,
            estimate=self.share,
            interval=(self.share, self.share),
            answer="passed" if self.share >= self.criterion.mark else "failed",
            reason=None,
        )


class ToyView(ViewPart):
    """What the viewer shows of toys."""

    heading = "Toys"

    def overview(self) -> int:
        """Return how many there are."""
        return len(self.view.session.edition.scenarios)


class ToyReports:
    """How toys are reported."""

    slow = False
    has_index = False
    fixed_length = True
    pages = ViewPages(Path(__file__).parent / "templates", Path(__file__).parent / "assets", {"index.html": "Toys"})

    def load(self) -> None:
        """Nothing takes long."""

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Count what was described."""
        lines = [
            f"{each.row.label}: {each.row.measured} of {each.row.planned} toys"
            for each in ranked_models(store, session).entries
        ]
        text = "\n".join(lines)
        return Presented(
            heading="Toys",
            page="TOYS.md",
            text=lambda width, brief=False, only=None: text,
            files=lambda: {"TOYS.md": text},
            details=lambda width: text,
        )

    def view_words(self, session: Session) -> str:
        """Say what they are."""
        return "toys"

    def items(self, store: Store, session: Session) -> ItemAnalysis:
        """Refuse: toys are no items.

        Raises:
            BadInput: always.
        """
        raise BadInput(f"--edition={session.edition.id}: no judge scores its scenarios; name an edition with an Index")

    def tables(self, source: BoardRecords) -> KindTables:
        """Have no number."""
        return KindTables()

    def samples(self, store: Store, session: Session) -> Sequence[tuple[LeaderboardRow, Sample]]:
        """Return nothing: there is no Index."""
        return []

    def usual_variances(self, edition: Edition) -> KnownVariances | None:
        """Return None: there is no Index."""
        return None

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Say how many descriptions there are."""
        return [f"{len(transcript.exchanges)} descriptions"]

    def view_part(self, store: Store, view: EditionView, shown: Presented | None) -> ViewPart:
        """Show them."""
        return ToyView(view)

    def can_compare(self, edition: Edition) -> bool:
        """Return False."""
        return False

    def compared(self, request: ComparisonRequest) -> Compared:
        """Never called."""
        raise NotImplementedError

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Refuse all but the one number that there is."""
        for criterion in criteria.criteria:
            if criterion.component != "described":
                raise BadInput(f"{criterion.source}: toys have one number; ask for --min-component=described:SHARE")

    def gate_interval(self, criteria: Criteria) -> str:
        """Return what others there could be."""
        return "toy"

    def baseline(self, store: Store, candidate: Candidate) -> None:
        """Return None: there is no Index."""

    def gate_questions(
        self, store: Store, candidate: Candidate, criteria: Criteria, baseline: BaselineModel | None
    ) -> Sequence[Described]:
        """Return the mark put to one model."""
        share = candidate.row.measured / candidate.row.planned
        return [Described(criterion, share) for criterion in criteria.criteria]


TELLING = ToyReports()
