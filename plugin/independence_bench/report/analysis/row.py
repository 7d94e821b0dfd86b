"""The leaderboard as data: the shape of leaderboard.json. Later versions add fields and never change these.

Whatever rests on partial data is None here, or stands beside the count that says so.
"""

from pydantic import Field

from independence_bench.report.report_data import ReportData


class RunComponents(ReportData):
    """The components of one run."""

    run: int
    components: dict[str, float | None]
    """On their own scales; None where a trial that a component rests on is not measured."""


class ScenarioRun(ReportData):
    """One trial."""

    run: int
    scores: dict[str, float] | None
    """The panel's means; None where it is not measured."""
    held: bool | None
    """None where it is not measured or has no pass mark."""


class ScenarioDetail(ReportData):
    """One scenario in one configuration of the edition, over all runs of a model."""

    scenario: str
    experiment: str
    system_variant: str
    delivery_mode: str
    scores: dict[str, float] | None
    """Mean over the runs; None where one of them is not measured."""
    runs: list[ScenarioRun]


class PublishedInterval(ReportData):
    """The interval that the published edition would print: kept for comparison, not to be relied on."""

    low: float
    high: float
    draws: int = 10_000
    seed: int = 42
    method: str = "published method, undercovers"


NOT_ASKED = "not asked yet"
"""Why a trial is missing that nobody has tried."""


class RunIndex(ReportData):
    """The Index of one run."""

    run: int
    index: float | None
    """None where a trial that it rests on is not measured."""
    bounds: tuple[float, float] | None
    """Where the Index could still lie, if it is None."""


class Missing(ReportData):
    """One planned trial that is not measured."""

    scenario: str
    run: int
    reason: str
    system_variant: str
    delivery_mode: str


class Cost(ReportData):
    """US dollars by purpose; None where any part of it is unknown."""

    generation: float | None
    judging: float | None
    failed: float | None
    """Attempts that led to no measurement."""


class Count(ReportData):
    """How many planned trials are measured."""

    measured: int
    planned: int


class Held(ReportData):
    """How many of the trials that have a pass mark reached it."""

    held: int
    measured: int
    planned: int
    share: float | None
    """held / planned; None until all are measured."""


class LeaderboardRow(ReportData):
    """One model configuration on the leaderboard."""

    label: str
    rank: int | None
    """Equal Indices share a rank; None where the Index is None or the configuration is not the edition's own."""
    index: float | None
    """Mean over the runs; None where one planned trial is missing."""
    bounds: tuple[float, float] | None
    """The Index if all that is missing were worst, or best; None where nothing is missing."""
    runs: list[RunIndex]
    components: dict[str, float | None]
    """Mean over the runs, on the component's own scale; None where a trial it rests on is missing in any run."""
    measured: int
    planned: int
    missing: list[Missing]
    scored: dict[str, Count]
    """By experiment."""
    held: Held
    transcripts: int
    """Planned trials that have been asked, judged or not."""
    delivery_kept: float | None
    """Share of these transcripts in which every answer came by the delivery asked for; None where there are none."""
    cost_usd: float | None
    """All of ``cost`` together; None where any part is unknown."""
    cost: Cost
    prompt_tokens: int
    """Of the tested model, over these transcripts."""
    completion_tokens: int
    configuration: str | None
    """``variant+delivery`` outside the edition's own set: measured, reported, never ranked."""
    identity: str
    """Digest of the model configuration."""
    model_id: str
    vendor: str | None
    thinking: bool | None
    open_weights: bool | None
    provider: str | None
    temperature: float | None
    reasoning_effort: str | None
    build: str | None
    components_by_run: list[RunComponents] = Field(default_factory=list)
    scenarios: list[ScenarioDetail] = Field(default_factory=list)
    published_interval: PublishedInterval | None = None
    """None below two runs, and where one of them has no Index."""
    interval_by_run: tuple[float, float] | None = None
    """Where the Index would lie if these scenarios were asked again and again; None below two runs, and where the
    Index is None."""
    interval_by_scenario: tuple[float, float] | None = None
    """Where it would lie with other scenarios of the same kinds, too; None for a single scenario, and as above."""
    ceiling_share: float | None = None
    """Share of all points, 0..1, in scenarios that came out best in every run; None where the Index is None."""
    mostly_ceiling: bool = False
    """More than half of all points lie in scenarios that came out best, or worst, in every run: the intervals rest
    mostly on what may not have been seen yet."""
    rank_interval: tuple[int, int] | None = None
    """Best and worst rank that the paired differences by scenario leave open; None where the rank is None."""
    tier: int | None = None
    """1 is highest; a tier begins with the highest model that is surely worse than the beginning of the tier above."""

    @property
    def complete(self) -> bool:
        """True where every planned trial is measured."""
        return self.measured == self.planned
