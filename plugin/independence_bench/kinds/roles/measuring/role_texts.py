"""The texts of the edition ``roles``: configs/roles/ read, and one interview written per persona and context."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from pydantic import BaseModel

from independence_bench.bad_input import BadInput
from independence_bench.catalog.yaml_files import validated
from independence_bench.kinds.roles.design import Persona, RoleContext, RolesDesign
from independence_bench.kinds.roles.interview import Interview, InterviewQuestion, InterviewScript
from independence_bench.kinds.roles.measuring.role_files import (
    ContextRow,
    ContextsFile,
    InstrumentFile,
    ItemRow,
    PersonaRow,
    PopulationFile,
    RolePrompts,
    RolesChoice,
)
from independence_bench.option_labels import labels

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
    def population(self) -> PopulationFile:
        """The simulated persons."""
        return self._file("personas", PopulationFile)[1]

    @cached_property
    def contexts(self) -> ContextsFile:
        """Where they answer."""
        return self._file("contexts", ContextsFile)[1]

    @cached_property
    def prompts(self) -> tuple[Path, RolePrompts]:
        """What is said around persons and items."""
        return self._file("prompts", RolePrompts)

    def instrument(self, kind: str) -> tuple[Path, InstrumentFile]:
        """Read the questionnaire of a kind: ``portrait`` or ``survey``."""
        file, instrument = self._file(f"instruments/{kind}", InstrumentFile)
        if instrument.kind != kind:
            raise BadInput.at(file, "kind", f"it says {instrument.kind!r}; a file of this name must be a {kind}")
        return file, instrument


def design_of(texts: RoleTexts, choice: RolesChoice) -> RolesDesign:
    """Return who answers what where, for one edition."""
    small = choice.population == "mini"
    contexts = [row for row in texts.contexts.contexts if row.id in texts.contexts.mini or not small]
    instruments = {kind: texts.instrument(kind)[1] for kind in dict.fromkeys(row.instrument for row in contexts)}
    rows = [RoleContext(id=row.id, title=row.title, instrument=instruments[row.instrument].name) for row in contexts]
    if choice.retest:
        retest = texts.contexts.retest
        again = next(row for row in rows if row.id == retest.of)
        title = f"{again.title}, asked again"
        rows.append(RoleContext(id=retest.id, title=title, instrument=again.instrument, retest_of=again.id))
    return RolesDesign(
        population=texts.population.population,
        personas=tuple(
            Persona(id=row.id, name=row.name, gender=row.gender)
            for row in texts.population.personas
            if row.mini or not small
        ),
        contexts=tuple(rows),
        questionnaires=tuple(instrument.shape for instrument in instruments.values()),
        talk=choice.talk,
        answer=choice.answer,
    )


class InterviewWriter:
    """Writes out what each persona is asked in each context."""

    def __init__(self, texts: RoleTexts, design: RolesDesign) -> None:
        """Find everything that the design names."""
        self._design = design
        self._persons = {row.id: row for row in texts.population.personas}
        self._rows = {row.id: row for row in texts.contexts.contexts}
        self._prompt_file, self._prompts = texts.prompts
        self._instruments = {shape.name: texts.instrument(shape.kind) for shape in design.questionnaires}

    def script(self, persona: Persona, context: RoleContext) -> InterviewScript:
        """Return what a persona is asked in a context."""
        row = self._rows[context.retest_of or context.id]
        person = self._persons[persona.id]
        interview = Interview(
            system=self._prompt("persona", _facts(person)),
            opening=row.opening.strip() if row.opening else None,
            interlocutor=self._interlocutor(row, person),
            interlocutor_start=self._prompt("interlocutor_start", {}) if row.interlocutor else "",
            talk=self._design.talk,
            answer=self._design.answer,
            dialogues=self._dialogues(person, context),
        )
        return InterviewScript(delivery_mode="user_role", system=interview.system, interview=interview)

    def _interlocutor(self, row: ContextRow, person: PersonaRow) -> str:
        if row.interlocutor is None:
            return ""
        if row.interlocutor == "user":
            return self._prompt("interlocutor", {})
        return self._prompt("interlocutor_persona", _facts(self._persons[person.partner]))

    def _dialogues(self, person: PersonaRow, context: RoleContext) -> tuple[tuple[InterviewQuestion, ...], ...]:
        file, instrument = self._instruments[context.instrument]
        # The order of options is drawn per persona, item and context: the same for every model and run.
        seed = f"{self._design.population}/{person.id}/{instrument.name}/{context.id}"

        def rating(prompt: str, item: ItemRow, text: str) -> InterviewQuestion:
            options = _random_order(f"{seed}/{item.number}", sorted(instrument.option_texts))
            words = {"text": text.strip(), "options": _options([instrument.option_texts[score] for score in options])}
            return InterviewQuestion(text=self._prompt(prompt, words), item=item.number, options=options)

        def choice(prompt: str, items: tuple[ItemRow, ...]) -> InterviewQuestion:
            texts = {item.number: item.text.strip() for item in items}
            options = _random_order(f"{seed}/{prompt}/{items[0].number}", [*texts])
            words = {"options": _options([texts[number] for number in options])}
            return InterviewQuestion(text=self._prompt(prompt, words), item=None, options=options)

        if instrument.kind == "portrait":
            words = instrument.pronouns[person.gender]
            return tuple(
                (rating("portrait", item, fill_template(item.text, words, file, "items")),) for item in instrument.items
            )
        lists = [instrument.items[first - 1 : last] for first, last in instrument.lists]
        return tuple(
            (
                choice("survey_most", items),
                choice("survey_least", items),
                *(rating("survey_rating", item, item.text) for item in items),
            )
            for items in lists
        )

    def _prompt(self, prompt: str, words: Mapping[str, str]) -> str:
        return fill_template(getattr(self._prompts, prompt).strip(), words, self._prompt_file, prompt)


def _random_order(seed: str, options: list[int]) -> tuple[int, ...]:
    # Seeded by a text: the same draw in every process and version of Python.
    return tuple(Random(seed).sample(options, len(options)))  # noqa: S311


def _options(texts: list[str]) -> str:
    return "\n".join(f"({label}) {text}" for label, text in zip(labels(len(texts)), texts, strict=True))


def _facts(person: PersonaRow) -> dict[str, str]:
    return {"name": person.name, "years": person.years, "occupation": person.occupation}


def fill_template(template: str, words: Mapping[str, str], file: Path, where: str) -> str:
    """Put words into a template's placeholders; the words themselves are never read for placeholders."""

    def word(match: re.Match[str]) -> str:
        if match[1] not in words:
            names = ", ".join(f"{{{name}}}" for name in words) or "none"
            raise BadInput.at(file, where, f"the placeholder {match[0]} is unknown here; known are {names}")
        return words[match[1]]

    return _PLACEHOLDER.sub(word, template)
