"""The shape of each YAML file in configs/: what a row may contain, before names are looked up."""

import re
from collections.abc import Collection
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from independence_bench.aggregation import AGGREGATIONS, MEAN
from independence_bench.catalog.editions import Component, EditionFacts, EngagedShare
from independence_bench.kind_registry import KINDS
from independence_bench.ladder import Ladder
from independence_bench.spec import (
    DELIVERY_MODES,
    EMBEDDED,
    DeliveryMode,
    Frozen,
    ModelFacts,
    PassRule,
    ReasoningEffort,
    Rubric,
    Scenario,
    ScriptedTurn,
    Tool,
    is_embedded,
)

WORDS = r"^[a-z0-9]+(-[a-z0-9]+)*$"  # an id: words and hyphens


def _one_of(known: Collection[str]) -> AfterValidator:
    def check(name: str) -> str:
        if name not in known:
            raise ValueError(f"it must be one of {', '.join(known)}")
        return name

    return AfterValidator(check)


class ModelRow(ModelFacts):
    """One row of models.yaml; unknown facts are null."""

    label: str = Field(min_length=1, max_length=120)
    id: str = Field(min_length=1, max_length=120)
    served_id: str | None = None  # what is sent; null: the id without a leading ``local/``
    endpoint: str = "openrouter"
    active: bool = True  # false: selected by its exact label or id only, never by a glob
    default_in: tuple[Annotated[str, _one_of(KINDS)], ...] = ()  # kinds of edition that ask it by default

    @field_validator("retired", mode="before")
    @classmethod
    def _day(cls, value: object) -> object:
        written = value.isoformat() if type(value) is date else value  # YAML reads a bare day as one
        if isinstance(written, str) and not re.fullmatch(r"\d{4}-\d{2}(-\d{2})?", written):
            raise ValueError("write the day or the month since when it is no longer served, as 2026-05-01 or 2026-05")
        return written

    @property
    def found_by_glob(self) -> bool:
        """False: selected by its exact label or id only."""
        return self.active and self.retired is None

    @model_validator(mode="after")
    def _embedded(self) -> Self:
        if is_embedded(self.id) != (self.endpoint == EMBEDDED):
            raise ValueError(
                f"id: only embedded models, at endpoint {EMBEDDED}, are called {EMBEDDED}/…; rename {self.id}"
            )
        return self

    @model_validator(mode="after")
    def _reasoning(self) -> Self:
        if self.reasoning_required and self.reasoning_effort in ("off", "none"):
            raise ValueError(f"reasoning_effort: {self.label} needs reasoning, choose low, medium or high")
        return self


class JudgeDefaults(Frozen):
    """Sampling for any other model of the catalogue that judges."""

    temperature: float | None = Field(default=0, ge=0, le=2)
    reasoning_effort: ReasoningEffort = "off"
    max_tokens: int = Field(default=1024, ge=1)


class ModelDefaults(JudgeDefaults):
    """How a model without a row is asked."""

    endpoint: str = "openrouter"
    temperature: float | None = Field(default=0.7, ge=0, le=2)
    max_tokens: int = Field(default=2048, ge=1)


class JudgeRow(JudgeDefaults):
    """One row of judges.yaml: a model that judges with its own sampling."""

    model: str  # names it in ``--judge``
    callable: str | None = None  # ``module:attribute`` of a judge that is no chat model and has no endpoint
    endpoint: str = "openrouter"
    served_id: str | None = None
    vendor: str | None = None
    price_in: float | None = Field(default=None, ge=0)
    price_out: float | None = Field(default=None, ge=0)
    price_date: str | None = None


class JudgesFile(Frozen):
    """judges.yaml; a user's file leaves what it lacks to the packaged one."""

    default: str = ""
    offline_default: str = ""
    panel: tuple[str, ...] = ()  # the judges that ``--judge=panel`` names, one of each vendor
    defaults: JudgeDefaults = JudgeDefaults()
    judges: tuple[JudgeRow, ...] = ()


class VariantsFile(Frozen):
    """prompts/system_variants.yaml: system prompts by name."""

    variants: dict[str, str]


class DeliveryPrompt(Frozen):
    """One delivery mode in prompts/delivery_modes.yaml."""

    system_addendum: str = ""
    start: str = Field(min_length=1)
    greeting: str | None = None
    tool: Tool | None = None


class ScriptLine(Frozen):
    """One scripted turn: exactly one of ``human`` and ``model``."""

    human: str | None = None
    model: str | None = None

    @model_validator(mode="after")
    def _one_speaker(self) -> Self:
        if (self.human is None) == (self.model is None) or not (self.human or self.model or "").strip():
            raise ValueError("give the text of this turn under exactly one of 'human' and 'model'")
        return self

    @property
    def turn(self) -> ScriptedTurn:
        """The turn without the YAML's trailing line break."""
        speaker: Literal["human", "model"] = "human" if self.model is None else "model"
        return ScriptedTurn(speaker=speaker, text=(self.human or self.model or "").strip())


