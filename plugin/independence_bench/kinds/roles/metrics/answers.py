"""Item answers of one simulated population: read from JSON and checked once, or of an edition's design.

Knows the shape of an answer file and the questionnaires; computes nothing.

    {"model": "my-model", "n_personas": 50,
     "contexts": {"no_conversation": {"questionnaire": "pvq", "answers": [[4, 2, null, …], …]},
                  "again": {"questionnaire": "pvq", "retest_of": "no_conversation", "answers": […]}, …}}

A row is a persona, a column an item; ``null`` (or NaN) is an answer that could not be read. ``questionnaires`` may
define instruments of the user's own:

    {"mine": {"kind": "portrait", "n_items": 21, "score_min": 1, "score_max": 6, "items_1based": {value: [items]}}}
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, StrictInt, model_validator

from independence_bench.bad_input import BadInput
from independence_bench.catalog.yaml_files import validated
from independence_bench.digest import Json
from independence_bench.kinds.roles.design import Persona, QuestionnaireShape, RoleContext, RolesDesign
from independence_bench.kinds.roles.metrics.instruments import INSTRUMENTS, VALUES
from independence_bench.kinds.roles.metrics.scores import ContextAnswers
from independence_bench.safe_text import safe_text
from independence_bench.spec import Frozen
from independence_bench.whole_file import read_whole

FEWEST_PERSONAS = 3  # a rank order of two is a coin

FEWEST_CONTEXTS = 2  # stability is between contexts


@dataclass(frozen=True)
class Population:
    """All answers of one model's simulated population: the same personas, in the same order, in every context."""

    model: str
    contexts: tuple[ContextAnswers, ...]  # in the file's order, retests included

    @property
    def n_personas(self) -> int:
        """How many personas answered."""
        return len(self.contexts[0].answers)

    @property
    def main_contexts(self) -> tuple[ContextAnswers, ...]:
        """The contexts that are compared with each other."""
        return tuple(context for context in self.contexts if context.retest_of is None)


def read_population(file: Path) -> Population:
    """Read one answer file; raises :class:`BadInput` in one sentence for whatever is wrong with it."""
    try:
        content: Json = json.loads(read_whole(file), object_pairs_hook=_without_repeats)
    except OSError as error:
        raise BadInput.at(file, "", f"cannot be read ({error.strerror or error}); give an answer file") from None
    except RecursionError:
        raise BadInput.at(file, "", "is nested too deeply for an answer file; see the example in --help") from None
    except ValueError as error:
        raise BadInput.at(
            file, "", f"is not the JSON of an answer file ({safe_text(str(error))}); correct it"
        ) from None
    return population_from(content, file)


def population_from(content: Json, file: Path) -> Population:
    """Check parsed answers; ``file`` is only the name that complaints begin with. Raises BadInput: they are wrong."""
    try:
        answers = validated(_AnswerFile, content, file)
    except BadInput as error:
        raise BadInput(safe_text(str(error), 600)) from None
    contexts = (
        ContextAnswers(name, answers.instruments[each.questionnaire], each.answers, each.retest_of)
        for name, each in answers.contexts.items()
    )
    return Population(answers.model or file.stem, tuple(contexts))


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """A repeated key would silently drop the answers of a whole context."""
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return content


PersonaAnswers = Sequence[int | None]  # one persona's scores in one context, item by item; None where there is none


def population_of(
    design: RolesDesign, model: str, answers: Callable[[Persona, RoleContext, QuestionnaireShape], PersonaAnswers]
) -> Population:
    """Return the population whose every row of answers is handed in."""
    contexts: list[ContextAnswers] = []
    for context in design.contexts:
        shape = design.questionnaire(context.instrument)
        rows = tuple(tuple(answers(persona, context, shape)) for persona in design.personas)
        contexts.append(ContextAnswers(context.id, shape, rows, context.retest_of))
    return Population(model, tuple(contexts))


