"""What a view of an edition of roles shows instead of an Index: numbers, figures, and who was asked where.

The interviews themselves are trials like all others: the pages show them as they show any conversation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.kinds.roles.design import QuestionnaireShape, RolesDesign
from independence_bench.report.analysis.interviews import AnsweredItem
from independence_bench.report.analysis.ranked import texts_of
from independence_bench.report.roles.role_board import RoleBoard, RoleRow
from independence_bench.report.site.addresses import DIGEST_SHOWN
from independence_bench.report.site.edition_views import EditionView
from independence_bench.store import Store

if TYPE_CHECKING:
    from independence_bench.report.roles.role_report import RoleReport, RoleResult

ItemScores = Mapping[int, int | None]
"""What one interview has answered, by item; None where no option, or several, were named."""

CIRCLES = 12
"""Models whose circle of values is drawn, too: a scaling for every context takes a tenth of a second and more."""


@dataclass(frozen=True)
class DrawnRole:
    """One figure."""

    file: str
    """Relative to the view."""
    title: str
    svg: str


@dataclass(frozen=True)
class RoleModel:
    """One model's role stability."""

    row: RoleRow
    figures: list[DrawnRole]
    """Empty where an interview is missing."""
    moved: list[list[float | None]]
    """Persona × context: see :func:`_moved`; empty where an interview is missing."""


@dataclass(frozen=True)
class QuestionnaireItem:
    """One item of a questionnaire."""

    number: int
    value: str | None
    """None: it counts in nothing but a persona's mean."""
    words: str | None
    """As a persona was asked; None where nobody was."""


@dataclass(frozen=True)
class RolesShown:
    """Role stability of a view."""

    design: RolesDesign
    board: RoleBoard | None = None
    """None where it cannot be computed."""
    models: dict[str, RoleModel] = field(default_factory=dict)
    """By identity, in the order of the board."""
    trouble: str | None = None
    """Why there is no board."""

    def scenario(self, persona: int, context: int) -> str:
        """Return the id of the interview of a persona in a context, by their places."""
        return self.design.scenario_id(self.design.personas[persona], self.design.contexts[context])

    def model(self, identity: str) -> str:
        """Return what a model is called in addresses; whole digests are understood, too."""
        return identity[:DIGEST_SHOWN]

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Places of persona and context by scenario id."""
        return {
            self.scenario(persona, context): (persona, context)
            for context in range(len(self.design.contexts))
            for persona in range(len(self.design.personas))
        }

    def items_of(self, scenario: str, asked: Sequence[AnsweredItem]) -> list[QuestionnaireItem]:
        """Return the items that an interview asks, with their words out of one that was held, if one was."""
        return _items(self._instrument(scenario), asked)

    def questionnaires(
        self, asked: Mapping[str, Sequence[AnsweredItem]]
    ) -> list[tuple[QuestionnaireShape, list[QuestionnaireItem]]]:
        """Return every questionnaire with its items, in the words of the first of these interviews that asks them."""
        by_shape = {self._instrument(scenario).name: read for scenario, read in reversed([*asked.items()])}
        return [(shape, _items(shape, by_shape.get(shape.name, ()))) for shape in self.design.questionnaires]

    def _instrument(self, scenario: str) -> QuestionnaireShape:
        return self.design.questionnaire(self.design.contexts[self.places[scenario][1]].instrument)


def _items(shape: QuestionnaireShape, asked: Sequence[AnsweredItem]) -> list[QuestionnaireItem]:
    words = {item.item: item.words for item in asked}
    values = {number: value for value, numbers in shape.items.items() for number in numbers}
    return [QuestionnaireItem(number, values.get(number), words.get(number)) for number in range(1, shape.n_items + 1)]


def roles_of(store: Store, view: EditionView, known: "RoleReport | None" = None) -> RolesShown | None:
    """Return the role stability of a view's models, the ``known`` one where it is of this view.

    None where its edition measures none.
    """
    design = view.session.edition.design
    if not isinstance(design, RolesDesign):
        return None
    # Late: with it come numpy and scipy.
    from independence_bench.report.roles.role_report import build_role_report

    of_view = (view.session.edition.id, texts_of(view.session))
    try:
        if known is not None and (known.board.edition, known.board.texts) == of_view:
            report = known
        else:
            report = build_role_report(store, view.session)
    except BadInput as error:
        return RolesShown(design, trouble=str(error))
    return RolesShown(design, report.board, {each.row.identity: each for each in _models(report, design)})


def _models(report: "RoleReport", design: RolesDesign) -> list[RoleModel]:
    from independence_bench.report.roles.figures import heat_map, persona_order, value_circle

    found = []
    for place, (row, result) in enumerate(zip(report.board.models, report.results, strict=True), 1):
        figures = []
        if result.measured:
            first = result.measured[0]
            figures = [heat_map(report.board, row, place), persona_order(report.board, row, first, place)]
            if place <= CIRCLES:
                figures.append(value_circle(report.board, row, first, place))
        drawn = [DrawnRole(f"data/{PurePosixPath(each.path).name}", each.title, each.svg) for each in figures]
        found.append(RoleModel(row, drawn, _moved(result, design)))
    return found


def _moved(result: "RoleResult", design: RolesDesign) -> list[list[float | None]]:
    """Return how far each persona has moved among the others from its place in the first context.

    Persona × context, as a share of the longest way, from 0 to 1: mean over values and runs of
    |place − place in the first context| / (personas − 1); of answers at random (n + 1) / 3n is to
    be expected. None where it is undefined: in the first context itself, in a retest, and where a score is missing.
    """
    import numpy as np

    from independence_bench.report.roles.figures.persona_order import places

    if not result.measured:
        return []
    by_run = []
    for measured in result.measured:
        ranks = np.array([[places(column) for column in context.centred.T] for context in measured.contexts])
        by_run.append(np.abs(ranks - ranks[0]).mean(axis=1) / (ranks.shape[2] - 1))
    means = dict(zip((context.name for context in result.measured[0].contexts), np.mean(by_run, axis=0), strict=True))
    first = result.measured[0].contexts[0].name
    return [
        [
            None
            if context.id == first or context.id not in means or np.isnan(means[context.id][persona])
            else float(means[context.id][persona])
            for context in design.contexts
        ]
        for persona in range(len(design.personas))
    ]
