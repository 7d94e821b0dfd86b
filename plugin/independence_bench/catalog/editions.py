"""What an edition is: scenarios, configurations, components and weights. Knows no file and no score of any model."""

from collections.abc import Hashable, Iterable
from functools import cached_property
from math import fsum
from typing import Any, Literal, Self

from pydantic import Field, JsonValue, SerializerFunctionWrapHandler, model_serializer, model_validator

from independence_bench.aggregation import MEAN
from independence_bench.bad_input import near_matches
from independence_bench.digest import digest
from independence_bench.frozen import repeated_names
from independence_bench.kind_registry import INDEX, KINDS, Design, design_type, kind_entry
from independence_bench.spec import DeliveryMode, Frozen, Scenario, ScoreField


class Part(Frozen):
    """One summand of a component: a score, averaged over the scenarios that carry it."""

    score: str
    scenarios: tuple[str, ...] = Field(min_length=1)  # public scenario ids


class Component(Frozen):
    """One column of the leaderboard: the sum of its parts' means, weighed into the Index."""

    weight: float = Field(default=0.0, ge=0, le=1)  # share of the Index; 0 is shown and not weighed
    minimum: float = 0.0
    maximum: float
    good: Literal["high", "low"] = "high"  # where low is good it counts as (maximum − x) / (maximum − minimum)
    parts: tuple[Part, ...] = Field(min_length=1)

    @property
    def span(self) -> float:
        """What lies between its lowest and its highest value."""
        return self.maximum - self.minimum

    def goodness(self, value: float) -> float:
        """Return the component's share of the best possible, 0..1."""
        share = (value - self.minimum) / self.span
        return share if self.good == "high" else 1.0 - share

    def value(self, goodness: float) -> float:
        """Return the value that has this share of the best possible."""
        return self.minimum + self.span * (goodness if self.good == "high" else 1.0 - goodness)

    @model_validator(mode="after")
    def _has_a_span(self) -> Self:
        if not self.minimum < self.maximum:
            raise ValueError(f"maximum: it must be above the minimum, {self.minimum:g}")
        return self


class EngagedShare(Frozen):
    """The share of a component in the number *Engaged*, which counts of a score only what engaging earns."""

    weight: float = Field(gt=0, le=1)  # share of *Engaged*
    above: float | None = None
    """The highest score that the rubric allows without engaging: only the part above it counts, as a share of what
    remains up to the maximum. None counts the whole component."""
    times: str | None = None  # name of a component by whose share of the best this one's is multiplied


_WORDS = Field(max_length=300, pattern=r"^[^{}\\\x00-\x1f]+$")  # fit for a line of BibTeX


class Provenance(Frozen):
    """Whose data it is: shown wherever their numbers are."""

    title: str = _WORDS
    author: str = _WORDS
    address: str = Field(max_length=300, pattern=r"^https?://[^\s{}\\]+$")
    licence: str = _WORDS
    citation: str = Field("", max_length=300, pattern=r"^[^{}\\\x00-\x1f]*$")  # how its authors want it to be cited

    @property
    def sentence(self) -> str:
        """All of it in words."""
        return (
            f"Data of {self.title} by {self.author}, {self.licence} licence, {self.address}. {self.citation}".rstrip()
        )


class EditionFacts(Frozen):
    """What an edition says of itself, before its scenarios are resolved and after."""

    id: str
    title: str
    about: str = ""  # why this edition followed the last, one paragraph
    system_variants: tuple[str, ...] = Field(min_length=1)
    delivery_modes: tuple[DeliveryMode, ...] = Field(min_length=1)
    experimental: str = ""  # what readers of its numbers are told until a pilot has been run; empty: what its kind says
    aggregation: str = MEAN  # how the scores of a panel's judges become one: a name in ``AGGREGATIONS``
    source: Provenance | None = None  # None: nobody else's


