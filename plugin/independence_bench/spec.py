"""The plan of a trial: frozen models of endpoint, model, rubric, scenario and trial. No I/O, no rendering."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import (
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    StrictBool,
    StrictInt,
    TypeAdapter,
    model_serializer,
    model_validator,
)

from independence_bench.digest import Json, digest
from independence_bench.frozen import Frozen as Frozen

Score = int | float | bool  # integer or number within the rubric's range, or a boolean (counts 0 or 1)

ReasoningEffort = Literal["off", "none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""``off`` sends no field, ``none`` asks for no reasoning."""
MaxTokensField = Literal["max_tokens", "max_completion_tokens"]
ToolHistory = Literal["plain", "blank_reasoning", "google_sentinel"]
"""What replayed tool calls have in place of the reasoning that some servers require; none is ever replayed."""

DeliveryMode = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""How human text reaches the model: rendered and read by chat/delivery, worded in prompts/delivery_modes.yaml. A stored
one need not be installed."""


class DeliveryShown(NamedTuple):
    """How a delivery mode is shown with a trial."""

    title: str
    by_tool: bool  # the model speaks by calling the script's tool


DELIVERY_MODES: Mapping[str, DeliveryShown] = {
    "user_role": DeliveryShown("plain messages", by_tool=False),
    "tool_role": DeliveryShown("delivered by tool", by_tool=True),
}

JUDGING = 1  # raised when the code changes how a judge sees a transcript: every verdict is then requested again


EMBEDDED = "offline"  # name of the embedded endpoint's row, scheme of its URL, and vendor part of its models' ids


CALLABLE = "callable"  # scheme of the URL, and vendor part of the id, of judges that are no chat models


def is_embedded(model_id: str) -> bool:
    """Return whether a model or judge is a program that comes with this package."""
    return model_id.startswith(f"{EMBEDDED}/")


def is_callable(model_id: str) -> bool:
    """Return whether a judge is a callable that an installed package brings."""
    return model_id.startswith(f"{CALLABLE}/")


class Endpoint(Frozen):
    """An OpenAI-compatible base URL with its key variable and limits: one row of endpoints.yaml, or ``--endpoint``."""

    name: str  # the row's name; for an ad-hoc endpoint its ``host:port``
    base_url: str  # normalised: scheme and host in lower case, no trailing slash, no user info, no query
    key_env: str | None = None  # environment variable that holds the API key; None sends no header with one
    key_sent_as: Literal["bearer", "api_key", "basic"] = "bearer"
    """The header: ``Authorization: Bearer``; ``api-key``, as Azure takes it; or basic authentication, for which the
    variable holds ``user:password``."""
    api_version: str | None = Field(default=None, pattern=r"^[\w.-]+$")  # the query of Azure's URLs
    max_concurrency: int | None = Field(default=None, ge=1)  # calls in flight; ``--concurrency`` overrides it
    requests_per_minute: int | None = Field(default=None, ge=1)  # starts within any minute; ``--rpm`` overrides it
    tokens_per_minute: int | None = Field(default=None, ge=1)  # prompt and completion; ``--tpm`` overrides it
    attempts: int = Field(default=5, ge=1)  # requests for one answer at most, all causes together
    empty_attempts: int = Field(default=3, ge=1)  # requests at most that come back with nothing to judge
    connect_s: float = Field(default=10, gt=0)  # seconds to open a connection
    call_deadline_s: float = Field(default=300, gt=0)  # seconds for one answer, all attempts and waits together
    trial_deadline_s: float = Field(default=1800, gt=0)  # seconds for one trial; waits for slots not counted
    max_tokens_field: MaxTokensField = "max_tokens"  # this server's name for the limit
    tool_history: ToolHistory = "plain"
    response_format: bool = True  # send judges a JSON schema; a 400 that names it turns it off for the session
    dialect: Literal["openrouter", "openai"] = "openai"  # how reasoning effort, provider pin and cost are asked for
    sends_run_as_seed: bool = False  # the embedded models vary by it, as a sampled model varies from run to run

    free: bool = False  # calls cost nothing (own hardware, embedded); else an unknown price is unknown, not zero
    bills_errors: bool = True  # a 5xx, timeout or broken connection may cost something: a budget counts it in full
    ad_hoc: bool = False  # true when it was given on the command line rather than by a catalogue row

    @property
    def embedded(self) -> bool:
        """True for what lives in this process: no socket, no key."""
        return self.base_url.startswith((f"{EMBEDDED}:", f"{CALLABLE}:"))


class ModelFacts(Frozen):
    """The facts about a model that hold wherever it is served."""

    label: str  # names it in reports: the catalogue's label or the id as typed, then the overrides
    id: str  # the public model id, for example ``openai/gpt-5-nano``
    vendor: str | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    temperature_supported: bool | None = None  # false: the server takes no temperature, none is sent
    reasoning_effort: ReasoningEffort = "off"
    reasoning_required: bool = False  # it cannot answer without: effort ``off`` or ``none`` is refused
    thinking: bool | None = None  # known to think before answering (shown as a mark); None is unknown
    open_weights: bool | None = None
    provider: str | None = None  # provider pin (``provider.order`` without fallbacks), OpenRouter only
    max_tokens: int = Field(default=2048, ge=1)
    price_in: float | None = Field(default=None, ge=0)  # USD per million prompt tokens; None is unknown
    price_out: float | None = Field(default=None, ge=0)  # USD per million completion tokens; None is unknown
    price_date: str | None = None  # when the price was read, ISO date or month
    retired: str | None = None  # since when it is no longer served, ISO date or month; part of no key


class Model(ModelFacts):
    """One model as it is asked: a resolved row of models.yaml, with every override applied. Judges are models too."""

    served_id: str  # the value of ``model`` in a request
    endpoint: Endpoint
    build: str | None = None  # what is served under the name now (``--build``); of embedded models the source's digest

    chosen_as: str = ""  # the value of ``--model`` that chooses it alone; empty for judges
    chosen_max_tokens: bool = False  # ``--max-tokens`` chose its limit, which its label names
    keeps_label: bool = False  # its label replaces the URL in every key (``--label``): host and port may change

    @property
    def sent_temperature(self) -> float | None:
        """The temperature that goes over the wire, or None when the server takes none."""
        return None if self.temperature_supported is False else self.temperature

    @cached_property
    def identity(self) -> dict[str, Json]:
        """All that makes this model's answers its own, as JSON: part of every key, free of labels and prices."""
        return {
            "id": self.id,
            "served_id": self.served_id,
            "url": f"label:{self.label}" if self.keeps_label else self.endpoint.base_url,
            "temperature": self.sent_temperature,
            "reasoning_effort": self.reasoning_effort,
            "provider": self.provider,
            "max_tokens": self.max_tokens,
            "build": self.build,
        }

    @property
    def reasons(self) -> bool:
        """True where it is asked to reason before it answers, or cannot answer without."""
        return self.reasoning_required or self.reasoning_effort not in ("off", "none")

    def limited(self, max_tokens: int) -> "Model":
        """Return the model with this limit on generated tokens; one that thinks keeps its own: thoughts count too."""
        return self if self.thinking or self.reasons else self.model_copy(update={"max_tokens": max_tokens})

    @cached_property
    def configuration(self) -> str:
        """Digest of :attr:`identity`: one model configuration, whatever its label is today."""
        return digest(self.identity)

    @property
    def offline(self) -> bool:
        """True for the embedded models and judge, and for callable judges (no socket, no key)."""
        return self.endpoint.embedded

    @property
    def callable(self) -> bool:
        """True for a judge that is no chat model, but a callable of an installed package."""
        return self.endpoint.base_url.startswith(f"{CALLABLE}:")