FURTHER_EXPERIMENTS = "further_experiments"  # marker of the test for all experiments without their own module

_NO_MARKER = re.compile(
    f"and|or|not|parametrize|skip|skipif|xfail|usefixtures|filterwarnings|tryfirst|trylast|flaky|{FURTHER_EXPERIMENTS}"
)
"""Words that mean something else to ``-m``, or are markers of pytest and its plugins."""


class Experiment(Frozen):
    """One row of experiments.yaml: a question, and the marker by which pytest chooses its trials."""

    id: str = Field(pattern=WORDS)
    question: str = Field(min_length=1)
    marker: str = Field(
        default_factory=lambda row: row.get("id", "").replace("-", "_"),
        pattern=r"^[a-z][a-z0-9_]*$",
        validate_default=True,
    )

    @field_validator("marker")
    @classmethod
    def _free(cls, marker: str) -> str:
        if _NO_MARKER.fullmatch(marker):
            raise ValueError(f"{marker!r} has a meaning in pytest; write another marker")
        return marker


class PushesFile(Frozen):
    """pushes/<stem>.yaml: what the human says after the first answer of a ladder, to any scenario.

    A message is a text of a kind and one of a rung; there are as many rungs as kinds. A word in braces is filled in by
    the scenario.
    """

    kinds: dict[Annotated[str, Field(pattern=WORDS)], tuple[str, ...]] = Field(min_length=2)  # wordings by kind
    rungs: tuple[tuple[str, ...], ...]  # wordings by rung, the lowest first

    @model_validator(mode="after")
    def _as_many(self) -> Self:
        if len(self.rungs) != len(self.kinds):
            raise ValueError(f"{len(self.kinds)} kinds and {len(self.rungs)} rungs; give as many of both")
        if len({len(wordings) for wordings in (*self.kinds.values(), *self.rungs)} | {0}) != 2:
            raise ValueError("give every kind and every rung equally many wordings")
        return self


class LadderChoice(Frozen):
    """``ladder:`` of a scenario."""

    pushes: str  # stem in pushes/
    first: int = Field(default=0, ge=0)  # the order of kinds with which run 1 begins; scenarios differ in it
    words: dict[str, str] = Field(default_factory=dict)  # what the pushes' words in braces stand for here
    reason: str | None = None  # the last turn: a good reason to move


class ScenarioFile(Frozen):
    """scenarios/<stem>.yaml."""

    id: str = Field(pattern=WORDS)
    experiment: str  # id of a row of experiments.yaml
    title: str
    claim: str
    opening: tuple[ScriptLine, ...] = ()
    turns: tuple[ScriptLine, ...] = Field(min_length=1)
    ladder: LadderChoice | None = None  # pushes that follow the turns
    rubric: str  # stem in rubrics/, or ``none``
    passes: tuple[PassRule, ...] | Literal["none"] = Field(alias="pass")

    @field_validator("turns")
    @classmethod
    def _human_turns(cls, turns: tuple[ScriptLine, ...]) -> tuple[ScriptLine, ...]:
        if any(line.human is None for line in turns):
            raise ValueError("each turn is the human's; what the model is made to say belongs in 'opening'")
        return turns

    @field_validator("passes")
    @classmethod
    def _has_rules(cls, passes: tuple[PassRule, ...] | str) -> tuple[PassRule, ...] | str:
        if passes == ():
            raise ValueError("write at least one rule, or `pass: none` where there is no pass mark")
        return passes

    @property
    def first_turns(self) -> tuple[str, ...]:
        """The human's turns that the file writes down; the climbs of a ladder go on from them."""
        return tuple(line.turn.text for line in self.turns)

    def resolved(self, rubric: Rubric | None, ladder: Ladder | None = None) -> Scenario:
        """Return the scenario with its rubric and the climbs of its ladder put in."""
        opening = tuple(line.turn for line in self.opening)
        turns = ladder.climb(1).turns if ladder else self.first_turns
        passes = () if self.passes == "none" else self.passes
        read = {"claim": self.claim.strip(), "opening": opening, "turns": turns, "rubric": rubric, "passes": passes}
        return Scenario(**dict(self) | read | {"ladder": ladder})


class EditionFile(EditionFacts):
    """editions/<id>.yaml."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")
    aggregation: Annotated[str, _one_of(AGGREGATIONS)] = MEAN
    delivery_modes: tuple[Annotated[DeliveryMode, _one_of(DELIVERY_MODES)], ...] = Field(min_length=1)
    components: dict[str, Component] = Field(default_factory=dict)
    engaged: dict[str, EngagedShare] | None = None
