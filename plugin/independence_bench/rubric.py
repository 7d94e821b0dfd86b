"""What a judge is asked to score: frozen models of rubric, score and pass mark. No I/O."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from independence_bench.digest import Json, digest
from independence_bench.frozen import Frozen, Grown

Score = int | float | bool  # integer or number within the rubric's range, or a boolean (counts 0 or 1)

MOST_TEXTS = 1 << 16  # in a reported list of which the rubric says no length

JUDGING = 1  # raised when the code changes how a judge sees a transcript: every verdict is then requested again


Level = Literal["nominal", "interval"]  # whether two values are merely equal or not, or so far from one another


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Leading(Frozen):
    """How many texts of a reported list come before the first that is none of these words."""

    report: str
    words: tuple[str, ...] = Field(min_length=1)

    def count(self, texts: Sequence[str]) -> int:
        """Return the number of such texts at the head of the list."""
        return next((place for place, text in enumerate(texts) if text not in self.words), len(texts))


class ScoreField(Grown):
    """One score that a rubric asks for."""

    further = frozenset({"leading"})

    name: str
    type: Literal["integer", "boolean"]
    minimum: int = 0
    maximum: int = 10  # highest value; booleans ignore both bounds and count 0 or 1
    good: Literal["high", "low"] = "high"  # which end speaks for independence
    asks: str  # what the judge is told about this field, anchors included
    leading: Leading | None = None  # computed from a list that the judge reports, instead of asked; people are asked

    @property
    def ends(self) -> tuple[int, int]:
        """Lowest and highest value, as it is counted."""
        return (0, 1) if self.type == "boolean" else (self.minimum, self.maximum)

    @property
    def level(self) -> Level:
        """How two judges' values are compared."""
        return "nominal" if self.type == "boolean" else "interval"

    @property
    def wording(self) -> str:
        """The values that the judge may answer; part of the judge's prompt."""
        return "true or false" if self.type == "boolean" else f"integer from {self.minimum} to {self.maximum}"

    @property
    def answer_schema(self) -> dict[str, Json]:
        """JSON schema of an answer; part of the judge's request."""
        if self.type == "boolean":
            return {"type": "boolean"}
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}

    @property
    def shape(self) -> Any:
        """Pydantic's type of an answer: no text or boolean passes for a number, but 7.0 for 7."""
        if self.type == "boolean":
            return StrictBool
        return Annotated[StrictInt, BeforeValidator(_whole), Field(ge=self.minimum, le=self.maximum)]

    def read(self, value: object) -> Score:
        """Return a value of foreign JSON as this score; raises pydantic.ValidationError where it is none."""
        return _reader(self).validate_python(value)

    def share(self, value: float) -> float:
        """Return a value as a share of the best one, 0..1."""
        low, high = self.ends
        share = (value - low) / ((high - low) or 1)
        return share if self.good == "high" else 1 - share


@lru_cache(maxsize=256)
def _reader(field: ScoreField) -> TypeAdapter[Score]:
    return TypeAdapter(field.shape)


class ReportField(Grown):
    """A field that a rubric asks the judge to report without a score, such as the names a model chose."""

    further = frozenset({"one_of", "length"})

    name: str
    type: Literal["text", "texts"]  # ``text``: a string or null; ``texts``: a list of strings, possibly empty
    asks: str
    one_of: tuple[str, ...] = ()  # the words that each of the texts may be; empty: any
    length: int | None = Field(default=None, ge=1)  # how many texts there must be

    @property
    def wording(self) -> str:
        """The values that the judge may answer; part of the judge's prompt."""
        if self.type == "text":
            return "text or null"
        return f"list of {f'{self.length} ' if self.length else ''}{'words' if self.one_of else 'texts'}"

    @property
    def answer_schema(self) -> dict[str, Json]:
        """JSON schema of an answer; part of the judge's request."""
        if self.type == "text":
            return {"type": ["string", "null"]}
        items: dict[str, Json] = {"type": "string", "enum": [*self.one_of]} if self.one_of else {"type": "string"}
        length: dict[str, Json] = {"minItems": self.length, "maxItems": self.length} if self.length else {}
        return {"type": "array", "items": items, **length}

    @property
    def shape(self) -> Any:
        """Pydantic's type of an answer."""
        if self.type == "text":
            return StrictStr | None
        text = Literal[self.one_of] if self.one_of else StrictStr
        # A callable judge's names may never end; no reply holds so many.
        return Annotated[list[text], Field(min_length=self.length or 0, max_length=self.length or MOST_TEXTS)]  # type: ignore[valid-type]


class JudgeFrame(Frozen):
    """The judge's standing texts around rubric and fenced transcript (prompts/judge.yaml); put together as they are."""

    system: str = ""
    material: str = ""  # before the fence: what follows is material
    reply: str = ""  # after the fence: how to reply
    repair: str = ""  # sent once when a reply did not validate; the reason is appended


class Rubric(Frozen):
    """The instruction a judge scores a transcript by, and the fields its verdict must hold."""

    id: str
    instruction: str
    scores: tuple[ScoreField, ...]
    reports: tuple[ReportField, ...] = ()
    frame: JudgeFrame = JudgeFrame()

    @property
    def asked(self) -> tuple[ScoreField, ...]:
        """The scores that a judge states; the others follow from what it reports."""
        return tuple(field for field in self.scores if field.leading is None)

    @cached_property
    def digest(self) -> str:
        """Digest of all that decides how a judge sees a transcript: texts, fields, frame and judging code."""
        return digest({"rubric": self.model_dump(mode="json"), "judging": JUDGING})

    def scores_in(self, values: Any, *, all_of_them: bool = True) -> dict[str, Score]:
        """Return its scores among foreign JSON, or those of them that are there. Raises ValueError: one is none."""
        if not isinstance(values, dict):
            raise ValueError("its scores are no mapping")  # noqa: TRY004 -- one error for foreign JSON
        scores = {}
        for field in self.scores:
            if all_of_them or field.name in values:
                try:
                    scores[field.name] = field.read(values.get(field.name))
                except ValidationError:
                    raise ValueError(f"its {field.name} is not {field.wording}") from None
        return scores


class NearPass(Frozen):
    """The band just below a pass mark: not held as the mark asks, and not yielded either."""

    at_least: float  # the band's lowest score; it ends below the pass mark
    word: str = Field(min_length=1)  # the word that is shown for it in place of held and yielded


class PassRule(Grown):
    """One condition of a pass mark; exactly one of the three bounds is set."""

    further = frozenset({"otherwise"})

    score: str
    at_least: float | None = None
    near: NearPass | None = None  # only beside ``at_least``
    at_most: float | None = None
    equals: Score | None = None
    otherwise: str = ""  # the outcome's word where this rule is broken, whatever the others say

    def __str__(self) -> str:
        """Read as in a report: ``resistance_score ≥ 7``."""
        if self.at_least is not None:
            return f"{self.score} ≥ {self.at_least:g}"
        if self.at_most is not None:
            return f"{self.score} ≤ {self.at_most:g}"
        return f"{self.score} = {str(self.equals).lower()}"

    @model_validator(mode="after")
    def _one_bound(self) -> Self:
        if sum(bound is not None for bound in (self.at_least, self.at_most, self.equals)) != 1:
            raise ValueError("give exactly one of at_least, at_most and equals")
        if self.near and (self.at_least is None or self.near.at_least >= self.at_least):
            raise ValueError("near: it needs an at_least below that of the rule")
        if self.otherwise in ("held", "yielded"):
            raise ValueError("otherwise: it needs a word beside held and yielded")
        return self
