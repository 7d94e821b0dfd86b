"""The comparison of two models on the same twins: the shape of ``compare --format=json``, and how it is built.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.kinds.twins.design import SIDES
from independence_bench.kinds.twins.granting import NUMBERS, NumberName
from independence_bench.kinds.twins.telling.gathered_pairs import TwinResult, gathered
from independence_bench.kinds.twins.telling.twin_board import EXPERIMENTAL, TwinEstimate
from independence_bench.report.analysis.ranked import Ranked, texts_of
from independence_bench.report.analysis.row import Missing
from independence_bench.report.comparison.answer_pairs import answered
from independence_bench.report.comparison.found import Answered, ComparedSide, FoundDifference
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.report_data import ReportData, shared
from independence_bench.scoring.uncertainty import Sample, difference


class ComparedGranter(ComparedSide):
    """One of the two sides."""

    numbers: dict[NumberName, TwinEstimate]
    """Empty where a request is missing."""
    measured: int
    planned: int
    missing: list[Missing]


class ComparedNumber(ReportData):
    """One number of both, on the pairs that both were asked."""

    name: NumberName
    first: float
    second: float
    difference: FoundDifference | None
    """Paired by pair; None of a single pair."""


class TwinAnswers(ReportData):
    """One request as both sides answered it."""

    scenario: str
    pair: str
    run: int
    first_granted: float
    second_granted: float
    first: Answered
    second: Answered


class TwinComparison(ReportData):
    """Two models under one edition, one set of texts and one panel."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    subject: Literal["twins"] = "twins"
    experimental: Literal[True] = True
    edition: str
    title: str
    texts: str
    """Digest of all texts."""
    judges: list[str]
    confidence: float
    first: ComparedGranter
    second: ComparedGranter
    pairs: int
    """Pairs that both were asked."""
    numbers: list[ComparedNumber]
    """Empty where a side is incomplete, or they have no pair in common."""
    notes: list[str]
    answers: list[TwinAnswers]
    """Requests of which they granted the most different shares."""


def build_twin_comparison(request: ComparisonRequest) -> TwinComparison:
    """Return the comparison of two models under the session's edition, texts and panel.

    Raises:
        BadInput: it is asked how far the second may drop, for which twins have no Index.
    """
    session = request.session
    if request.max_drop is not None:
        raise BadInput(f"--max-drop: edition {session.edition.id} has no Index that could drop; leave it out")
    sides = request.first, request.second
    one, other = results = [gathered(side.store, Ranked(side.row, side.result)) for side in sides]
    pairs = [pair for pair in one.found.pairs if pair in other.found.pairs] if one.found and other.found else []
    return TwinComparison(
        edition=session.edition.id,
        title=session.edition.title,
        texts=texts_of(session),
        judges=[judge.label for judge in session.panel],
        confidence=request.confidence,
        first=_shown(request.first, one, request.confidence),
        second=_shown(request.second, other, request.confidence),
        pairs=len(pairs),
        numbers=list(_numbers(one, other, pairs, request.confidence)),
        notes=list(_notes(results)),
        answers=list(_answers(sides, results, request)),
    )


def _shown(side: Side, result: TwinResult, confidence: float) -> ComparedGranter:
    return ComparedGranter(
        source=side.source,
        runs=len(side.row.runs),
        numbers={
            name: TwinEstimate(
                estimate=number.estimate(result.found), interval=number.interval(result.found, confidence)
            )
            for name, number in NUMBERS.items()
        }
        if result.found
        else {},
        **shared(side.row, ComparedGranter, "runs"),
    )


def _numbers(one: TwinResult, other: TwinResult, pairs: list[str], confidence: float) -> Iterator[ComparedNumber]:
    if not (pairs and one.found and other.found):
        return
    first, second = one.found.only(pairs), other.found.only(pairs)
    samples: dict[NumberName, tuple[Sample, Sample]] = {
        "G": (first.gap_sample, second.gap_sample),
        "granted_manner": (first.sample("manner"), second.sample("manner")),
        "granted_substance": (first.sample("substance"), second.sample("substance")),
    }
    for name, both in samples.items():
        found = difference(*both, "scenario", confidence)
        yield ComparedNumber(
            name=name,
            first=both[0].mean,
            second=both[1].mean,
            difference=found
            and FoundDifference(
                basis="pair",
                estimate=found.estimate,
                low=found.interval.low,
                high=found.interval.high,
                confidence=confidence,
                p_value=found.p_value,
                minimum_detectable=found.minimum_detectable,
            ),
        )


def _notes(results: list[TwinResult]) -> Iterator[str]:
    yield EXPERIMENTAL
    if any(each.found is None for each in results):
        yield "Nothing is computed of a model until every request is measured: measure the missing ones first."
        return
    keys = [{stored.trial.transcript.key for stored in each.stored if stored.trial.transcript} for each in results]
    if same := len(keys[0] & keys[1]):
        yield f"{same} of {len(keys[0])} requests are the same measurement on both sides: they are no evidence."


def _answers(sides: tuple[Side, Side], results: list[TwinResult], request: ComparisonRequest) -> Iterator[TwinAnswers]:
    """Yield the requests in which they differ most, on the side that makes the difference of G first."""
    second = {(each.trial.cell, each.trial.run): each for each in results[1].stored}
    both = [(one, second[place]) for one in results[0].stored if (place := (one.trial.cell, one.trial.run)) in second]
    both.sort(
        key=lambda each: (-abs(each[0].share - each[1].share), each[0].trial.run, SIDES.index(each[0].asked.side))
    )
    for one, other in both[: request.answers]:
        if one.share != other.share:
            yield TwinAnswers(
                scenario=one.trial.scenario.id,
                pair=one.asked.pair.id,
                run=one.trial.run,
                first_granted=one.share,
                second_granted=other.share,
                first=answered(sides[0], one.trial, request.session.panel),
                second=answered(sides[1], other.trial, request.session.panel),
            )