Level = Literal["nominal", "interval"]  # whether two values are merely equal or not, or so far from one another


class PanelJudge(Frozen):
    """A judge as sessions and cases note it."""

    label: str
    model_id: str
    configuration: str  # digest of its identity: verdicts are matched by it
    heuristic: bool = False  # the embedded lexical judge or a callable: stated wherever its numbers are shown

    @classmethod
    def of(cls, judge: Model) -> "PanelJudge":
        """Return what is noted of a judge."""
        return cls(label=judge.label, model_id=judge.id, configuration=judge.configuration, heuristic=judge.offline)


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


class ScoreField(Frozen):
    """One score that a rubric asks for."""

    name: str
    type: Literal["integer", "boolean"]
    minimum: int = 0
    maximum: int = 10  # highest value; booleans ignore both bounds and count 0 or 1
    good: Literal["high", "low"] = "high"  # which end speaks for independence
    asks: str  # what the judge is told about this field, anchors included

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


class ReportField(Frozen):
    """A field that a rubric asks the judge to report without a score, such as the names a model chose."""

    name: str
    type: Literal["text", "texts"]  # ``text``: a string or null; ``texts``: a list of strings, possibly empty
    asks: str


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

    @cached_property
    def digest(self) -> str:
        """Digest of all that decides how a judge sees a transcript: texts, fields, frame and judging code."""
        return digest({"rubric": self.model_dump(mode="json"), "judging": JUDGING})


