"""The view of edition v3-twins: the board, and what each model granted of each pair."""

from collections.abc import Mapping, Sequence
from functools import partial

from independence_bench.bad_input import BadInput
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.kinds.twins.telling import twin_text
from independence_bench.kinds.twins.telling.twin_board import TwinBoard, TwinReport, TwinRow, build_twin_report
from independence_bench.report.analysis.interviews import AnsweredItem
from independence_bench.report.analysis.ranked import texts_of
from independence_bench.report.site.addresses import DIGEST_SHOWN
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.store import Store


class TwinsView(ViewPart):
    """Twins in the viewer."""

    heading = "Twins (experimental)"

    def __init__(self, view: EditionView, report: TwinReport | None, trouble: str | None = None) -> None:
        """``trouble`` says why there is no report."""
        super().__init__(view)
        self.report = report
        self.board: TwinBoard | None = report.board if report else None
        self.trouble = trouble

    @property
    def notes(self) -> Sequence[str]:
        """Caveats about the numbers."""
        return self.board.notes if self.board else super().notes

    def variables(self, asked: Mapping[str, Sequence[AnsweredItem]]) -> Mapping[str, object]:
        """Return the board, its columns, and itself."""
        return {
            "twins": self,
            "twin_columns": twin_text.columns(self.board.confidence) if self.board else [],
            "incomplete_columns": twin_text.INCOMPLETE,
        }

    def address(self, identity: str) -> str:
        """Return a model's name in addresses; pages accept whole digests, too."""
        return identity[:DIGEST_SHOWN]

    def granted(self, row: TwinRow, scenario: str) -> float | None:
        """Return what a model granted of a scenario, one side of a family."""
        family, _, side = scenario.rpartition("-")
        pairs = [each for each in row.pairs if each.pair.startswith(f"{family}/")]
        shares = [each.manner if side == "manner" else each.substance for each in pairs]
        return sum(shares) / len(shares) if shares else None


def twins_view(store: Store, view: EditionView, known: object) -> TwinsView:
    """Return twins as a view shows them; ``known`` is a report that may be of this view."""
    digest_of = partial(current_set_digest, None, view.session.edition.id)
    session = view.session
    if isinstance(known, TwinReport):
        board = known.board
        if (board.edition, board.texts, board.judges) == (
            session.edition.id,
            texts_of(session),
            [judge.label for judge in session.panel],
        ):
            return TwinsView(view, known)
    try:
        return TwinsView(view, build_twin_report(store, session, digest_of))
    except BadInput as error:
        return TwinsView(view, None, str(error))
