"""How far each model's answers depend on the questions, with the answers that depend on them least."""

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import Any

from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, Table, paragraph
from independence_bench.report.formatting import number
from independence_bench.report.report_data import ReportData

WORST = 3  # answers listed per model


class LeastRelevant(ReportData):
    """One answer, with the share of the other questions that it resembles less than its own."""

    scenario: str
    run: int
    answer: int  # its place in the conversation, from 1
    share: float


class AnswersOfModel(ModelName):
    """The relevance of one row's answers."""

    configuration: str | None
    relevance: float  # mean of the shares; 0.5 is chance, 1 is best
    interval: tuple[float, float]  # 95 %, over questions
    answers: int
    questions: int  # different ones
    least: list[LeastRelevant]  # the lowest shares


def compute(measured: Measurements) -> list[AnswersOfModel]:
    """Return every row whose relevance is known, the lowest first."""
    result = [row for entry in measured.entries for row in _of_one(entry)]
    return sorted(result, key=lambda row: (row.relevance, row.label, row.identity))


def _of_one(entry: Ranked) -> Iterator[AnswersOfModel]:
    of, result = entry.result.relevance, entry.result.relevance.overall
    if result is None:
        return
    shares = [
        LeastRelevant(scenario=trial.scenario.id, run=trial.run, answer=place, share=share)
        for trial in entry.result.trials
        if trial.transcript
        for place, share in enumerate(of.shares.get(trial.transcript.key, ()), 1)
        if share is not None
    ]
    yield AnswersOfModel(
        **entry.row.fields_of(ModelName),
        configuration=entry.row.configuration,
        relevance=result.value,
        interval=result.interval,
        answers=len(result.shares),
        questions=result.questions,
        least=nsmallest(WORST, shares, key=lambda each: each.share),
    )


def blocks(result: Sequence[AnswersOfModel]) -> Iterator[Block[Any]]:
    """Yield the meaning of the number, then every row."""
    yield paragraph(page_words()[RELEVANCE.field])
    interval = lambda row: "–".join(number(end, 2) for end in row.interval)  # noqa: E731
    yield Table(analysis_columns("relevance", interval=interval, least=lambda row: _least(row.least)), result)


def _least(answers: Sequence[LeastRelevant]) -> str:
    return ", ".join(f"{each.scenario} r{each.run} answer {each.answer} ({each.share:.2f})" for each in answers)


RELEVANCE = Analysis("relevance", "Relevance", compute, blocks, page="judges.html")
