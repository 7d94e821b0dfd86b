"""One row of the store's table ``sessions``: what a session asked for, enough to report from the store alone."""

from pydantic import Field, JsonValue

from independence_bench.catalog.editions import Edition
from independence_bench.spec import DeliveryMode, Frozen

IMPORTED_SESSION = "import-"
"""How ids of sessions begin that show texts from elsewhere: reports give each such group a place of its own."""


class PlannedCell(Frozen):
    """One scenario in one configuration, as this session asked it."""

    scenario: str
    experiment: str
    system_variant: str
    delivery_mode: DeliveryMode
    script_digest: str
    official: bool


class PanelJudge(Frozen):
    """One judge of the session's panel."""

    label: str
    model_id: str
    configuration: str
    """Digest of its identity: verdicts are matched by it."""
    heuristic: bool = False
    """True for the embedded lexical judge: said wherever its numbers are shown."""


class Configuration(Frozen):
    """A model configuration and the facts shown beside its label; one row of ``configurations``."""

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


class Session(Frozen):
    """What one session asked for. The newest one decides edition, texts and panel of the leaderboard."""

    id: str
    """Sortable by time, unique."""
    started_at: float
    """Unix time."""
    version: str
    """Version of this package."""
    edition: Edition
    """In full, so that a report needs no configs."""
    cells: tuple[PlannedCell, ...]
    runs: int
    labels: tuple[str, ...]
    panel: tuple[PanelJudge, ...]
    plan_digest: str
    shard: str | None = None
    """``k/n`` where this session asked only its shard of the plan."""
    build: str | None = None
    options: dict[str, JsonValue] = Field(default_factory=dict)
    """Options that shaped the plan, by allow-list; never a key."""
    configurations: tuple[str, ...] = ()
    """Digests of the models asked, one for each label in their order; sessions of earlier versions have none."""
