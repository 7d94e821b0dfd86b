"""How editions of roles are reported: role stability, its page and its files."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.judge_check.checked_judges import JudgeChecks
from independence_bench.kinds.roles.design import roles_design
from independence_bench.kinds.roles.metrics.chance import chance_of
from independence_bench.kinds.roles.metrics.rank_order import RESAMPLES, run_interval
from independence_bench.kinds.roles.metrics.ranking import Diversity, over_columns
from independence_bench.kinds.roles.reporting import role_columns as columns
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleContextNamed, RoleRow, RoleRun
from independence_bench.kinds.roles.reporting.role_comparison import compare_roles
from independence_bench.kinds.roles.reporting.role_figures import heat_map
from independence_bench.kinds.roles.reporting.role_numbers import NUMBERS, ORDER, WORDS, at_random
from independence_bench.kinds.roles.reporting.role_results import RoleReport, RoleResult, measure_roles, role_pairs
from independence_bench.kinds.roles.reporting.roles_view import RolesView
from independence_bench.report.analysis.analysis_columns import table_columns
from independence_bench.report.analysis.passages import answered_items
from independence_bench.report.blocks import Block, Column, Table, paragraph
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.numbers.number import Numbers
from independence_bench.report.numbers.number_columns import estimate_text
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.report.views.markdown import section
from independence_bench.report.views.svg import Figure
from independence_bench.report.views.text import table_text
from independence_bench.report.views.wrapping import wrapped
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript

FIGURES = re.compile(r"roles-\d+-contexts\.svg")
"""File names of figures: they contain the place, never foreign text."""
MAP_MODELS = 12  # models that have a heat map in the folder of reports
FEW_PERSONAS = 40  # with fewer, most factor models cannot be fitted, and intervals are wide
MUCH_UNPARSED = 0.05  # share of unparsed items above which a note reports it
INDENT = "    "


def questionnaire_text(transcript: Transcript, width: int) -> list[str]:
    """Return the first question in full, then one line per question."""
    questions = answered_items(transcript)
    items = [each for each in questions if each.item is not None]
    choices = [each for each in questions if each.item is None]
    again, missing = sum(len(each.answers) > 1 for each in items), sum(each.score is None for each in items)
    counts = [counted(len(items), "item"), f"{again} asked again", f"{missing} left unparsed"]
    counts += [counted(len(choices), "choice")] if choices else []
    lines = ["", *wrapped(f"== questionnaire: {', '.join(counts)}", width)]
    first = (items or choices)[0]
    which = "a choice" if first.item is None else f"item {first.item}"
    lines += ["", f"-- as it was asked: {which}", *wrapped(first.asked, width, INDENT)]
    scored = table_columns(WORDS["tables"]["items"])
    chosen = [replace(scored[1], head="chosen"), *scored[2:]]
    for heading, shown, rows in (("scored items", scored, items), ("choices, never scored", chosen, choices)):
        if rows:
            table = table_text(Table(shown, rows), width)
            lines += ["", f"-- {heading}", "", *table.splitlines()]
    return lines


class RoleKind(RankedKind[RoleResult, RoleResult, RoleBoard]):
    """Editions of roles."""

    heading, unit, trial = "Role stability", "persona", "interview"
    ranked_by = compared_by = ORDER.name
    page, file = "ROLE_STABILITY.md", "role_stability.json"
    replaces = "figures", FIGURES
    introduction = WORDS["introduction"]
    unknown = WORDS["unknown"]

    gather = staticmethod(measure_roles)
    answers_read = staticmethod(questionnaire_text)
    view = RolesView
    compared = compare_roles
    pairs = staticmethod(role_pairs)

    def numbers(self, edition: Edition) -> Numbers[RoleResult]:
        """Return the same numbers for every edition."""
        return NUMBERS

    def report(self, store: Store, session: Session, judge_checks: JudgeChecks = lambda panel: ()) -> RoleReport:
        """Build the board, with what is known of a model only among the others."""
        report = super().report(store, session, judge_checks)
        measures = [each for each in report.results if each.entry.own and each.populations]
        if len(measures) < 2:
            return report
        ordinals, diversity = over_columns([each.columns for each in measures])
        ordinal = {each.entry.row.identity: own for each, own in zip(measures, ordinals, strict=True)}
        rows = [row.model_copy(update={"ordinal": ordinal.get(row.identity)}) for row in report.board.models]
        return replace(report, board=report.board.model_copy(update={"models": rows, "diversity": diversity}))

    def row(self, result: RoleResult, facts: Mapping[str, Any]) -> RoleRow:
        """Return the row of a model."""
        measures = result.measures
        return RoleRow(
            **facts,
            interval_by_run=run_interval(result.by_run),
            cardinal_bounds=measures and measures.cardinal_bounds,
            pairs=measures.pairs if measures else [],
            by_run=[
                RoleRun(run=each.played_runs[0].run, numbers=self.estimates(result.edition, each), answers=each.answers)
                for each in result.single_runs
            ],
            answers=measures and measures.answers,
        )

    def board(self, facts: Mapping[str, Any], session: Session) -> RoleBoard:
        """Return the board of a design."""
        design = roles_design(session.edition.design)
        personas, notes = len(design.personas), WORDS["notes"]
        few = [notes["few"].format(personas=personas)] if personas < FEW_PERSONAS else []
        return RoleBoard(
            **{**facts, "notes": [notes["texts"], *few, *facts["notes"]]},
            personas=personas,
            contexts=[
                RoleContextNamed(**dict(context), kind=design.questionnaire(context.instrument).kind)
                for context in design.contexts
            ],
            talk_temperature=design.talk.temperature,
            answer_temperature=design.answer.temperature,
            resamples=RESAMPLES,
            chance=chance_of(design),
        )

    def notes(self, rows: Sequence[RoleRow]) -> Iterator[str]:
        """Yield whose answers were often not read, and that a single run shows no chance."""
        for row in rows:
            if (share := row.number("unparsed_share") or 0.0) > MUCH_UNPARSED:
                yield WORDS["notes"]["unparsed"].format(label=row.label, share=100 * share)
        if any(len(row.by_run) == 1 for row in rows):
            yield WORDS["notes"]["single"]

    def size(self, board: RoleBoard) -> str:
        """Return how many personas and contexts there are."""
        return f"{board.personas} personas in {len(board.main_contexts)} contexts"

    def columns(self, report: RoleReport) -> Sequence[Column[Any]]:
        """Return the columns of the ranking."""
        return columns.RANKING

    def unranked_columns(self, report: RoleReport) -> Sequence[Column[Any]]:
        """Return the columns of the models without a rank."""
        return columns.UNRANKED

    def further_columns(self, report: RoleReport) -> Sequence[Column[Any]]:
        """Return the columns of the numbers that have their own table."""
        return columns.FURTHER

    def explanations(self, board: RoleBoard) -> Iterator[str]:
        """Yield what rank order is, and what the intervals are over."""
        level = at_random(board.chance, NUMBERS["cardinal"])
        yield WORDS["explanation"].format(level=level, confidence=shown_confidence(board.confidence), page=self.page)

    def files(self, report: RoleReport) -> Mapping[str, str]:
        """Return the page, the same for programs, and figures."""
        return {**super().files(report), **{each.path: each.svg for each in _heat_maps(report.board)}}

    def sections(self, report: RoleReport) -> Iterator[Block[Any]]:
        """Yield every number, the figures, how differently the columns rank, and the papers."""
        board = report.board
        if board.measured_models:
            populations, contexts = board.chance.populations, len(board.main_contexts)
            text = WORDS["numbers"].format(populations=populations, personas=board.personas, contexts=contexts)
            yield from section("All numbers", [columns.number_table(board), paragraph(text)])
        yield from section("How differently the columns rank", _diversity(board.diversity) if board.diversity else ())
        figures = [paragraph(f"![{{}}]({each.path})", each.title) for each in _heat_maps(board)]
        yield from section("Figures", figures)
        yield from section("Method", [paragraph(WORDS["papers"])])


def _heat_maps(board: RoleBoard) -> list[Figure]:
    return [heat_map(board, row, place) for place, row in enumerate(board.measured_models[:MAP_MODELS], 1)]


def _diversity(diversity: Diversity) -> Iterable[Block[Any]]:
    values = {name: estimate_text(getattr(diversity, name), 3) for name in ("w", "w_compatibility", "max_mrc")}
    yield paragraph(WORDS["diversity"].format(columns=diversity.columns, **values))
    if diversity.columns_left_out:
        yield paragraph("Left out, undefined for at least one model: {}.", diversity.columns_left_out)


KIND = RoleKind()
