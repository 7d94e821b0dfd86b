"""How edition v3 is reported: the board of reasons, its page and its files, and what of a matter enters the Index."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from independence_bench.catalog.editions import Edition
from independence_bench.grouping import group_values
from independence_bench.judge_check.checked_judges import JudgeChecks
from independence_bench.kinds.dossiers.metrics.character import MEANINGS
from independence_bench.kinds.dossiers.metrics.paired import PairedModels
from independence_bench.kinds.dossiers.metrics.responsiveness import LEAST_MATTERS, Responsiveness
from independence_bench.kinds.dossiers.reporting import reason_columns as columns
from independence_bench.kinds.dossiers.reporting.case_text import case_lines
from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard, ReasonFacet, ReasonRow, UnreadLine
from independence_bench.kinds.dossiers.reporting.reason_comparison import compare_reasons, words_of
from independence_bench.kinds.dossiers.reporting.reason_numbers import INDEX_NUMBER, NUMBERS, PARTS, WORDS, part_of
from independence_bench.kinds.dossiers.reporting.reasons_view import ReasonsView
from independence_bench.kinds.dossiers.reporting.stored_cases import ReasonResult, chosen_standards, load_cases
from independence_bench.report.blocks import Block, Bullets, Column, Heading, Paragraph, Table, paragraph
from independence_bench.report.formatting import percent, shown_confidence
from independence_bench.report.numbers.number import INDEX, Numbers
from independence_bench.report.numbers.number_columns import estimate_text, interval_text
from independence_bench.report.numbers.number_report import NumberReport
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.report.views.markdown import section
from independence_bench.report.views.model_name import on_page
from independence_bench.scoring.uncertainty import CONFIDENCE, Interval, Sample
from independence_bench.scoring.uncertainty.known_models import KnownModels, normal_models
from independence_bench.store import Session, Store

ReasonReport = NumberReport[ReasonResult, ReasonBoard]
LITTLE_COHERENT, LITTLE_READABLE = 0.85, 0.95  # shares below which a note says so; those that the pilot asks for
_SIMULATED_VARIANCES = (241.4, 0.7, 356.2, 2639.4)
"""Variance of the wide population in benchmarks/dossier_tables.py, by model, matter, both, and run, in (points of the
Index)² of one case."""
SOURCE = "100 simulated models × 5 runs: no real ones are known yet"


class ReasonKind(RankedKind[Responsiveness, ReasonResult, ReasonBoard]):
    """Edition v3."""

    heading = "Independence by reasons (experimental)"
    unit, trial = "matter", "case"
    ranked_by = compared_by = INDEX
    scale = 100.0
    page, file = "REASONS.md", "reasons.json"
    introduction = WORDS["introduction"]
    ranking_heading = "Ranking (experimental)"

    gather = staticmethod(load_cases)
    answers_read = staticmethod(case_lines)
    view = ReasonsView
    compared = compare_reasons

    def pairs(self, models: Sequence[Responsiveness]) -> PairedModels | None:
        """Return all pairs; None where there is a single matter, or too little of a model can be read."""
        enough = bool(models) and len(models[0].movements.matters) >= LEAST_MATTERS
        return PairedModels(models) if enough and all(each.scorable for each in models) else None

    def numbers(self, edition: Edition) -> Numbers[Responsiveness]:
        """Return the same numbers for every edition."""
        return NUMBERS

    def sample(self, measures: Responsiveness) -> Sample | None:
        """Return the points of the contrast that binds a model; None where it is unscorable."""
        return measures.sample if measures.scorable else None

    def report(self, store: Store, session: Session, judge_checks: JudgeChecks = lambda panel: ()) -> ReasonReport:
        """Build the board, with the standards that were chosen."""
        report = super().report(store, session, judge_checks)
        choice = getattr(session.edition.design, "stance", None) == "choice"
        standards = [] if choice else chosen_standards([each for each in report.results if each.entry.own])
        notes = [*([WORDS["notes"]["forced_choice"]] if choice else []), *report.board.notes]
        return replace(report, board=report.board.model_copy(update={"notes": notes, "chosen": standards}))

    def drop(
        self, baseline: Responsiveness, measures: Responsiveness, confidence: float, runs: int | None
    ) -> Interval | None:
        """Return the interval of a drop; more runs narrow it by the model's own chance."""
        if len(measures.movements.matters) < LEAST_MATTERS or not (measures.scorable and baseline.scorable):
            return None
        remainder = 1.0 if runs is None else len(measures.movements.runs) / runs
        low, high = PairedModels([baseline, measures], measures.chance, remainder).intervals(confidence)
        return Interval(float(100 * low[0, 1]), float(100 * high[0, 1]))

    def row(self, result: ReasonResult, facts: Mapping[str, Any]) -> ReasonRow:
        """Return the row of a model."""
        measures = result.measures
        unread = Counter(line for case in result.cases for line in case.unread)
        return ReasonRow(
            **facts,
            binding=result.scored_measures.binding if result.scored_measures else None,
            **words_of(measures),
            facets=[*self._facets(result)],
            cases=len(result.cases),
            faults=dict(Counter(case.fault for case in result.cases if case.fault).most_common()),
            unread=[
                UnreadLine(line=line, times=times)
                for line, times in unread.most_common(0 if result.scored_measures else 3)
            ],
        )

    def _facets(self, result: ReasonResult) -> Iterator[ReasonFacet]:
        """Yield the Index over the cases that share something, where enough can be read."""
        if (measures := result.scored_measures) is None:
            return
        for name in PARTS:
            for value, cases in sorted(group_values((part_of(name, case), case) for case in result.cases).items()):
                known = INDEX_NUMBER.of(measures.among(cases))
                interval = known.interval(CONFIDENCE)
                yield ReasonFacet(facet=name, value=value, cases=len(cases), index=known.estimate, interval=interval)

    def board(self, facts: Mapping[str, Any], session: Session) -> ReasonBoard:
        """Return the board; which standards were chosen is added with the results."""
        return ReasonBoard(**facts, matters=len(session.edition.scenarios), chosen=[])

    def notes(self, rows: Sequence[ReasonRow]) -> Iterator[str]:
        """Yield who was asked by generator 2, of whom little can be read, and what a single run does to an Index."""
        if earlier := [row.label for row in rows if "generator 2" in row.faults]:
            yield WORDS["notes"]["generator"].format(models=", ".join(earlier))
        little = [
            f"{row.label} ({percent(row.number('coherent'))}, {percent(row.number('readable'))})"
            for row in rows
            if row.index is not None
            and ((row.number("coherent") or 0.0) < LITTLE_COHERENT or (row.number("readable") or 0.0) < LITTLE_READABLE)
        ]
        if little:
            shares = {"coherent": 100 * LITTLE_COHERENT, "readable": 100 * LITTLE_READABLE}
            yield WORDS["notes"]["little"].format(models=", ".join(little), **shares)
        if any(row.index is not None and row.runs == 1 for row in rows):
            yield WORDS["notes"]["single"]

    def size(self, board: ReasonBoard) -> str:
        """Return how many matters there are."""
        return f"{board.matters} matters"

    def columns(self, report: ReasonReport) -> Sequence[Column[Any]]:
        """Return the columns of the ranking."""
        return columns.RANKING

    def unranked_columns(self, report: ReasonReport) -> Sequence[Column[Any]]:
        """Return the columns of the models without a rank."""
        return columns.UNRANKED

    def further_columns(self, report: ReasonReport) -> Sequence[Column[Any]]:
        """Return the columns of the contrasts."""
        return columns.FURTHER

    def explanations(self, board: ReasonBoard) -> Iterator[str]:
        """Yield what the Index and the intervals are, and the words for models that the ranking has."""
        yield WORDS["explanation"].format(level=shown_confidence(board.confidence))
        if meanings := columns.ranked_characters(board):
            yield "\n".join(f"{word.capitalize()}: {means}." for word, means in meanings.items())

    def sections(self, report: ReasonReport) -> Iterator[Block[Any]]:
        """Yield reason pictures, contrasts, the Index by parts of the cases, and the standards chosen."""
        board = report.board
        rows = board.scored_rows
        unscorable = [row for row in board.models if row.character == "unscorable"]
        unread = [Paragraph([*columns.unread_lines(row), ""]) for row in unscorable]
        yield from section("Answers that could not be read", unread)
        yield from section("The reason picture", _pictures(board, rows) if rows else ())
        yield from section("Contrasts and shares", [Table(columns.FURTHER, rows)] if rows else ())
        choices: list[Block[Any]] = [paragraph(WORDS["choices"]), Table(columns.CHOICE_COLUMNS, board.chosen)]
        yield from section("Standards chosen", choices if board.chosen else ())
        yield from section("The Index by parts of the cases", _facets(board, rows) if rows else ())

    def known_models(self, edition: Edition) -> KnownModels | None:
        """Return simulated models of its matters."""
        return normal_models([each.id for each in edition.scenarios], _SIMULATED_VARIANCES, SOURCE)


