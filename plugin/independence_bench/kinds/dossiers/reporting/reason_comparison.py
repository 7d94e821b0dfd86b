"""Two models on the same dossiers of edition v3, or one on two forms: how they differ, by branch and in words.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from independence_bench.bad_input import BadInput
from independence_bench.kind_registry import kind_entry
from independence_bench.kinds.dossiers.design import DossiersDesign
from independence_bench.kinds.dossiers.metrics.character import Character, binding_words, character
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS
from independence_bench.kinds.dossiers.metrics.paired import PairedModels
from independence_bench.kinds.dossiers.metrics.responsiveness import (
    LEAST_MATTERS,
    MinimumContrast,
    Responsiveness,
)
from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard
from independence_bench.kinds.dossiers.reporting.reason_columns import PICTURED
from independence_bench.kinds.dossiers.reporting.reason_numbers import INDEX_NUMBER
from independence_bench.kinds.dossiers.reporting.stored_cases import ReasonResult, load_cases
from independence_bench.kinds.dossiers.steps import BRANCHES, Branch
from independence_bench.report.blocks import Column, Name, Phrase, Table, phrase
from independence_bench.report.comparison.found import ComparedSide, FoundDifference, NoWorse
from independence_bench.report.comparison.sentences import no_worse, p_value, signed_amount
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number_board import Ends
from independence_bench.report.numbers.number_columns import estimate_text, interval_text
from independence_bench.report.numbers.number_comparison import (
    ComparisonFacts,
    ComparisonParts,
    FindingWords,
    alone_note,
    comparison_facts,
    missing_sentences,
    same_measurements,
    side_table,
)
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.uncertainty.sample import mean_of_known

ReasonComparing = KindOfNumbers[Responsiveness, ReasonResult, ReasonBoard]
COUNTED: tuple[Branch, ...] = ("reason", *CONTRASTS)  # branches that a difference of the Index can come from


class ComparedReasoner(ComparedSide):
    """One of the two sides."""

    index: float | None  # none where a case is missing
    interval: Ends | None
    character: Character | None
    binding_words: str | None


class ComparedBranch(ReportData):
    """How far one branch moves both, 0..1."""

    branch: Branch
    first: float | None
    second: float | None
    difference: FoundDifference | None  # paired by matter; None below two matters that know both


class ReasonComparison(ComparisonFacts[ComparedReasoner, FoundDifference]):
    """Two models under one edition and one set of texts, compared by the Index in points."""

    subject: Literal["reasons"] = "reasons"
    experimental: Literal[True] = True
    matters: int
    forms: tuple[str, str] | None = None
    """One model on two forms, so on other dossiers of the same matters: the gap is one of contamination. None: two
    models on the same dossiers."""
    branches: list[ComparedBranch]  # the branch in which the two differ most first
    responsible: Branch | None  # the branch that makes the difference; None where none is known
    no_worse: NoWorse | None = None  # none without ``--max-drop``


def build_reason_comparison(kind: ReasonComparing, request: ComparisonRequest) -> ReasonComparison:
    """Return the comparison of two models under the session's edition and texts."""
    session, first, second = request.session, request.first, request.second
    confidence, max_drop = request.confidence, request.max_drop
    results = [load_cases(side.store, side) for side in (first, second)]
    one, other = (each.scored for each in results)
    forms = _forms(first, second)
    branches = list(_branches(one, other, confidence)) if one and other else []
    branches.sort(key=lambda each: -abs((each.first or 0.0) - (each.second or 0.0)))
    known = (each.branch for each in branches if each.first is not None and each.second is not None)
    responsible = next((branch for branch in known if branch in COUNTED), None)
    edition = request.session.edition
    gap, difference = kind.difference(edition, one, other, confidence)
    return ReasonComparison(
        **comparison_facts(request),
        matters=len(session.edition.scenarios),
        forms=forms,
        first=_shown(first, results[0].found, confidence),
        second=_shown(second, results[1].found, confidence),
        difference=difference,
        gap=gap,
        branches=branches,
        responsible=responsible,
        no_worse=None
        if max_drop is None
        else NoWorse.by(
            kind.unit,
            lambda level: kind.difference(edition, one, other, level)[1],
            confidence,
            max_drop,
        ),
        notes=list(_notes(request, whole=one is not None and other is not None, forms=forms)),
    )


def _forms(first: Side, second: Side) -> tuple[str, str] | None:
    """Return the two forms; None where both sides have the same. Raises BadInput: more than the seed is different."""
    one, other = (side.result.session.edition.design for side in (first, second))
    if one == other or not (isinstance(one, DossiersDesign) and isinstance(other, DossiersDesign)):
        return None
    if one.model_copy(update={"form": other.form}) != other:
        raise BadInput(f"{first.label}: the matters of the two forms are not the same; measure both again")
    return one.form, other.form


def _shown(side: Side, found: Responsiveness | None, confidence: float) -> ComparedReasoner:
    index = INDEX_NUMBER.of(found) if found else None
    return ComparedReasoner(
        index=index and index.estimate,
        interval=index and index.interval(confidence),
        character=character(found) if found else None,
        binding_words=binding_words(found) if found else None,
        **side.facts_shown,
    )


