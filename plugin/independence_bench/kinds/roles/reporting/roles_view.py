"""The view of an edition of roles: numbers, figures and interviews instead of an Index.

Interviews are trials like all others: the pages show them as any conversation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import PurePosixPath

import numpy as np

from independence_bench.aggregation import mean_known
from independence_bench.kinds.roles.design import VALUES, QuestionnaireShape, RolesDesign, roles_design
from independence_bench.kinds.roles.reporting import role_columns as columns
from independence_bench.kinds.roles.reporting.role_board import RoleBoard
from independence_bench.kinds.roles.reporting.role_figures import heat_map
from independence_bench.kinds.roles.reporting.role_numbers import NUMBERS, ORDER, at_random
from independence_bench.kinds.roles.reporting.role_results import RoleReport, RoleResult
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.numbers.number_columns import interval_text, number_text
from independence_bench.report.numbers.number_view import NumberView
from independence_bench.report.site.chunks import Datum, drop_empty, rounded
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import QuestionnaireItem
from independence_bench.report.views.svg import Figure
from independence_bench.scoring.components import finite


def _movement(result: RoleResult, design: RolesDesign) -> list[list[float | None]]:
    """Return how far each persona has moved among the others from its place in the first context.

    Persona × context, as a share of the longest way, from 0 to 1: mean over values and runs of
    |place − place in the first context| / (personas − 1); random answers are expected to have
    (n + 1) / 3n. None where it is undefined: in the first context itself, in a retest, and where a score is missing.
    """
    ranks = [population.places for population in result.populations]
    by_run = [np.abs(each - each[0]).mean(axis=2) / (each.shape[1] - 1) for each in ranks]
    movement = np.full((len(design.personas), len(design.contexts)), np.nan)
    movement[:, [context.retest_of is None for context in design.contexts]] = np.mean(by_run, axis=0).T
    movement[:, 0] = np.nan
    return [[finite(share) for share in persona] for persona in movement.tolist()]


class RolesView(NumberView[RoleResult, RoleBoard]):
    """Role stability of a view."""

    def __init__(self, view: EditionView, report: RoleReport | None, trouble: str | None) -> None:
        """``trouble`` says why there is no report."""
        super().__init__(view, report, trouble)
        self.design: RolesDesign = roles_design(view.session.edition.design)
        self.model_figures: dict[tuple[str, str | None], Figure] = {}
        """By identity and configuration; none where an interview is missing."""
        if report is not None:
            for place, row in enumerate(report.board.measured_models, 1):
                drawing = heat_map(report.board, row, place)
                path = f"data/{PurePosixPath(drawing.path).name}"
                self.model_figures[row.identity, row.configuration] = replace(drawing, path=path)
        self.movements = {name: _movement(each, self.design) for name, each in self.results.items() if each.populations}

    def figures(self) -> Iterator[tuple[str, str]]:
        """Yield every model's figure."""
        yield from ((figure.path, figure.svg) for figure in self.model_figures.values())

    def variables(self, asked: Mapping[str, Sequence[AnsweredItem]]) -> Mapping[str, object]:
        """Return columns, values, and every questionnaire in the words of the first interview that asks it."""
        by_shape = {self._instrument(scenario).name: items for scenario, items in reversed([*asked.items()]) if items}
        return {
            "roles": self,
            "explained_columns": [*columns.RANKING, *columns.FURTHER],
            "value_columns": columns.BY_VALUE,
            "number_table": columns.number_table(self.board) if self.board else None,
            "values": VALUES,
            "questionnaires": [
                (shape, _items(shape, by_shape.get(shape.name, ()))) for shape in self.design.questionnaires
            ],
        }

    def overview(self) -> Datum:
        """Return the names of personas and contexts."""
        return {
            "personas": [persona.name for persona in self.design.personas],
            "contexts": [context.title for context in self.design.contexts],
            "retests": [place for place, context in enumerate(self.design.contexts) if context.retest_of],
        }

    def scenario_facts(self, scenario: str) -> Mapping[str, Datum]:
        """Return the places of persona and context."""
        persona, context = self.places[scenario]
        return {"persona": persona, "context": context}

    def model(self, place: int) -> Datum:
        """Return a model's role stability; None where there is none to show."""
        shown, board = self.view.board.models[place], self.board
        name = shown.identity, shown.configuration
        row = self.rows.get(name)
        if row is None or board is None:
            return None
        values = [(each, value) for name, each in NUMBERS.items() if (value := row.number(name)) is not None]
        return drop_empty(
            rank=row.rank and row.shown_rank,
            numbers=[
                [each.title, rounded(value), number_text(each, value), at_random(board.chance, each)]
                for each, value in values
            ],
            by_persona=interval_text(row.ends(ORDER.name), ORDER.places),
            by_run=interval_text(row.interval_by_run, ORDER.places),
            moved=[[rounded(share) for share in persona] for persona in self.movements.get(name, ())],
            figures=[[drawing.path, drawing.title]] if (drawing := self.model_figures.get(name)) else [],
        )

    def answer_chunks(self, trials: Sequence[PlannedTrial]) -> Iterator[tuple[str, Sequence[PlannedTrial]]]:
        """Yield each persona's interviews: all of them together would be megabytes."""
        for place in range(len(self.design.personas)):
            yield f"-{place + 1}", [trial for trial in trials if self.places[trial.scenario.id][0] == place]

    def items(self, scenario: str, asked: Sequence[AnsweredItem]) -> Sequence[QuestionnaireItem]:
        """Return the items that an interview asks."""
        return _items(self._instrument(scenario), asked)

    def scenario(self, persona: int, context: int) -> str:
        """Return the id of the interview of a persona in a context, by their places."""
        return self.design.scenario_id(self.design.personas[persona], self.design.contexts[context])

    def movement(self, persona: int, context: int) -> float | None:
        """Return how far the persona at this place moves in the context at that place, mean over models: 0 to 1."""
        own = [each for (_, configuration), each in self.movements.items() if configuration is None]
        return mean_known(each[persona][context] for each in own)

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Places of persona and context by scenario id."""
        return {
            self.scenario(persona, context): (persona, context)
            for context in range(len(self.design.contexts))
            for persona in range(len(self.design.personas))
        }

    def _instrument(self, scenario: str) -> QuestionnaireShape:
        return self.design.questionnaire(self.design.contexts[self.places[scenario][1]].instrument)


def _items(shape: QuestionnaireShape, items: Sequence[AnsweredItem]) -> list[QuestionnaireItem]:
    words = {item.item: item.words for item in items}
    values = {number: value for value, numbers in shape.items.items() for number in numbers}
    return [QuestionnaireItem(number, values.get(number), words.get(number)) for number in range(1, shape.n_items + 1)]
