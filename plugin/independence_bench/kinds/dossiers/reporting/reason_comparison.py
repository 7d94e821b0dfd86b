"""Two models on the same dossiers of edition v3, or one on two forms: how they differ, by branch and in words.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from independence_bench.bad_input import BadInput
from independence_bench.kinds.dossiers.design import DossiersDesign
from independence_bench.kinds.dossiers.metrics.character import Character, binding_words, character
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS
from independence_bench.kinds.dossiers.metrics.paired import PairedModels
from independence_bench.kinds.dossiers.metrics.responsiveness import (
    LEAST_MATTERS,
    Mean,
    MinimumContrast,
    Responsiveness,
)
from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard
from independence_bench.kinds.dossiers.reporting.reason_columns import BRANCH_NAMES, TABLES
from independence_bench.kinds.dossiers.reporting.reason_numbers import MOVEMENTS, WORDS
from independence_bench.kinds.dossiers.reporting.stored_cases import ReasonResult
from independence_bench.kinds.dossiers.steps import Branch
from independence_bench.report.analysis.analysis_columns import table_columns
from independence_bench.report.blocks import Phrase, phrase
from independence_bench.report.comparison.comparison_data import ComparedNumber, PairDifference
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.formatting import shown_p
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number_columns import estimate_text
from independence_bench.report.numbers.number_comparison import (
    ComparedNumbers,
    NumberComparison,
    number_facts,
    number_parts,
    single_tests_note,
)
from independence_bench.report.presented import Compared
from independence_bench.scoring.uncertainty.sample import mean_of_known

_WORDS: dict[str, str] = WORDS["comparison"]
ReasonComparing = KindOfNumbers[Responsiveness, ReasonResult, ReasonBoard]
INDEX_BRANCHES: tuple[Branch, ...] = ("reason", *CONTRASTS)  # branches that a difference of the Index can come from


class ComparedReasoner(ComparedNumbers):
    """One of the two sides."""

    character: Character | None
    binding_words: str | None


class ReasonComparison(NumberComparison[ComparedReasoner]):
    """Two models under one edition and one set of texts, compared by the Index in points."""

    subject: Literal["reasons"] = "reasons"
    experimental: Literal[True] = True
    matters: int
    forms: tuple[str, str] | None = None
    """One model on two forms, so on other dossiers of the same matters: the gap is one of contamination. None: two
    models on the same dossiers."""
    responsible: Branch | None
    """The branch that makes the difference; None where none is known."""


def compare_reasons(kind: ReasonComparing, request: ComparisonRequest) -> Compared:
    """Compare two models under the session's edition and texts."""
    models = [kind.gather(side.store, side).measures for side in request.sides]
    scorable = [each for each in models if each is not None and each.scorable]
    whole, forms = len(scorable) == len(models), _forms(request)
    movements = [*_movements(scorable[0], scorable[1], request.confidence)] if whole else []
    facts = number_facts(kind, request, models, sides=[words_of(each) for each in models], tested=movements)
    facts["notes"] += _notes(whole=whole, forms=forms)
    comparison = ReasonComparison(
        **facts | {"subject": "reasons"},
        matters=len(request.session.edition.scenarios),
        forms=forms,
        responsible=_responsible(facts["numbers"]) if whole else None,
    )
    parts = number_parts(
        kind,
        request,
        comparison,
        title=_title(comparison),
        columns=table_columns(TABLES["compared"]),
        sentences=[*_sentences(comparison)],
    )
    return parts.compared("numbers")


def _forms(request: ComparisonRequest) -> tuple[str, str] | None:
    """Return the two forms; None where both sides have the same. Raises BadInput: more than the seed is different."""
    one, other = (side.result.session.edition.design for side in request.sides)
    if one == other or not (isinstance(one, DossiersDesign) and isinstance(other, DossiersDesign)):
        return None
    if one.model_copy(update={"form": other.form}) != other:
        raise BadInput(f"{request.first.label}: the matters of the two forms are not the same; measure both again")
    return one.form, other.form


def words_of(model: Responsiveness | None) -> dict[str, Any]:
    """Return the words for a model, by the names of their fields; None where a planned case is missing."""
    return {"character": character(model) if model else None, "binding_words": binding_words(model) if model else None}


def _movements(one: Responsiveness, other: Responsiveness, confidence: float) -> Iterator[ComparedNumber]:
    """Yield how far each branch moves both, with the difference over the matters that both know, if there are two."""
    for branch, number in MOVEMENTS.items():
        values = [each.movements.by_step[branch] for each in (one, other)]
        both = ~np.isnan([mean_of_known(each, axis=1) for each in values]).any(axis=0)
        pair = PairedModels([MinimumContrast([Mean(each[both])]) for each in values])
        difference = pair.difference(0, 1, confidence) if both.sum() >= LEAST_MATTERS else None
        yield ComparedNumber(
            name=number.name,
            first=one.movement(branch).estimate,
            second=other.movement(branch).estimate,
            difference=PairDifference.of(difference, "matter", confidence),
        )


def _responsible(numbers: list[ComparedNumber]) -> Branch | None:
    """Return the branch of the Index in which the two differ most."""
    gaps = {each.name: each.gap for each in numbers}
    sizes = {branch: abs(gap) for branch in INDEX_BRANCHES if (gap := gaps[MOVEMENTS[branch].name]) is not None}
    return max(sizes, key=lambda branch: sizes[branch], default=None)


def _notes(*, whole: bool, forms: tuple[str, str] | None) -> Iterator[str]:
    if not whole:
        yield _WORDS["incomplete"]
        return
    if forms:
        yield _WORDS["forms"].format(harder=forms[1], known=forms[0])
    yield single_tests_note("branches")


def _title(comparison: ReasonComparison) -> Phrase:
    words = _WORDS["forms_title" if comparison.forms else "title"]
    return phrase(words, comparison.edition, *(comparison.forms or ()), comparison.matters)


def _sentences(comparison: ReasonComparison) -> Iterator[Phrase]:
    if comparison.forms and comparison.difference:
        gap = comparison.difference
        yield phrase(
            _WORDS["no_gap" if not gap.significant else "better" if gap.low > 0 else "worse"], comparison.forms[0]
        )
    if (branch := comparison.responsible) is not None:
        movement = next(each for each in comparison.numbers if each.name == MOVEMENTS[branch].name)
        sure = f", p {shown_p(movement.difference.p_value)}" if movement.difference else ""
        first, second = map(estimate_text, (movement.first, movement.second))
        yield phrase(_WORDS["branch"].format(branch=BRANCH_NAMES[branch], first=first, second=second, sure=sure))
