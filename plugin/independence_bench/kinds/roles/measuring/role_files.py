"""The shape of each YAML file in configs/roles/: population, contexts, questionnaires, prompts. Resolves nothing."""

from functools import cached_property
from typing import Literal, Self

from pydantic import Field, model_validator

from independence_bench.frozen import Frozen, repeated_names
from independence_bench.kinds.roles.design import VALUES, Persona, QuestionnaireShape
from independence_bench.kinds.roles.interview import Sampling

_ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"


def _refuse_repeats(names: list[str], what: str) -> None:
    if twice := repeated_names(names):
        raise ValueError(f"{what} {twice[0]!r} is given twice; rename one")


class PersonaRow(Persona):
    """One simulated person, in the words that its prompts need."""

    id: str = Field(pattern=_ID)
    years: str
    occupation: str
    partner: str  # opens the person-to-person contexts; never the persona itself, and never the partner of two
    mini: bool = False  # part of the small population


class PopulationFile(Frozen):
    """roles/personas.yaml."""

    population: str = Field(pattern=_ID)
    personas: tuple[PersonaRow, ...] = Field(min_length=3)

    @model_validator(mode="after")
    def _ids_and_partners(self) -> Self:
        ids = [row.id for row in self.personas]
        _refuse_repeats(ids, "personas: the id")
        for row in self.personas:
            if row.partner not in ids or row.partner == row.id:
                raise ValueError(f"personas: the partner of {row.id!r} must be another id of this file")
        _refuse_repeats([row.partner for row in self.personas], "personas: the partner")
        return self


class ContextRow(Frozen):
    """One context in which the questionnaire is answered."""

    id: str = Field(pattern=_ID)
    title: str
    instrument: Literal["portrait", "survey"]
    opening: str | None = None  # first message of the other side; null: no conversation
    interlocutor: Literal["user", "persona"] | None = None
    """Writes the opening: the user of a chat program, or another person of the population."""

    @model_validator(mode="after")
    def _somebody_opens(self) -> Self:
        if (self.opening is None) != (self.interlocutor is None):
            raise ValueError(f"the context {self.id!r} needs an opening and an interlocutor, or neither")
        return self


class RetestRow(Frozen):
    """A context asked once more with other option orders: how stable the answers are where nothing has changed."""

    id: str = Field(pattern=_ID)
    of: str


class ContextsFile(Frozen):
    """roles/contexts.yaml."""

    contexts: tuple[ContextRow, ...] = Field(min_length=2)
    retest: RetestRow
    mini: tuple[str, ...] = Field(min_length=2)  # contexts of the small edition

    @model_validator(mode="after")
    def _ids(self) -> Self:
        ids = [row.id for row in self.contexts]
        _refuse_repeats([*ids, self.retest.id], "contexts: the id")
        for name in (self.retest.of, *self.mini):
            if name not in ids:
                raise ValueError(f"contexts: there is no context {name!r}; known are {', '.join(ids)}")
        return self


class OptionRow(Frozen):
    """One answer that can be chosen."""

    score: int
    text: str = Field(min_length=1)


class ItemRow(Frozen):
    """One item of a questionnaire."""

    number: int = Field(ge=1)
    value: str | None  # basic value that it measures; null counts only in a persona's mean
    text: str = Field(min_length=1)
    motives: tuple[str, ...] = ()  # words of the value's motive, one of which the text contains


class InstrumentFile(Frozen):
    """roles/instruments/<kind>.yaml: ours, or the user's own file of the same shape."""

    name: str = Field(pattern=_ID)
    kind: Literal["portrait", "survey"]
    lowest: int
    highest: int
    options: tuple[OptionRow, ...] = Field(min_length=2)
    items: tuple[ItemRow, ...]
    pronouns: dict[Literal["F", "M", "N"], dict[str, str]] = Field(default_factory=dict)
    """Portraits only: the text of each placeholder of the items, by gender."""
    lists: tuple[tuple[int, int], ...] = ()
    """Surveys only: first and last item of each list; each list is one growing dialogue."""

    @cached_property
    def option_texts(self) -> dict[int, str]:
        """Score → what its option says."""
        return {row.score: row.text.strip() for row in self.options}

    @property
    def shape(self) -> QuestionnaireShape:
        """The questionnaire without its words."""
        return QuestionnaireShape(
            name=self.name,
            kind=self.kind,
            n_items=len(self.items),
            lowest=self.lowest,
            highest=self.highest,
            items={value: tuple(row.number for row in self.items if row.value == value) for value in VALUES},
        )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        numbers = [row.number for row in self.items]
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            raise ValueError("items: the numbers must be 1, 2, 3, … without gap or repeat")
        values = {row.value for row in self.items if row.value is not None}
        if unknown := sorted(values - {*VALUES}):
            raise ValueError(f"items: {unknown[0]!r} is no basic value; known are {', '.join(VALUES)}")
        if missing := sorted({*VALUES} - values):
            raise ValueError(f"items: no item measures {missing[0]}; each of the ten basic values needs one")
        scores = sorted(row.score for row in self.options)
        if scores != list(range(self.lowest, self.highest + 1)):
            raise ValueError(f"options: their scores must be {self.lowest} to {self.highest}, each once")
        if self.kind == "portrait" and {*self.pronouns} != {"F", "M", "N"}:
            raise ValueError("pronouns: a portrait needs a table for each of F, M and N")
        if self.kind == "survey":
            numbers_in_lists = [number for first, last in self.lists for number in range(first, last + 1)]
            if numbers_in_lists != list(range(1, len(numbers) + 1)):
                raise ValueError("lists: together they must hold every item once, in order")
        return self


class RolePrompts(Frozen):
    """roles/prompts.yaml; placeholders are in braces."""

    persona: str
    interlocutor: str
    interlocutor_persona: str
    interlocutor_start: str
    portrait: str
    survey_rating: str
    survey_most: str
    survey_least: str


class RolesChoice(Frozen):
    """``roles:`` of an edition: which part of configs/roles/ it asks, and how."""

    population: Literal["all", "mini"] = "all"  # ``mini``: the personas and contexts that are marked so
    retest: bool = True  # ask one context once more with other option orders: the noise ceiling
    talk: Sampling
    answer: Sampling
