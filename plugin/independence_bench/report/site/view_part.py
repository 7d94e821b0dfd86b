"""What a kind of edition puts into the viewer's pages and data. Names no kind.

Its folder of templates holds ``lead.html``, ``numbers.html``, ``scenarios.html``, ``judges.html``, ``method_part.html``
and ``limits.html``; a file there that is called like a shared one takes its place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.interviews import AnsweredItem
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.site.chunks import Datum
from independence_bench.report.site.edition_views import EditionView


@dataclass(frozen=True)
class QuestionnaireItem:
    """One item of a questionnaire."""

    number: int
    value: str | None
    """What it measures; None: nothing by itself."""
    words: str | None
    """As somebody was asked; None where nobody was."""


class ViewPart:
    """One view of a kind. This is what a kind shows at least: what has more overrides it."""

    heading = "Independence Index"
    """In the title of every page."""

    def __init__(self, view: EditionView) -> None:
        """Show the trials of a view."""
        self.view = view

    @property
    def readers(self) -> str:
        """Who has read the answers, as a part of a sentence."""
        return f"judged by {', '.join(self.view.board.judges) or 'nobody'}"

    @property
    def notes(self) -> Sequence[str]:
        """What has to be known about the numbers."""
        return self.view.board.notes

    def figures(self) -> Iterator[tuple[str, str]]:
        """Yield path, relative to the view, and content of every file of its own."""
        yield from ()

    def editions(self, published: Sequence[Edition]) -> Sequence[Edition]:
        """Return the editions that the page on the method tells about."""
        return [self.view.session.edition]

    def variables(self, asked: Mapping[str, Sequence[AnsweredItem]]) -> Mapping[str, object]:
        """Return what its templates need beside the view; ``asked`` holds an interview by scenario, where there are."""
        return {}

    def overview(self) -> Datum:
        """Return what every page of the view must know, as ``site.js`` holds it under the kind's name."""
        return None

    def scenario_facts(self, scenario: str) -> Mapping[str, Datum]:
        """Return what ``site.js`` says of a scenario beside what it says of all."""
        return {}

    def model(self, place: int) -> Datum:
        """Return what the data of the model at this place hold under the kind's name."""
        return None

    def answer_chunks(self, trials: Sequence[PlannedTrial]) -> Iterator[tuple[str, Sequence[PlannedTrial]]]:
        """Yield the trials of every chunk of a model's answers, with what its name ends in."""
        yield "", trials

    def items(self, scenario: str, asked: Sequence[AnsweredItem]) -> Sequence[QuestionnaireItem]:
        """Return the items of a scenario's questionnaire, with their words out of one that was ``asked``."""
        return ()
