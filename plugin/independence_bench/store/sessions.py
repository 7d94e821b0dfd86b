"""Values that the store keeps as JSON, enough to report from it alone: sessions, configurations, looks, checks."""

import time
from typing import Any
from uuid import uuid4

from pydantic import ConfigDict, Field, JsonValue, SerializerFunctionWrapHandler, model_serializer

from independence_bench.catalog.editions import Edition
from independence_bench.option_table import OPTIONS
from independence_bench.option_values import MOST_RUNS
from independence_bench.spec import DeliveryMode, Frozen, PanelJudge, TrialName

MERGED = '{"merged":true,'  # how the JSON of a row begins that came by a merge or an import

MERGED_LOOK = "merged:"  # prefix of the subjects of looks that came so: no gate of this store asks for them

IMPORTED_SESSION = "import-"  # prefix of the ids of sessions that show imported texts: a separate group in reports

JUDGING_ONLY = {"command": "judge"}  # options by which a session that judged only is known

KEY_VARIABLES = frozenset(option.field for option in OPTIONS if option.reads == "variable")


def new_session_id(started: float) -> str:
    """Return the id of a session that begins at a Unix time."""
    return f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(started))}-{uuid4().hex[:8]}"


class PlannedCell(Frozen):
    """One scenario under one system variant and delivery mode, as this session asked it."""

    scenario: str
    experiment: str
    system_variant: str
    delivery_mode: DeliveryMode
    script_digest: str
    official: bool
    overridden: bool = False  # asked because fixtures are overridden: only by the cases concerned, and never ranked
    judges: tuple[PanelJudge, ...] = ()  # who judged it, where that was not the session's panel


class MaybeMerged(Frozen):
    """A row that came by a merge or an import says so; one of this store's own sessions, and an export, do not."""

    merged: bool = False  # the first field, see ``MERGED``

    @model_serializer(mode="wrap")
    def _without_rare_fields(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = handler(self)
        return {name: content[name] for name in content if content[name] or name not in ("merged", "asked_instead")}


class Configuration(MaybeMerged):
    """A model configuration and the facts shown with its label; one row of ``configurations``."""

    configuration: str
    label: str
    model_id: str
    vendor: str | None = None
    thinking: bool | None = None
    open_weights: bool | None = None
    provider: str | None = None
    temperature: float | None = None
    reasoning_effort: str | None = None
    build: str | None = None
    price_in: float | None = None
    price_out: float | None = None
    price_date: str | None = None
    retired: str | None = None  # since when it is no longer served
    served: str | None = None  # digest of URL and served id; None where it is not known
    overridden: bool = False  # asked only by cases with overridden fixtures, planned by no session: never ranked


class Session(MaybeMerged):
    """What one session asked for. The newest one decides edition, texts and panel of the leaderboard."""

    id: str  # sortable by time, unique
    started_at: float  # Unix time
    version: str  # version of this package
    edition: Edition  # in full, so that a report needs no configs
    cells: tuple[PlannedCell, ...]
    runs: int = Field(ge=0, le=MOST_RUNS)
    labels: tuple[str, ...]
    panel: tuple[PanelJudge, ...]
    plan_digest: str
    shard: str | None = None  # ``k/n`` where this session asked only its shard of the plan
    build: str | None = None
    options: dict[str, JsonValue] = Field(default_factory=dict)
    """Options that shaped the plan, by allow-list; never a key."""
    configurations: tuple[str, ...]  # digests of the models asked, one for each label in order
    replaced: tuple[TrialName, ...] = ()  # planned trials whose cases asked something else by overridden fixtures
    asked_instead: tuple[str, ...] = ()  # configurations of the models that these cases asked
    chosen_as: tuple[str, ...] = ()  # the value of ``--model`` for each of them, in order; none if it only judged
    extensions: tuple[str, ...] = ()  # of installed packages that shaped it, with package and version

    @property
    def imported(self) -> bool:
        """True for a session that shows imported texts."""
        return self.id.startswith(IMPORTED_SESSION)

    @property
    def judged_only(self) -> bool:
        """True for a session that judged stored answers and asked no model."""
        return JUDGING_ONLY.items() <= self.options.items()


class Look(Frozen):
    """One look of a gate at the measurements so far."""

    model_config = ConfigDict(allow_inf_nan=False)  # JSON has no NaN or infinity

    subject: str  # digest of what the gate looks at, made by the gate
    runs: int  # runs 1 to this one were looked at; a second look at the same runs is the same look
    at: float  # Unix time
    body: dict[str, JsonValue]  # what the gate wants to remember about it
    configurations: tuple[str, ...] = Field(default=())  # models looked at; exported with all of them only


class JudgeCheck(Frozen):
    """A summary of one judge's verdicts on a known-answer set."""

    model_config = ConfigDict(allow_inf_nan=False)  # JSON has no NaN or infinity

    judge: str  # its label
    configuration: str  # digest of the judge as it was asked
    set_digest: str  # digest of the set and of everything that affects how it is judged
    at: float  # Unix time
    passed: bool
    body: dict[str, JsonValue]  # errors, flips and other details to show
