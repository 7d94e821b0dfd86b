"""What a kind of edition puts into the viewer's pages and data. Names no kind.

A file in its folder of templates takes the place of a shared one of its name: ``lead.html``, ``numbers.html``,
``scenarios.html``, ``judges.html``, ``method_part.html``, ``limits.html``; ``below_ranking.html`` is its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from independence_bench.catalog.editions import Edition
from independence_bench.kind_registry import INDEX, KINDS, wing
from independence_bench.report.analysis.leaderboard import about_models
from independence_bench.report.analysis.marks import MARKS, common_marks, explained
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Analysis
from independence_bench.report.blocks import Block
from independence_bench.report.presented import Presented, ViewPages
from independence_bench.report.site.chunks import Datum
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.views.svg import Figure
from independence_bench.store import Store
from independence_bench.trial import Transcript


@dataclass(frozen=True)
class QuestionnaireItem:
    """One item of a questionnaire."""

    number: int
    value: str | None  # what it measures; None: nothing by itself
    words: str | None  # as it was asked; None where it never was


class ViewPart:
    """One view of a kind. The least that a kind shows; kinds that show more override it."""

    heading = "Independence Index"

    def __init__(self, view: EditionView) -> None:
        """Show the trials of a view."""
        self.view = view
        self.report: object = None  # what the kind has made of the view, where it is more than its leaderboard

    @property
    def readers(self) -> str:
        """The judges, as part of a sentence."""
        return f"judged by {', '.join(self.view.board.judges) or 'no judge'}"

    @property
    def description(self) -> str:
        """One sentence for search engines and shared links."""
        board = self.view.board
        models = len({row.identity for row in board.models})
        best = [str(self.view.names[row.identity]) for row in board.ranked[:3]]
        leading = f" Leading: {'; '.join(best)}." if best else ""
        return f"{self.heading} of {models} model configurations, edition {board.edition}, {self.readers}.{leading}"

    @property
    def notes(self) -> Sequence[str]:
        """Warnings about the numbers; what single models' warnings and marks say is beside their names."""
        return self.beside_names(self.view.board.notes, self.view.board.models)

    def beside_names(self, notes: Sequence[str], rows: Sequence[LeaderboardRow]) -> Sequence[str]:
        """Return the notes that no row shows, after the marks that every row has."""
        row_sentences = {*explained(row.marks for row in rows), *about_models(rows)}
        common = [f"Every row is {MARKS[name].word}: {MARKS[name].means}." for name in common_marks(rows)]
        return [*common, *(note for note in notes if note not in row_sentences)]

    @property
    def analyses(self) -> Sequence[tuple[Analysis[Any], Sequence[Block[Any]]]]:
        """Every analysis with its blocks; each stands at the end of its page."""
        return ()

    @property
    def pictures(self) -> Mapping[str, Sequence[Figure]]:
        """The pictures of each analysis that has some, by its field."""
        return {}

    @property
    def warned(self) -> int:
        """How many rows have warnings."""
        return sum(bool(row.warnings) for row in self.view.board.models)

    def chunks(self) -> Iterator[tuple[str, Datum]]:
        """Yield name and content of every chunk of data of its own pages."""
        yield from ()

    def figures(self) -> Iterator[tuple[str, str]]:
        """Yield path, relative to the view, and content of every further file."""
        yield from ()

    def editions(self, published: Sequence[Edition]) -> Sequence[Edition]:
        """Return the editions that the method page describes."""
        return [self.view.session.edition]

    def variables(self, asked: Mapping[str, Sequence[AnsweredItem]]) -> Mapping[str, object]:
        """Return further variables of its templates; ``asked`` holds an interview by scenario, where there are any."""
        return {}

    def overview(self) -> Datum:
        """Return the data for every page of the view, stored in ``site.js`` under the kind's name."""
        return None

    def by_kind(self, own: Datum) -> dict[str, Datum]:
        """Return ``own`` under the view's kind and None under all others, for scripts; the usual kind has none."""
        return {name: own if name == self.view.session.edition.kind else None for name in KINDS if name != INDEX}

    def scenario_facts(self, scenario: str) -> Mapping[str, Datum]:
        """Return additional fields of a scenario in ``site.js``."""
        return {}

    def model(self, place: int) -> Datum:
        """Return the kind's own data of the model at this place, stored under the kind's name."""
        return None

    def answer_facts(self, trial: PlannedTrial, transcript: Transcript) -> Mapping[str, Datum]:
        """Return additional fields of a trial's conversation in its chunk."""
        return {}

    def answer_chunks(self, trials: Sequence[PlannedTrial]) -> Iterator[tuple[str, Sequence[PlannedTrial]]]:
        """Yield the trials of every chunk of a model's answers, with what its name ends in."""
        yield "", trials

    def items(self, scenario: str, asked: Sequence[AnsweredItem]) -> Sequence[QuestionnaireItem]:
        """Return the items of a scenario's questionnaire, with their words out of one that was ``asked``."""
        return ()


class SiteKind(Protocol):
    """How the viewer shows a kind of edition."""

    pages: ViewPages

    def view_part(self, store: Store, view: EditionView, shown: Presented | None) -> ViewPart:
        """Build what the viewer shows of one view; ``shown`` is what a session has just been presented as."""


def site_kind(kind: str) -> SiteKind:
    """Return how the viewer shows a kind of edition."""
    return cast(SiteKind, wing(kind, "reporting"))