def _answer(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    return value


class _WithRemarks(Frozen):
    """Remarks (texts and numbers) under other names are let pass; data that would be ignored is not."""

    model_config = ConfigDict(frozen=True, extra="allow")

    @model_validator(mode="after")
    def _refuse_data(self) -> Self:
        data = [name for name, value in (self.model_extra or {}).items() if isinstance(value, dict | list)]
        if data:
            raise ValueError(f"{data[0]}: it is not part of an answer file; remove it")
        return self


class _OwnQuestionnaire(_WithRemarks):
    kind: Literal["portrait", "survey"] | None = None  # None: that of the known one of this name, else a portrait
    n_items: StrictInt
    lowest: StrictInt = Field(alias="score_min")
    highest: StrictInt = Field(alias="score_max")
    items: dict[str, tuple[StrictInt, ...]] = Field(alias="items_1based")
    unused_items_1based: tuple[StrictInt, ...] = ()  # for readers: all that `items` leaves out

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.highest <= self.lowest:
            raise ValueError(f"score_max: it must be above score_min ({self.lowest})")
        if {value for value, items in self.items.items() if items} != set(VALUES):
            raise ValueError(f"items_1based: items are needed for each of the ten values: {', '.join(VALUES)}")
        numbers = [number for items in self.items.values() for number in items]
        for number in numbers:
            if not 1 <= number <= self.n_items:
                raise ValueError(f"items_1based: {number} is no item number; give numbers from 1 to {self.n_items}")
            if numbers.count(number) > 1:
                raise ValueError(f"items_1based: item {number} is given twice; an item measures one value")
        return self


class _AskedContext(_WithRemarks):
    questionnaire: str
    answers: tuple[tuple[Annotated[StrictInt | None, BeforeValidator(_answer)], ...], ...]
    retest_of: str | None = None


class _AnswerFile(_WithRemarks):
    model: str | None = Field(default=None, min_length=1)
    n_personas: StrictInt | None = None
    value_order: tuple[str, ...] = ()  # for readers
    contexts: dict[str, _AskedContext]
    questionnaires: dict[str, _OwnQuestionnaire] = Field(default_factory=dict)

    @cached_property
    def instruments(self) -> dict[str, QuestionnaireShape]:
        """The known questionnaires and the file's own, which may have the name and kind of a known one."""
        shapes = dict(INSTRUMENTS)
        for name, own in self.questionnaires.items():
            kind = own.kind or (INSTRUMENTS[name].kind if name in INSTRUMENTS else "portrait")
            shape = own.model_dump(include={"n_items", "lowest", "highest", "items"})
            shapes[name] = QuestionnaireShape(name=name, kind=kind, **shape)
        return shapes

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check the personas' number in every context, the number of contexts, and what retests repeat."""
        originals = {name: context for name, context in self.contexts.items() if context.retest_of is None}
        if len(originals) < FEWEST_CONTEXTS:
            raise ValueError(
                f"contexts: {len(originals)} given (retests apart); stability needs at least {FEWEST_CONTEXTS}"
            )
        personas = len(next(iter(self.contexts.values())).answers) if self.n_personas is None else self.n_personas
        for name, context in self.contexts.items():
            if trouble := self._trouble_with(context, originals.get(context.retest_of or name), personas):
                raise ValueError(safe_text(f"contexts.{name}.{trouble}"))
        if personas < FEWEST_PERSONAS:
            raise ValueError(f"contexts: {personas} personas answered; a rank order needs at least {FEWEST_PERSONAS}")
        return self

    def _trouble_with(self, context: _AskedContext, original: _AskedContext | None, personas: int) -> str | None:
        if (shape := self.instruments.get(context.questionnaire)) is None:
            names = ", ".join(self.instruments)
            return f"questionnaire: {context.questionnaire!r:.60} is no questionnaire; known are {names}"
        for place, row in enumerate(context.answers):
            if len(row) != shape.n_items:
                size = f"has {len(row)} answers; {shape.name} has {shape.n_items} items, one answer each"
                return f"answers: row {place} {size}"
            for answer in row:
                if answer is not None and not shape.lowest <= answer <= shape.highest:
                    scale = f"the scale of {shape.name}, {shape.lowest} to {shape.highest}"
                    return f"answers: {answer!r:.60} is outside {scale}; use null for no answer"
        if len(context.answers) != personas:
            return f"answers: it has {len(context.answers)} rows where {personas} are expected, one per persona"
        if original is None:
            return f"retest_of: {context.retest_of!r:.60} is no measured context of this file"
        if original.questionnaire != context.questionnaire:
            return f"questionnaire: a retest asks what {context.retest_of} asked, {original.questionnaire}"
        return None