class Edition(EditionFacts):
    """A published version of the benchmark, with its scenarios resolved."""

    scenarios: tuple[Scenario, ...] = Field(min_length=1)
    components: dict[str, Component]
    engaged: dict[str, EngagedShare] | None = None  # component → its share in *Engaged*; None without that number
    design: Design | None = None  # what a kind asks besides; in JSON under the kind's name
    unknown_design: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    """The design of a kind that this version does not know, unread, under the kind's name."""

    @property
    def kind(self) -> str:
        """Decides what is asked and what is computed from the trials: see ``kinds``."""
        return self.design.kind if self.design else next(iter(self.unknown_design), INDEX)

    @property
    def standing(self) -> str:
        """What readers of its numbers are told while it is experimental; empty where it is not."""
        return self.experimental or kind_entry(self.kind).experimental

    @property
    def form(self) -> str | None:
        """The seed that its dossiers are drawn by, which ``--form`` replaces; None where nothing is drawn."""
        return getattr(self.design, "form", None)

    @property
    def function_files(self) -> tuple[str, ...]:
        """The files of its Python scenarios, which pytest must be given beside the suite."""
        return tuple(sorted({each.function.file for each in self.scenarios if each.function}))

    @model_validator(mode="before")
    @classmethod
    def _design_of_its_kind(cls, content: Any) -> Any:
        if not isinstance(content, dict):
            return content
        rest = {name: value for name, value in content.items() if name not in KINDS}
        for name in KINDS:
            if content.get(name) is not None:
                rest["design"] = design_type(name).model_validate(content[name])
        match [name for name in rest if name not in cls.model_fields]:
            case [unknown] if isinstance(rest[unknown], dict):
                rest["unknown_design"] = {unknown: rest.pop(unknown)}
        return rest

    @model_serializer(mode="wrap")
    def _under_its_name(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = handler(self)
        content.pop("design")
        content |= content.pop("unknown_design")
        for name in ("engaged", "experimental", "source"):
            if not content[name]:
                content.pop(name)
        return {**content, self.design.kind: self.design.model_dump(mode="json")} if self.design else content

    @model_validator(mode="after")
    def _weights_and_names(self) -> Self:
        for key, weighed in (("components", self.components or None), ("engaged", self.engaged)):
            total = 1.0 if weighed is None else fsum(each.weight for each in weighed.values())
            if abs(total - 1) > 1e-9:
                raise ValueError(f"{key}: the weights sum to {total:g}, they must sum to 1")
        ids = [scenario.id for scenario in self.scenarios]
        if twice := repeated_names(ids):
            raise ValueError(f"scenarios: {', '.join(twice)} is listed twice, keep one")
        if len({scenario.ladder.pushes for scenario in self.scenarios if scenario.ladder}) > 1:
            raise ValueError("scenarios: their ladders have different numbers of pushes; give all equally many")
        for name, component in self.components.items():
            for part in component.parts:
                for scenario in part.scenarios:
                    if scenario not in ids:
                        near = near_matches(scenario, ids)
                        raise ValueError(f"components.{name}: scenario {scenario!r} is not in this edition; {near}")
                    if (scenario, part.score) not in self.score_fields:
                        raise ValueError(f"components.{name}: scenario {scenario!r} has no score {part.score!r}")
            least = fsum(
                min(self.score_fields[scenario, part.score].ends[0] for scenario in part.scenarios)
                for part in component.parts
            )
            if least < component.minimum:
                raise ValueError(f"components.{name}: its scores can come to {least:g}, below its minimum")
        return self

    @model_validator(mode="after")
    def _engaged_shares(self) -> Self:
        for name, share in (self.engaged or {}).items():
            for needed in (name, share.times):
                if needed is not None and needed not in self.components:
                    raise ValueError(
                        f"engaged.{name}: there is no component {needed!r}; name one, or write `engaged: null`"
                    )
            component = self.components[name]
            if share.above is not None and not component.minimum <= share.above < component.maximum:
                raise ValueError(f"engaged.{name}: above must be within the component's scale, below its maximum")
            if share.above is not None and (component.good != "high" or len(component.parts) > 1):
                raise ValueError(f"engaged.{name}: above needs a component of one score of which high is good")
        return self

    def __copy__(self) -> Self:
        """Return a copy that computes again what its fields decide: they may be about to change."""
        copied = super().__copy__()
        for name in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[name]
        return copied

    @cached_property
    def score_fields(self) -> dict[tuple[str, str], ScoreField]:
        """Scenario id and score → its range."""
        return {(scenario.id, field.name): field for scenario in self.scenarios for field in scenario.fields}

    @cached_property
    def weights(self) -> dict[str, float]:
        """Component name → weight, only those that count."""
        return {name: component.weight for name, component in self.components.items() if component.weight > 0}

    @cached_property
    def computed(self) -> dict[Hashable, Any]:
        """What others have computed of this edition alone, by what that is: they keep it here and change it no more."""
        return {}

    @cached_property
    def experiments(self) -> tuple[str, ...]:
        """The experiments of this edition, in the order of its scenarios."""
        return tuple(dict.fromkeys(scenario.experiment for scenario in self.scenarios))


def texts_digest(scripts: Iterable[str]) -> str:
    """Return the digest of all texts of an edition, from its scripts' digests: reports rank only within one."""
    return digest([*sorted(scripts)])