def _branches(one: Responsiveness, other: Responsiveness, confidence: float) -> Iterator[ComparedBranch]:
    for branch in BRANCHES:
        moved = [each.movements.moved[branch] for each in (one, other)]
        both = ~np.isnan([mean_of_known(values, axis=1) for values in moved]).any(axis=0)
        pair = PairedModels([MinimumContrast([one.mean(values[both])]) for values in moved])
        found = pair.difference(0, 1, confidence) if both.sum() >= LEAST_MATTERS else None
        shown = FoundDifference.of(found, basis="matter", confidence=confidence) if found else None
        yield ComparedBranch(
            branch=branch, first=one.moved(branch).estimate, second=other.moved(branch).estimate, difference=shown
        )


def _notes(request: ComparisonRequest, *, whole: bool, forms: tuple[str, str] | None) -> Iterator[str]:
    yield kind_entry("dossiers").experimental
    if not whole:
        yield "Nothing is computed of a model with missing cases, nor where fewer than half of its answers can be read."
        return
    yield from same_measurements(request.first, request.second, "cases")
    if forms:
        yield (
            f"The dossiers of two forms differ by chance, which the interval includes. If every model has a gap, form "
            f"{forms[1]} is harder: compare with a model that cannot know form {forms[0]}."
        )
    yield alone_note("branches")


def reason_comparison_parts(comparison: ReasonComparison) -> ComparisonParts:
    """Return a comparison as it is read."""
    sides = comparison.first, comparison.second
    by_branch = (
        [(phrase("Movement by branch, most different first"), _by_branch(comparison))] if comparison.branches else []
    )
    sentences, models = [*_sentences(comparison)], side_table(sides, _side_columns(comparison.confidence))
    return ComparisonParts(_title(comparison), models, sentences, comparison.notes, by_branch)


def _title(comparison: ReasonComparison) -> Phrase:
    if comparison.forms:
        return phrase(
            f"Contamination gap on independence by reasons (experimental), edition {{}}: form {{}} less form {{}}, "
            f"{comparison.matters} matters, other dossiers on each side",
            comparison.edition,
            *comparison.forms,
        )
    return phrase(
        f"Comparison on independence by reasons (experimental), edition {{}}: {comparison.matters} matters, the same "
        "dossiers on both sides",
        comparison.edition,
    )


def _sentences(comparison: ReasonComparison) -> Iterator[Phrase]:
    sides = comparison.first, comparison.second
    yield from missing_sentences(sides)
    words = FindingWords("matters", points=" points")
    names = Name(sides[0].label), Name(sides[1].label)
    yield words.sentence(names, comparison.gap, comparison.difference, comparison.confidence)
    if comparison.forms and comparison.difference:
        yield phrase(_meaning(comparison.difference), comparison.forms[0])
    responsible = next((each for each in comparison.branches if each.branch == comparison.responsible), None)
    if responsible is not None:
        found = responsible.difference
        sure = f", p {p_value(found)}" if found else ""
        yield phrase(
            f"The branch that makes the difference: {PICTURED[responsible.branch]} moves A by "
            f"{estimate_text(responsible.first)} and B by {estimate_text(responsible.second)}{sure}."
        )
    if comparison.no_worse is not None:
        yield no_worse(comparison.no_worse)


def _meaning(found: FoundDifference) -> str:
    """Return what a gap says about the first form, whose name fills the slot."""
    if not found.significant:
        return "Nothing shows that it knows the dossiers of form {}; a smaller gap than would be detected may be there."
    if found.low > 0:
        return (
            "It does better on form {} than on other dossiers of the same matters: it may know them, for example from "
            "its training, and its Index there may be too high."
        )
    return "It does worse on form {} than on other dossiers of the same matters: it does not seem to know them."


def _side_columns(confidence: float) -> list[Column[ComparedReasoner]]:
    level = shown_confidence(confidence)
    return [
        Column("Index", lambda side: estimate_text(side.index, 1)),
        Column(f"{level} over matters", lambda side: interval_text(side.interval), narrow=f"{level} over\nmatters"),
        Column("in a word", lambda side: side.character or "–", right=False, importance=1),
        Column("what holds it down", lambda side: side.binding_words or "–", right=False, least=18, importance=0.9),
    ]


def _by_branch(comparison: ReasonComparison) -> Table[ComparedBranch]:
    level = shown_confidence(comparison.confidence)
    return Table(
        [
            Column("branch", lambda each: PICTURED[each.branch], right=False),
            Column("A", lambda each: estimate_text(each.first)),
            Column("B", lambda each: estimate_text(each.second)),
            Column("A − B", lambda each: signed_amount(each.difference.estimate, 2) if each.difference else "–"),
            Column(
                level,
                lambda each: interval_text((each.difference.low, each.difference.high), 2) if each.difference else "–",
                importance=1,
            ),
            Column("p", lambda each: p_value(each.difference), importance=0.5),
        ],
        comparison.branches,
    )
