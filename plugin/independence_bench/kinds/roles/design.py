"""What the edition ``roles`` compares: personas, contexts and questionnaires by name and number. No wording.

Stored with every session, so that reports need no configs.
"""

from typing import ClassVar, Literal

from pydantic import Field

from independence_bench.frozen import Frozen
from independence_bench.kind_registry import Design
from independence_bench.kinds.roles.interview import Sampling

VALUES = (
    "Self-Direction",
    "Stimulation",
    "Hedonism",
    "Achievement",
    "Power",
    "Security",
    "Conformity",
    "Tradition",
    "Benevolence",
    "Universalism",
)
"""The ten basic values (Schwartz 1992), in circle order."""


class Persona(Frozen):
    """One simulated person."""

    id: str
    name: str = Field(min_length=1)
    gender: Literal["F", "M", "N"]  # decides the pronouns of portraits; N: they


class RoleContext(Frozen):
    """One context, or a retest of one."""

    id: str
    title: str
    instrument: str
    retest_of: str | None = None


class QuestionnaireShape(Frozen):
    """A questionnaire without its words: how many items, on which scale, and which of them measure which value."""

    name: str
    kind: Literal["portrait", "survey"]
    n_items: int
    lowest: int
    highest: int
    items: dict[str, tuple[int, ...]]
    """Value → item numbers, counted from 1; items of no value count only in a persona's mean."""

    def columns(self, value: str) -> list[int]:
        """Positions of a value's items in a row of answers, counted from 0."""
        return [item - 1 for item in self.items[value]]

    @property
    def value_items(self) -> list[tuple[int, str]]:
        """Position and value of every item that measures a value, in the order of the questionnaire."""
        return sorted((item - 1, value) for value in VALUES for item in self.items[value])


class RolesDesign(Design):
    """Every persona answers in every context."""

    kind: ClassVar[str] = "roles"

    population: str
    personas: tuple[Persona, ...] = Field(min_length=3)
    contexts: tuple[RoleContext, ...] = Field(min_length=2)  # retests last
    questionnaires: tuple[QuestionnaireShape, ...]
    talk: Sampling
    answer: Sampling

    def scenario_id(self, persona: Persona, context: RoleContext) -> str:
        """Return the public id of one persona in one context."""
        return f"{context.id}-{persona.id}"

    def questionnaire(self, name: str) -> QuestionnaireShape:
        """Return a questionnaire by name."""
        return next(shape for shape in self.questionnaires if shape.name == name)


DESIGN = RolesDesign


def roles_design(design: Design | None) -> RolesDesign:
    """Return the design of an edition as what it is in an edition of this kind."""
    assert isinstance(design, RolesDesign)
    return design