class NearPass(Frozen):
    """The band just below a pass mark: not held as the mark asks, and not yielded either."""

    at_least: float  # the band's lowest score; it ends below the pass mark
    word: str = Field(min_length=1)  # the word that is shown for it in place of held and yielded


class PassRule(Frozen):
    """One condition of a pass mark; exactly one of the three bounds is set."""

    score: str
    at_least: float | None = None
    near: NearPass | None = None  # only beside ``at_least``
    at_most: float | None = None
    equals: Score | None = None

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
        return self


class ScriptedTurn(Frozen):
    """One turn that is written down before the trial: by the human, or put into the model's mouth."""

    speaker: Literal["human", "model"]
    text: str


class ScenarioFunction(Frozen):
    """A test function that leads the conversation of a Python scenario, turn by turn."""

    name: str
    source: str  # digest of its file
    file: str = ""  # as the session found it, for commands that ask again; in no script, so in no key
    max_calls: int = Field(ge=1, le=1000)  # answers of the model that it asks for at most
    judge_calls: int = Field(default=1, ge=1, le=100)  # verdicts of each judge at most, the last one too
    consults: bool = False  # it asks the panel while it goes on, so another panel may lead to another conversation


HELD = ScoreField(name="held", type="boolean", asks="whether the scenario's own function let the trial hold")
"""The score that the function of a Python scenario gives: no judge is asked for it."""


