"""Turn an edition's design into scoring's shapes: questionnaires into instruments, answers into a population.

Knows no store: the caller supplies the answers.
"""

from collections.abc import Callable, Sequence

from independence_bench.kinds.roles.design import Persona, RoleContext, RolesDesign
from independence_bench.kinds.roles.metrics.answers import ContextAnswers, Population
from independence_bench.kinds.roles.metrics.instruments import Instrument

Answers = Sequence[int | None]
"""One persona's scores in one context, item by item; None where there is none."""


def population_of(
    design: RolesDesign, model: str, answers: Callable[[Persona, RoleContext, Instrument], Answers]
) -> Population:
    """Return the population whose every row of answers is handed in."""
    instruments = {shape.name: Instrument(**dict(shape)) for shape in design.questionnaires}
    return Population(
        model=model,
        contexts=tuple(
            ContextAnswers.model_construct(
                name=context.id,
                instrument=instruments[context.instrument],
                answers=tuple(
                    tuple(answers(persona, context, instruments[context.instrument])) for persona in design.personas
                ),
                retest_of=context.retest_of,
            )
            for context in design.contexts
        ),
    )
