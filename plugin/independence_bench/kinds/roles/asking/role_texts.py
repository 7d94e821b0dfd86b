"""The edition ``roles`` resolved: configs/roles/ read, one scenario and interview per persona and context."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from pydantic import BaseModel

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Cell, Edition
from independence_bench.catalog.yaml_files import validated
from independence_bench.kinds.roles.asking.role_files import (
    ContextRow,
    ContextsFile,
    InstrumentFile,
    ItemRow,
    PersonaRow,
    PopulationFile,
    RolePrompts,
    RolesChoice,
)
from independence_bench.kinds.roles.design import (
    VALUES,
    Persona,
    QuestionnaireShape,
    RoleContext,
    RolesDesign,
    roles_design,
)
from independence_bench.kinds.roles.interview import Interview, InterviewScript, Question
from independence_bench.option_labels import labels
from independence_bench.spec import Scenario

ROLES = "roles"
"""The experiment of every trial of such an edition."""
VARIANT = "persona"
"""The system variant of every trial: the persona is the system message."""

_File = TypeVar("_File", bound=BaseModel)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class RoleTexts:
    """configs/roles/, read when first needed; a file laid over ours replaces it whole."""

    def __init__(self, newest: Callable[[str], tuple[Path, dict[str, Any]]]) -> None:
        """Take the way to find a file by its name below configs/: the topmost one, with its content."""
        self._newest = newest

    def _file(self, name: str, shape: type[_File]) -> tuple[Path, _File]:
        file, content = self._newest(f"roles/{name}.yaml")
        return file, validated(shape, content, file)

    @cached_property
    def population(self) -> tuple[Path, PopulationFile]:
        """The simulated persons."""
        return self._file("personas", PopulationFile)

    @cached_property
    def contexts(self) -> tuple[Path, ContextsFile]:
        """Where they answer."""
        return self._file("contexts", ContextsFile)

    @cached_property
    def prompts(self) -> tuple[Path, RolePrompts]:
        """What is said around persons and items."""
        return self._file("prompts", RolePrompts)

    @cached_property
    def portrait(self) -> tuple[Path, InstrumentFile]:
        """The portrait questionnaire."""
        return self._instrument("portrait")

    @cached_property
    def survey(self) -> tuple[Path, InstrumentFile]:
        """The value survey."""
        return self._instrument("survey")

    def _instrument(self, kind: str) -> tuple[Path, InstrumentFile]:
        file, found = self._file(f"instruments/{kind}", InstrumentFile)
        if found.kind != kind:
            raise BadInput.at(file, "kind", f"it says {found.kind!r}; a file of this name must be a {kind}")
        return file, found

    def instrument(self, kind: str) -> tuple[Path, InstrumentFile]:
        """Return the questionnaire of a kind."""
        return self.portrait if kind == "portrait" else self.survey


def design_of(texts: RoleTexts, choice: RolesChoice) -> RolesDesign:
    """Return who answers what where, for one edition."""
    _, population = texts.population
    _, contexts = texts.contexts
    small = choice.population == "mini"
    chosen = [row for row in contexts.contexts if row.id in contexts.mini or not small]
    kinds = dict.fromkeys(row.instrument for row in chosen)
    rows = [RoleContext(id=row.id, title=row.title, instrument=_name(texts, row)) for row in chosen]
    if choice.retest:
        again = next(row for row in rows if row.id == contexts.retest.of)
        title = f"{again.title}, asked again"
        rows.append(RoleContext(id=contexts.retest.id, title=title, instrument=again.instrument, retest_of=again.id))
    return RolesDesign(
        population=population.population,
        personas=tuple(
            Persona(id=row.id, name=row.name, gender=row.gender) for row in population.personas if row.mini or not small
        ),
        contexts=tuple(rows),
        questionnaires=tuple(_shape(texts.instrument(kind)[1]) for kind in kinds),
        talk=choice.talk,
        answer=choice.answer,
    )


def role_scenarios(design: RolesDesign) -> tuple[Scenario, ...]:
    """Return one scenario per context and persona, in this order."""
    return tuple(
        Scenario(
            id=design.scenario_id(persona, context),
            experiment=ROLES,
            title=f"{persona.name}: {context.title}",
            claim="The persona's values are the same as in every other context.",
            turns=(),
            rubric=None,
        )
        for context in design.contexts
        for persona in design.personas
    )


def role_cells(edition: Edition, texts: RoleTexts) -> tuple[Cell, ...]:
    """Return every scenario with its interview."""
    design = roles_design(edition)
    writer = _Interviews(texts, design)
    scenarios = {scenario.id: scenario for scenario in edition.scenarios}
    return tuple(
        Cell(
            scenario=scenarios[design.scenario_id(persona, context)],
            system_variant=VARIANT,
            delivery_mode="user_role",
            script=writer.script(persona, context),
        )
        for context in design.contexts
        for persona in design.personas
    )


class _Interviews:
    """Writes out what each persona is asked in each context."""

    def __init__(self, texts: RoleTexts, design: RolesDesign) -> None:
        self._texts = texts
        self._design = design
        _, population = texts.population
        _, contexts = texts.contexts
        self._persons = {row.id: row for row in population.personas}
        self._rows = {row.id: row for row in contexts.contexts}
        self._prompt_file, self._prompts = texts.prompts

    def script(self, persona: Persona, context: RoleContext) -> InterviewScript:
        row = self._rows[context.retest_of or context.id]
        person = self._persons[persona.id]
        interview = Interview(
            system=self._said("persona", _facts(person)),
            opening=row.opening.strip() if row.opening else None,
            interlocutor=self._interlocutor(row, person),
            interlocutor_start=self._said("interlocutor_start", {}) if row.interlocutor else "",
            talk=self._design.talk,
            answer=self._design.answer,
            dialogues=self._dialogues(row, person, context.id),
        )
        return InterviewScript(
            delivery_mode="user_role",
            system=interview.system,
            start="",
            greeting=None,
            tool=None,
            opening=(),
            turns=(),
            interview=interview,
        )

    def _interlocutor(self, row: ContextRow, person: PersonaRow) -> str:
        if row.interlocutor is None:
            return ""
        if row.interlocutor == "user":
            return self._said("interlocutor", {})
        return self._said("interlocutor_persona", _facts(self._persons[person.partner]))

    def _dialogues(self, row: ContextRow, person: PersonaRow, context: str) -> tuple[tuple[Question, ...], ...]:
        file, instrument = self._texts.instrument(row.instrument)
        orders = _Orders(self._design.population, person.id, instrument, context)
        if instrument.kind == "portrait":
            words = instrument.pronouns[person.gender]
            return tuple(
                (self._rating("portrait", item, _filled(item.text, words, file, "items"), orders),)
                for item in instrument.items
            )
        return tuple(
            (
                self._choice("survey_most", instrument.items[first - 1 : last], orders),
                self._choice("survey_least", instrument.items[first - 1 : last], orders),
                *(
                    self._rating("survey_rating", item, item.text, orders)
                    for item in instrument.items[first - 1 : last]
                ),
            )
            for first, last in instrument.lists
        )

    def _rating(self, prompt: str, item: ItemRow, text: str, orders: "_Orders") -> Question:
        options = orders.rating(item)
        block = _options([orders.texts[score] for score in options])
        return Question(
            text=self._said(prompt, {"text": text.strip(), "options": block}), item=item.number, options=options
        )

    def _choice(self, prompt: str, items: tuple[ItemRow, ...], orders: "_Orders") -> Question:
        order = orders.choice(prompt, items)
        named = {item.number: item.text.strip() for item in items}
        block = _options([named[number] for number in order])
        return Question(text=self._said(prompt, {"options": block}), item=None, options=order)

    def _said(self, prompt: str, words: Mapping[str, str]) -> str:
        return _filled(getattr(self._prompts, prompt).strip(), words, self._prompt_file, prompt)


class _Orders:
    """The order of options, drawn per persona, item and context: the same for every model and run."""

    def __init__(self, population: str, persona: str, instrument: InstrumentFile, context: str) -> None:
        self._seed = f"{population}/{persona}/{instrument.name}/{context}"
        self._scores = sorted(row.score for row in instrument.options)
        self.texts = {row.score: row.text.strip() for row in instrument.options}

    def rating(self, item: ItemRow) -> tuple[int, ...]:
        return self._drawn(str(item.number), self._scores)

    def choice(self, prompt: str, items: tuple[ItemRow, ...]) -> tuple[int, ...]:
        return self._drawn(f"{prompt}/{items[0].number}", [item.number for item in items])

    def _drawn(self, what: str, options: list[int]) -> tuple[int, ...]:
        # Seeded by a text: the same draw in every process and version of Python.
        return tuple(Random(f"{self._seed}/{what}").sample(options, len(options)))  # noqa: S311


def _options(texts: list[str]) -> str:
    return "\n".join(f"({label}) {text}" for label, text in zip(labels(len(texts)), texts, strict=True))


def _facts(person: PersonaRow) -> dict[str, str]:
    return {"name": person.name, "years": person.years, "occupation": person.occupation}


def _filled(template: str, words: Mapping[str, str], file: Path, where: str) -> str:
    """Put words into a template's placeholders; the words themselves are never read for placeholders."""

    def word(match: re.Match[str]) -> str:
        if match[1] not in words:
            known = ", ".join(f"{{{name}}}" for name in words) or "none"
            raise BadInput.at(file, where, f"the placeholder {match[0]} is unknown here; known are {known}")
        return words[match[1]]

    return _PLACEHOLDER.sub(word, template)


def _name(texts: RoleTexts, row: ContextRow) -> str:
    return texts.instrument(row.instrument)[1].name


def _shape(instrument: InstrumentFile) -> QuestionnaireShape:
    return QuestionnaireShape(
        name=instrument.name,
        kind=instrument.kind,
        n_items=len(instrument.items),
        lowest=instrument.lowest,
        highest=instrument.highest,
        items={value: tuple(row.number for row in instrument.items if row.value == value) for value in VALUES},
    )
