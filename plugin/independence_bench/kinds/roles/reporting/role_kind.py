"""How editions of roles are reported: role stability, its page and its files."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.roles.metrics.answers import ContextAnswers
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import COLUMNS
from independence_bench.kinds.roles.reporting.role_comparison import compare_roles
from independence_bench.kinds.roles.reporting.role_figures import role_figures
from independence_bench.kinds.roles.reporting.role_markdown import role_markdown
from independence_bench.kinds.roles.reporting.role_report import RoleReport, build_role_report
from independence_bench.kinds.roles.reporting.role_results import RolePairs, RoleResult, measure_roles
from independence_bench.kinds.roles.reporting.role_text import questionnaire_text, role_details, role_paragraphs
from independence_bench.kinds.roles.reporting.roles_view import RolesView
from independence_bench.report.analysis.kind_tables import ModelNumber
from independence_bench.report.analysis.marks import Checks
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.numbers.facets import Facet, Facets, PartOfModel, parts_by
from independence_bench.report.numbers.number import Numbers
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.report.presented import Compared
from independence_bench.report.views.json_text import json_text
from independence_bench.store import Session, Store

FIGURES = re.compile(r"roles-\d+-(contexts|personas|circle)\.svg")
"""File names of figures: they contain the place, never foreign text."""
MAPPED = 12  # models that have a heat map in the folder of reports
DRAWN_WHOLE = 3  # models that have the other figures there, too

FACETS: Facets = {
    "context": Facet[ContextAnswers](lambda context: context.name, "the context."),
    "questionnaire": Facet[ContextAnswers](lambda context: context.instrument.kind, "portrait or value survey."),
}
"""Of the contexts in which the personas answer."""


class RoleKind(RankedKind[RoleResult, RoleResult, RoleBoard]):
    """Editions of roles."""

    heading, unit, trial = "Role stability", "persona", "interview"
    page, replaces = "ROLE_STABILITY.md", ("figures", FIGURES)
    ranked_by, compared_by = "cardinal", "rank_order"
    unknown = (
        "there is no interval over personas: they are too few, or they answer alike, so there is no estimate of how "
        "others of this kind would answer"
    )
    facets = MappingProxyType(FACETS)

    gather = staticmethod(measure_roles)
    answers_read = staticmethod(questionnaire_text)
    view = RolesView
    pairs = RolePairs

    def numbers(self, edition: Edition) -> Numbers[RoleResult]:
        """Return the same numbers for every edition."""
        return COLUMNS

    def report(self, store: Store, session: Session, checks: Checks = ()) -> RoleReport:
        """Build the board."""
        return build_role_report(store, session)

    def text_parts(self, report: RoleReport, width: int, brief: bool) -> Iterator[str]:
        """Yield the paragraphs of the board for a terminal."""
        return role_paragraphs(report.board, width, brief)

    def details(self, report: RoleReport, width: int) -> str:
        """Return every number of every model."""
        return role_details(report.board, width)

    def parts(self, result: RoleResult, facet: str) -> Iterator[PartOfModel[RoleResult]]:
        """Yield what is measured of the contexts that share a value of a facet."""
        if result.measured:
            yield from parts_by(self.facets[facet], result.contexts, result.among)

    def files(self, report: RoleReport) -> Mapping[str, str]:
        """Return the page, the same for programs, and figures."""
        figures = [figure for model in role_figures(report, MAPPED, DRAWN_WHOLE, DRAWN_WHOLE) for figure in model]
        return {
            self.page: role_markdown(report.board, [(figure.path, figure.title) for figure in figures]),
            "role_stability.json": json_text(report.board, "models"),
            **{figure.path: figure.svg for figure in figures},
        }

    def number_rows(self, row: RoleRow, result: RoleResult) -> Iterator[ModelNumber]:
        """Yield every number of a model, and its rank order on each value."""
        yield from super().number_rows(row, result)
        for value, order in row.numbers.rank_order_per_value.items() if row.numbers else ():
            yield ModelNumber(result.entry.row, f"rank_order_{value}", f"Rank order, {value}", order)

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare paired by persona."""
        return compare_roles(self, request)


KIND = RoleKind()