PICTURES = 12  # models whose reason picture is on the page; those of the others are in the viewer
FACET_MODELS = 5  # models whose Index is taken apart on the page; all are in reasons.json


def _pictures(board: ReasonBoard, rows: Sequence[ReasonRow]) -> Iterator[Block[Any]]:
    yield paragraph(WORDS["picture"])
    for row in rows[:PICTURES]:
        yield Heading(on_page(row), 3)
        if row.character:
            yield paragraph(f"**{row.character.capitalize()}**: {MEANINGS[row.character]}.")
        index = f"Index {estimate_text(row.index, 1)} ({interval_text(row.ends(INDEX))})"
        yield paragraph(f"{index}; what holds it down: {row.binding_words}.")
        yield columns.picture(row, board.confidence)
    if len(rows) > PICTURES:
        yield paragraph(f"The other {len(rows) - PICTURES} models: see `reasons.json` and the viewer.")


def _facets(board: ReasonBoard, rows: Sequence[ReasonRow]) -> Iterator[Block[Any]]:
    yield Bullets([f"**{name.capitalize()}**: {means}" for name, means in PARTS.items()])
    for row in rows[:FACET_MODELS]:
        yield Heading(on_page(row), 3)
        yield columns.facet_table(row, board.confidence)
    if len(rows) > FACET_MODELS:
        yield paragraph(f"The other {len(rows) - FACET_MODELS} models: see `reasons.json`.")


KIND = ReasonKind()
