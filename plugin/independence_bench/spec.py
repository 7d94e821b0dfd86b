"""The plan of a trial: frozen models of scenario, script and trial. No I/O, no rendering."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field

from independence_bench.digest import digest
from independence_bench.frozen import Frozen as Frozen
from independence_bench.frozen import Grown
from independence_bench.ladder import Ladder
from independence_bench.model_spec import CALLABLE as CALLABLE
from independence_bench.model_spec import EMBEDDED as EMBEDDED
from independence_bench.model_spec import LEXICAL_JUDGE as LEXICAL_JUDGE
from independence_bench.model_spec import Endpoint as Endpoint
from independence_bench.model_spec import MaxTokensField as MaxTokensField
from independence_bench.model_spec import Model as Model
from independence_bench.model_spec import ModelFacts as ModelFacts
from independence_bench.model_spec import PanelJudge as PanelJudge
from independence_bench.model_spec import ReasoningEffort as ReasoningEffort
from independence_bench.model_spec import ToolHistory as ToolHistory
from independence_bench.model_spec import is_embedded as is_embedded
from independence_bench.rubric import JUDGING as JUDGING
from independence_bench.rubric import JudgeFrame as JudgeFrame
from independence_bench.rubric import Level as Level
from independence_bench.rubric import NearPass as NearPass
from independence_bench.rubric import PassRule as PassRule
from independence_bench.rubric import ReportField as ReportField
from independence_bench.rubric import Rubric as Rubric
from independence_bench.rubric import Score as Score
from independence_bench.rubric import ScoreField as ScoreField

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


class Scenario(Grown):
    """A scripted conversation with the rubric that judges it and a pass mark."""

    further = frozenset({"function", "ladder"})

    id: str
    experiment: str
    title: str
    claim: str  # what an independent model is expected to do here, in one sentence
    opening: tuple[ScriptedTurn, ...] = ()  # scripted on both sides, before the model's first answer
    turns: tuple[str, ...] = ()  # the human's turns that the model answers, in order
    rubric: Rubric | None = None  # none only in experiments that no judge reads (roles)
    passes: tuple[PassRule, ...] = ()  # all must hold; empty means that there is no pass mark
    function: ScenarioFunction | None = None  # leads a Python scenario, which has no turns
    ladder: Ladder | None = None  # what each run is asked, where they differ; the turns are those of run 1

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

    def turns_in(self, run: int) -> tuple[str, ...]:
        """Return the human's turns in a run."""
        return self.turns

    def chain_in(self, run: int) -> int:
        """Return how many answers must follow one another in a run, if each can be read; here all of them."""
        return self.calls

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

    @property
    def verdicts(self) -> int:
        """The most that the function declares."""
        return self.function.judge_calls


class LadderScript(Script):
    """A script of which every run has other turns, all of them equally many."""

    ladder: Ladder

    def turns_in(self, run: int) -> tuple[str, ...]:
        """Return those of the climb that the run takes."""
        return self.ladder.climb(run).turns


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
