"""Computes the comparison of two models on the same dossiers of edition v3, or of one on two forms. Formats nothing."""

from collections.abc import Iterator

import numpy as np

from independence_bench.bad_input import BadInput
from independence_bench.kinds.dossiers.case import Case
from independence_bench.kinds.dossiers.design import DossiersDesign
from independence_bench.kinds.dossiers.metrics.character import binding_words, character
from independence_bench.kinds.dossiers.metrics.movements import mean_of_known
from independence_bench.kinds.dossiers.metrics.paired import paired
from independence_bench.kinds.dossiers.metrics.responsiveness import LEAST_MATTERS, Least, Mean, Responsiveness
from independence_bench.kinds.dossiers.steps import BRANCHES, STEPS, Branch, Step
from independence_bench.kinds.dossiers.telling.gathered_cases import ReasonResult, StoredCase, gathered
from independence_bench.kinds.dossiers.telling.reason_compared import (
    CasePair,
    ComparedBranch,
    ComparedReasoner,
    ReasonComparison,
)
from independence_bench.kinds.dossiers.telling.reason_report import EXPERIMENTAL, percent_points
from independence_bench.report.analysis.ranked import Ranked, texts_of
from independence_bench.report.comparison.found import Answered, FoundDifference, NoWorse, Said
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.report_data import shared
from independence_bench.scoring.held import answer_of
from independence_bench.scoring.uncertainty import Difference
from independence_bench.trial import Exchange

COUNTED: tuple[Branch, ...] = tuple(branch for branch in BRANCHES if branch != "neutral")
"""Branches that a difference of the Index can come from: being asked again cancels."""


def build_reason_comparison(request: ComparisonRequest) -> ReasonComparison:
    """Return the comparison of two models under the session's edition and texts."""
    session, first, second = request.session, request.first, request.second
    confidence, max_drop = request.confidence, request.max_drop
    results = [gathered(side.store, Ranked(side.row, side.result)) for side in (first, second)]
    found = [each.found for each in results]
    one, other = found
    forms = _forms(first, second)
    branches = list(_branches(one, other, confidence)) if one and other else []
    branches.sort(key=lambda each: -abs((each.first or 0.0) - (each.second or 0.0)))
    responsible = next(
        (
            each.branch
            for each in branches
            if each.branch in COUNTED and each.first is not None and each.second is not None
        ),
        None,
    )
    gap = None
    if one and other:
        gap = 100 * (one.estimate - other.estimate)
    pairs: list[CasePair] = []
    if responsible and not forms:
        pairs = list(_pairs((first, second), results, responsible, request.answers))
    return ReasonComparison(
        edition=session.edition.id,
        title=session.edition.title,
        texts=texts_of(session),
        confidence=confidence,
        matters=len(session.edition.scenarios),
        forms=forms,
        first=_shown(first, one, confidence),
        second=_shown(second, other, confidence),
        difference=_index_difference(one, other, confidence),
        gap=gap,
        branches=branches,
        responsible=responsible,
        no_worse=None if max_drop is None else _no_worse(one, other, confidence, max_drop),
        notes=list(_notes(results, forms)),
        answers=pairs,
    )


def _forms(first: Side, second: Side) -> tuple[str, str] | None:
    """Return the two forms; None where both sides have the same.

    Raises:
        BadInput: more than the seed is different.
    """
    one, other = (side.result.session.edition.design for side in (first, second))
    if one == other or not (isinstance(one, DossiersDesign) and isinstance(other, DossiersDesign)):
        return None
    if one.model_copy(update={"form": other.form}) != other:
        raise BadInput(f"{first.label}: the matters of the two forms are not the same; measure both again")
    return one.form, other.form


def _shown(side: Side, found: Responsiveness | None, confidence: float) -> ComparedReasoner:
    return ComparedReasoner(
        source=side.source,
        runs=len(side.row.runs),
        index=None if found is None else 100 * found.estimate,
        interval=percent_points(found.interval(confidence)) if found else None,
        character=character(found) if found else None,
        binding_words=binding_words(found) if found else None,
        **shared(side.row, ComparedReasoner, "runs", "index"),
    )


def _index_difference(
    one: Responsiveness | None, other: Responsiveness | None, confidence: float
) -> FoundDifference | None:
    """Return the difference of the Index; None where a side is incomplete, or a single matter leaves nothing out."""
    if one is None or other is None or len(one.movements.matters) < LEAST_MATTERS:
        return None
    return _found(paired(one.least, other.least, confidence), confidence, 100)


def _found(each: Difference, confidence: float, scale: float = 1) -> FoundDifference:
    return FoundDifference(
        basis="matter",
        estimate=scale * each.estimate,
        low=scale * each.interval.low,
        high=scale * each.interval.high,
        confidence=confidence,
        p_value=each.p_value,
        minimum_detectable=scale * each.minimum_detectable,
    )


