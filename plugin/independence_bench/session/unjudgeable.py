"""Refuses rubrics that the embedded judge cannot judge by, before any call is made."""

from collections.abc import Iterable

from independence_bench.bad_input import BadInput
from independence_bench.session.missing_keys import some_of
from independence_bench.session.plan import Plan
from independence_bench.spec import LEXICAL_JUDGE


def refuse_unjudgeable(plan: Plan, keys: Iterable[str]) -> None:
    """Raise BadInput where a rubric of these trials asks for a score that the embedded judge does not know."""
    rubrics = {
        spec.scenario.rubric.id: spec.scenario.rubric
        for spec in map(plan.by_key.__getitem__, keys)
        if spec.scenario.rubric and any(judge.offline and judge.id == LEXICAL_JUDGE for judge in plan.judges_of(spec))
    }
    for rubric in rubrics.values():
        from independence_bench.offline.lexical_judge.lexical import unknown_fields  # late: its tables of words

        if unknown := unknown_fields(rubric):
            raise BadInput(
                f"rubric {rubric.id}: {LEXICAL_JUDGE} does not know {some_of(unknown)}; "
                "name a language model as the judge with --judge"
            )
