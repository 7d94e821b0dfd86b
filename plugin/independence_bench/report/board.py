"""The leaderboard as data: the shape of leaderboard.json. Later versions add fields and never change these.

Whatever rests on partial data is None here, or stands beside the count that says so.
"""

from typing import Literal

from pydantic import Field

from independence_bench.report.findings import (
    Certainty,
    CheckedJudge,
    ConfigurationAnalysis,
    CostAnalysis,
    Health,
    JudgeAnalysis,
    NameAnalysis,
    OtherGroup,
    PublishedInterval,
    RunComponents,
    ScenarioDetail,
    ScenarioDifficulty,
)
from independence_bench.report.shown import Shown

NOT_ASKED = "not asked yet"
"""Why a trial is missing that nobody has tried."""


class Scale(Shown):
    """What a component's number means."""

    weight: float
    """Share of the Index; 0 is shown and not weighed."""
    maximum: float
    good: Literal["high", "low"]
    scores: list[str]
    """The scores it is made of."""
    scenarios: list[str]
    """The scenarios it rests on."""


class RunIndex(Shown):
    """The Index of one run."""

    run: int
    index: float | None
    """None where a trial that it rests on is not measured."""
    bounds: tuple[float, float] | None
    """Where the Index could still lie, if it is None."""


class Missing(Shown):
    """One planned trial that is not measured."""

    scenario: str
    run: int
    reason: str
    system_variant: str
    delivery_mode: str


class Cost(Shown):
    """US dollars by purpose; None where any part of it is unknown."""

    generation: float | None
    judging: float | None
    failed: float | None
    """Attempts that led to no measurement."""


class Count(Shown):
    """How many planned trials are measured."""

    measured: int
    planned: int


class Held(Shown):
    """How many of the trials that have a pass mark reached it."""

    held: int
    measured: int
    planned: int
    share: float | None
    """held / planned; None until all are measured."""


class ModelRow(Shown):
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


class Leaderboard(Shown):
    """A view of the store: one edition, one set of texts, one panel."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    edition: str
    title: str
    texts: str
    """Digest of all that is said in the edition's own configurations."""
    judges: list[str]
    heuristic_judges: list[str]
    """Those among them that are no language model."""
    updated: str | None
    """When the newest record was made, ISO 8601, UTC."""
    notes: list[str]
    """What a reader must know before using the numbers, one sentence each."""
    scales: dict[str, Scale]
    experiments: dict[str, int]
    """Planned trials of each experiment per run."""
    models: list[ModelRow]
    """Ranked ones by rank, then incomplete ones, then those outside the edition's own configurations."""
    origins: dict[str, int] = Field(default_factory=dict)
    """Where the transcripts come from, and how many: ``measured`` here, or the name of an import."""
    confidence: float = 0.95
    """Of every interval."""
    certainty: Certainty | None = None
    """None where nothing is measured."""
    judge_configurations: list[str] = Field(default_factory=list)
    """Digests of the panel, in the order of ``judges``: equal ones judge alike."""
    rubrics: str | None = None
    """Digest of all rubrics that they judge by; None in leaderboards of earlier versions."""
    configurations: ConfigurationAnalysis | None = None
    """The analyses are None where nothing is measured."""
    difficulty: list[ScenarioDifficulty] = Field(default_factory=list)
    """The hardest scenario first."""
    names: NameAnalysis | None = None
    costs: CostAnalysis | None = None
    health: list[Health] = Field(default_factory=list)
    """Every row of ``models``, in its order."""
    judging: JudgeAnalysis | None = None
    """None below two judges."""
    groups: list[OtherGroup] = Field(default_factory=list)
    """Texts from elsewhere that the store holds beside these."""
    judge_checks: list[CheckedJudge] = Field(default_factory=list)
    """How each of ``judges`` did on the known-answer set, in their order."""

    def judge_remark(self, judge: str) -> str:
        """Return what stands in brackets behind a judge's name."""
        return next((each.remark for each in self.judge_checks if each.judge == judge), "not checked")