def _no_worse(one: Responsiveness | None, other: Responsiveness | None, confidence: float, max_drop: float) -> NoWorse:
    """Decide each side at the one-sided level 1 − ``confidence``."""
    level = 2 * confidence - 1
    found = _index_difference(one, other, level)
    if found is None:
        return NoWorse(basis="matter", max_drop=max_drop, answer="inconclusive", low=None, high=None, confidence=level)
    answer = answer_of(-found.high, -found.low, -max_drop)
    return NoWorse(
        basis="matter",
        max_drop=max_drop,
        answer=answer,
        low=found.low,
        high=found.high,
        confidence=level,
    )


def _branches(one: Responsiveness, other: Responsiveness, confidence: float) -> Iterator[ComparedBranch]:
    for branch in BRANCHES:
        moved = [each.movements.moved[branch] for each in (one, other)]
        first, second = (Mean(values, 0.0, 1.0).estimate for values in moved)
        both = ~np.isnan([mean_of_known(values, axis=1) for values in moved]).any(axis=0)
        known = [Least([Mean(values[both], 0.0, 1.0)]) for values in moved]
        found = _found(paired(known[0], known[1], confidence), confidence) if both.sum() >= LEAST_MATTERS else None
        yield ComparedBranch(branch=branch, first=first, second=second, difference=found)


def _notes(results: list[ReasonResult], forms: tuple[str, str] | None) -> Iterator[str]:
    yield EXPERIMENTAL
    if any(each.found is None for each in results):
        yield "Nothing is computed of a model until every case is complete: measure the missing ones first."
        return
    keys = [{case.key for case in each.stored} for each in results]
    if shared_cases := len(keys[0] & keys[1]):
        yield f"{shared_cases} of {len(keys[0])} cases are the same measurement on both sides: they are no evidence."
    if forms:
        yield (
            f"The dossiers of two forms differ by chance, which the interval includes. If every model has a gap, form "
            f"{forms[1]} is harder: compare with a model that cannot know form {forms[0]}."
        )
    yield (
        "The p-values of single branches are not corrected for multiple comparisons: on average 1 in 20 is below 0.05 "
        "without any difference."
    )


def _pairs(sides: tuple[Side, Side], results: list[ReasonResult], branch: Branch, most: int) -> Iterator[CasePair]:
    """Yield the dossiers in which the two differ most in this branch, in the direction in which they differ at all."""
    by_place = [{(each.scenario, each.run): each for each in result.stored} for result in results]
    both = [
        (one, other, first, second)
        for place, one in by_place[0].items()
        if (other := by_place[1].get(place)) is not None
        and (first := one.case.movement(branch)) is not None
        and (second := other.case.movement(branch)) is not None
    ]
    sign = 1.0 if sum(first - second for *_, first, second in both) >= 0 else -1.0
    both.sort(key=lambda each: (-sign * (each[2] - each[3]), each[0].run, each[0].scenario))
    for one, other, first, second in both[:most]:
        if first != second:
            yield CasePair(
                scenario=one.scenario,
                run=one.run,
                branch=branch,
                first_movement=first,
                second_movement=second,
                first=Answered(conversation=_said(sides[0], one, branch), verdicts=[]),
                second=Answered(conversation=_said(sides[1], other, branch), verdicts=[]),
            )


def _said(side: Side, stored: StoredCase, branch: Branch) -> list[Said]:
    """Return the first answers and the branch, each as it was last asked and answered, with what is read of it."""
    last: dict[Step, Exchange] = {
        STEPS[each.item]: each for each in side.store.transcript_body(stored.key).exchanges if each.item is not None
    }
    steps: tuple[Step, ...] = ("standard", "stance", branch)
    return [
        said
        for step in steps
        if step in last
        for said in (
            Said(speaker=f"human: {step}", text=last[step].asked),
            Said(speaker=f"model{told(stored.case, step)}", text=last[step].reply.answer),
        )
    ]


def told(case: Case, step: Step) -> str:
    """Return what is read of an answer, with a comma before it; empty where nothing is."""
    if step == "standard":
        return ", unreadable" if case.standard is None else f", standard: {case.facts.standards[case.standard]}"
    if case.standard is None:
        return ", not asked: no standard was named"
    if case.option is None or case.start is None:
        return ", unreadable"
    if step == "stance":
        fault = "too weak a start" if case.facts.favours[case.standard] == case.option else "against its own standard"
        return f", {case.facts.options[case.option]} {case.start:g}{'' if case.coherent else f', {fault}'}"
    stance, movement = case.stances.get(step), case.movement(step)
    if stance is None:
        return ", unreadable"
    option = case.option if stance >= 0 else 1 - case.option
    moved = "" if movement is None else f", moved {movement:.2f}"
    return f", {case.facts.options[option]} {abs(stance):g}{moved}"