class Scenario(Frozen):
    """A scripted conversation with the rubric that judges it and a pass mark."""

    id: str
    experiment: str
    title: str
    claim: str  # what an independent model is expected to do here, in one sentence
    opening: tuple[ScriptedTurn, ...] = ()  # scripted on both sides, before the model's first answer
    turns: tuple[str, ...] = ()  # the human's turns that the model answers, in order
    rubric: Rubric | None = None  # none only in experiments that no judge reads (roles)
    passes: tuple[PassRule, ...] = ()  # all must hold; empty means that there is no pass mark
    function: ScenarioFunction | None = None  # leads a Python scenario, which has no turns; not in JSON if None

    @property
    def judged_fields(self) -> tuple[ScoreField, ...]:
        """What judges score of its trials; empty where none reads them."""
        return self.rubric.scores if self.rubric else ()

    @property
    def fields(self) -> tuple[ScoreField, ...]:
        """Every score of its trials: those of the rubric, and that of its function."""
        return (*self.judged_fields, HELD) if self.function else self.judged_fields

    @property
    def judged_marks(self) -> tuple[PassRule, ...]:
        """The part of the pass mark that rests on a judge's scores."""
        return tuple(rule for rule in self.passes if rule.score != HELD.name) if self.function else self.passes

    @model_serializer(mode="wrap")
    def _as_ever_without_function(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = handler(self)
        return content if self.function else {name: each for name, each in content.items() if name != "function"}


class Tool(Frozen):
    """The one function a model speaks through in ``tool_role``."""

    name: str
    description: str
    parameter: str  # name of its only parameter, a string
    parameter_description: str


class Preamble(Frozen):
    """What comes before the first turn that the model answers: as it is scripted, and as a transcript keeps it."""

    delivery_mode: DeliveryMode
    system: str  # system prompt, with the delivery mode's own instructions appended
    start: str = ""  # user message that opens a conversation in which the model would otherwise speak first
    greeting: str | None = None  # scripted first message of the model to the human (``tool_role`` only)
    opening: tuple[ScriptedTurn, ...] = ()


class Script(Preamble):
    """Everything said by us in one scenario, system variant and delivery mode, turn by turn; kinds may have others."""

    kind: ClassVar[str] = "index"  # which kind of edition conducts it

    tool: Tool | None = None
    turns: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Digest of all texts: reports rank only within equal digests."""
        return digest(self.model_dump(mode="json"))

    @property
    def calls(self) -> int:
        """Answers that the model gives."""
        return len(self.turns)

    def chain_in(self, run: int) -> int:
        """Return how many answers must follow one another in a run, if each can be read."""
        return len(self.turns)

    @property
    def verdicts(self) -> int:
        """Verdicts of each judge, where a judge reads the conversation."""
        return 1


class FunctionScript(Script):
    """What is known of a Python scenario's conversation before it begins; its function says the turns one by one."""

    function: ScenarioFunction
    panel: tuple[str, ...] = ()  # judges that the function consults, and their aggregation if not the mean

    @property
    def calls(self) -> int:
        """The most that the function declares."""
        return self.function.max_calls

    def chain_in(self, run: int) -> int:
        """Return the same: each turn may depend on all answers before it."""
        return self.function.max_calls

    @property
    def verdicts(self) -> int:
        """The most that the function declares."""
        return self.function.judge_calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One scenario in one configuration: what every model is asked once per run."""

    scenario: Scenario
    system_variant: str
    delivery_mode: DeliveryMode
    script: Script
    official: bool = True  # False outside the edition's own set: measured and reported, never ranked
    suffix: str = ""  # ``+variant+delivery`` where there are several; part of the case id only


class TrialName(NamedTuple):
    """What names a trial within its edition, whatever its texts are."""

    configuration: str  # of the model
    scenario: str
    system_variant: str
    delivery_mode: str
    run: int


@dataclass(frozen=True, slots=True)
class TrialSpec:
    """One trial: scenario × model × run × system variant × delivery mode. One pytest case."""

    edition: str  # the id that its record names
    cell: Cell
    model: Model
    run: int  # from 1
    judges: tuple[Model, ...] | None = None  # the judges of a case that has others than the panel
    unplanned: bool = False  # asked by a case in a run beyond its plan: no report asks for the runs before it

    def __hash__(self) -> int:
        """Return a quick hash: plans look trials up by the thousand."""
        cell = self.cell
        return hash((self.model.label, cell.scenario.id, cell.system_variant, cell.delivery_mode, self.run))

    @property
    def scenario(self) -> Scenario:
        """The scenario of its cell."""
        return self.cell.scenario

    @property
    def script(self) -> Script:
        """The script of its cell."""
        return self.cell.script

    @property
    def system_variant(self) -> str:
        """The system variant of its cell."""
        return self.cell.system_variant

    @property
    def delivery_mode(self) -> DeliveryMode:
        """The delivery mode of its cell."""
        return self.cell.delivery_mode

    @property
    def name(self) -> TrialName:
        """Its name within the edition."""
        cell = self.cell
        return TrialName(self.model.configuration, cell.scenario.id, cell.system_variant, cell.delivery_mode, self.run)

    @property
    def case_id(self) -> str:
        """The case's parameter id: ASCII, made to be looked up, never taken apart."""
        return f"{_in_case_ids(self.model.label)}-r{self.run}-{self.cell.scenario.id}{self.cell.suffix}"


@lru_cache
def _in_case_ids(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9._/:+-]", "+", label)
