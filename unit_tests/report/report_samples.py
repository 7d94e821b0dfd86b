"""A small edition and a store in memory, filled by tests of the report."""

from itertools import count
from typing import Any

from independence_bench.catalog.editions import Component, Edition, EngagedShare, Part
from independence_bench.kinds.index.reporting.index_kind import KIND
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.numbers.number_report import NumberReport
from independence_bench.report.presented import Presented
from independence_bench.spec import DeliveryMode, PanelJudge, PassRule, Rubric, Scenario, Score, ScoreField
from independence_bench.store import Configuration, PlannedCell, Session, Store
from independence_bench.trial import Exchange, Failure, FailureKind, Reply, Transcript, TrialRecord, Usage, Verdict

IDENTITY = Rubric(
    id="identity",
    instruction="",
    scores=(
        ScoreField(name="likeness", type="integer", asks=""),
        ScoreField(name="drift", type="integer", good="low", asks=""),
        ScoreField(name="changed", type="boolean", good="low", asks=""),
    ),
)
BOUNDARY = Rubric(
    id="boundary",
    instruction="",
    scores=(
        ScoreField(name="resistance", type="integer", asks=""),
        ScoreField(name="reasons", type="integer", asks=""),
    ),
)
PASS_MARK = (PassRule(score="resistance", at_least=7),)


def scenario(id: str, experiment: str, rubric: Rubric | None, passes: tuple[PassRule, ...] = ()) -> Scenario:
    return Scenario(id=id, experiment=experiment, title=id, claim="", turns=("?",), rubric=rubric, passes=passes)


EDITION = Edition(
    id="small",
    title="A small edition",
    system_variants=("strong",),
    delivery_modes=("tool_role",),
    scenarios=(
        scenario("who", "identity", IDENTITY),
        scenario("praise", "boundary", BOUNDARY, PASS_MARK),
        scenario("crowd", "boundary", BOUNDARY, PASS_MARK),
    ),
    components={
        "likeness": Component(weight=0.2, maximum=10, parts=(Part(score="likeness", scenarios=("who",)),)),
        "drift": Component(
            weight=0.3,
            maximum=11,
            good="low",
            parts=(Part(score="drift", scenarios=("who",)), Part(score="changed", scenarios=("who",))),
        ),
        "resistance": Component(
            weight=0.5, maximum=10, parts=(Part(score="resistance", scenarios=("praise", "crowd")),)
        ),
        "reasons": Component(weight=0, maximum=10, parts=(Part(score="reasons", scenarios=("praise", "crowd")),)),
    },
)
WITH_ENGAGED = EDITION.model_copy(
    update={
        "engaged": {
            "likeness": EngagedShare(weight=0.2),
            "drift": EngagedShare(weight=0.3, times="likeness"),
            "resistance": EngagedShare(weight=0.5, above=6),
        }
    }
)
"""The same with the number Engaged."""
GOOD: dict[str, dict[str, Score]] = {
    "who": {"likeness": 10, "drift": 0, "changed": False},
    "praise": {"resistance": 10, "reasons": 5},
    "crowd": {"resistance": 8, "reasons": 5},
}
JUDGE = PanelJudge(label="judge/one", model_id="judge/one", configuration="J1")
SECOND_JUDGE = PanelJudge(label="judge/two", model_id="judge/two", configuration="J2")


def board_of(world: "World") -> Leaderboard:
    return build_leaderboard(world.store, world.session)


def section_of(world: "World", heading: str) -> str:
    """Return what stands under a heading of LEADERBOARD.md."""
    return leaderboard_markdown(board_of(world)).split(f"\n## {heading}\n")[1].split("\n## ")[0]


def presented_leaderboard(board: Leaderboard, edition: Edition = EDITION) -> Presented:
    """A leaderboard in every form, as a session shows it."""
    return KIND.forms(NumberReport(board, edition))


def leaderboard_text(board: Leaderboard, width: int = 100, **options: Any) -> str:
    return presented_leaderboard(board).text(width, **options)


def leaderboard_markdown(board: Leaderboard, edition: Edition = EDITION) -> str:
    return presented_leaderboard(board, edition).files()["LEADERBOARD.md"]


def details_text(board: Leaderboard, edition: Edition = EDITION, width: int = 100) -> str:
    return presented_leaderboard(board, edition).details(width)


def script_of(scenario_id: str, variant: str = "strong", delivery: str = "tool_role") -> str:
    return f"script-{scenario_id}-{variant}-{delivery}"


def cells(
    variant: str = "strong", delivery: DeliveryMode = "tool_role", *, official: bool = True, edition: Edition = EDITION
) -> tuple[PlannedCell, ...]:
    return tuple(
        PlannedCell(
            scenario=each.id,
            experiment=each.experiment,
            system_variant=variant,
            delivery_mode=delivery,
            script_digest=script_of(each.id, variant, delivery),
            official=official,
        )
        for each in edition.scenarios
    )


def session_of(
    id: str = "s1",
    panel: tuple[PanelJudge, ...] = (JUDGE,),
    planned: tuple[PlannedCell, ...] | None = None,
    edition: Edition = EDITION,
    started_at: float = 1000.0,
) -> Session:
    return Session(
        id=id,
        started_at=started_at,
        version="0",
        edition=edition,
        cells=cells(edition=edition) if planned is None else planned,
        runs=1,
        labels=(),
        configurations=(),
        panel=panel,
        plan_digest="plan",
    )


class World:
    """A store in memory and a session; every record is a second newer than the last.

    A session that names nobody has asked every model.
    """

    def __init__(self, session: Session | None = None, store: Store | None = None) -> None:
        self.store = store or Store.empty()
        self.session = session or session_of()
        self.seconds = count(2000)
        self._names_nobody = not self.session.configurations
        self.store.begin_session(self.session, [])

    def know(self, configuration: str, label: str, **facts: str | bool | float | None) -> None:
        row = Configuration.model_validate(
            {"configuration": configuration, "label": label, "model_id": f"id/{label}"} | facts
        )
        self.store.begin_session(self.session, [row])

    def trial(
        self,
        model: str,
        scenario_id: str,
        scores: dict[str, Score] | None,
        run: int = 1,
        *,
        judges: tuple[PanelJudge, ...] = (JUDGE,),
        failures: tuple[Failure, ...] = (),
        asked: bool = True,
        said: str | None = None,
        cost: float | None = 0.5,
        judge_cost: float | None = 0.25,
        kept: bool = True,
        thinks: bool = False,
        variant: str = "strong",
        delivery: DeliveryMode = "tool_role",
        edition: Edition = EDITION,
        script: str | None = None,
        at: float | None = None,
        key: str | None = None,
        reports: dict[str, str | list[str] | None] | None = None,
        reply_facts: dict[str, object] | None = None,
        origin: str = "measured",
        reason: str = "because",
    ) -> None:
        """Add one trial; ``scores`` None leaves it unjudged, ``asked`` False leaves it without a transcript."""
        now = float(next(self.seconds)) if at is None else at
        if self._names_nobody and model not in self.session.configurations:
            asked_so_far = (*self.session.configurations, model)
            self.session = self.session.model_copy(update={"configurations": asked_so_far})
        found = next(each for each in edition.scenarios if each.id == scenario_id)
        place = f"{model}/{scenario_id}/{run}/{variant}/{delivery}"
        reply = Reply(
            answer=said or place,
            delivery_kept=kept,
            usage=Usage(prompt_tokens=100, completion_tokens=10, reasoning_tokens=4 * thinks, cost_usd=cost),
        ).model_copy(update=reply_facts or {})
        transcript = Transcript(
            delivery_mode=delivery,
            system="",
            start="",
            greeting=None,
            opening=(),
            exchanges=(Exchange(after=None, asked="?", reply=reply),),
        )
        verdicts = tuple(
            Verdict(
                key=f"{transcript.hash}/{judge.configuration}",
                transcript_hash=transcript.hash,
                rubric_id=found.rubric.id,
                rubric_digest=found.rubric.digest,
                judge=judge.label,
                judge_configuration=judge.configuration,
                scores=scores,
                reports=reports or {},
                reasoning=reason,
                raw="{}",
                usage=Usage(prompt_tokens=50, completion_tokens=5, cost_usd=judge_cost),
                created_at=now + 0.5,
            )
            for judge in judges
            if scores is not None and found.rubric is not None
        )
        record = TrialRecord(
            key=key or place,
            label=model,
            model_id=f"id/{model}",
            configuration=model,
            build=None,
            edition=edition.id,
            experiment=found.experiment,
            scenario=scenario_id,
            run=run,
            system_variant=variant,
            delivery_mode=delivery,
            script_digest=script or script_of(scenario_id, variant, delivery),
            transcript=transcript if asked else None,
            transcript_at=now,
            verdicts=verdicts if asked else (),
            failures=failures,
        )
        self.store.add_all([record], self.session.id, origin=origin)

    def failure(
        self,
        model: str,
        scenario_id: str,
        message: str,
        run: int = 1,
        *,
        kind: FailureKind = "endpoint",
        cost: float | None = 0.125,
        at: float | None = None,
        judge: str | None = None,
        edition: Edition = EDITION,
    ) -> None:
        """Add one failed attempt at a trial."""
        moment = float(next(self.seconds)) if at is None else at
        failed = Failure(kind=kind, message=message, usage=Usage(cost_usd=cost), attempts=3, at=moment, judge=judge)
        self.trial(model, scenario_id, None, run, failures=(failed,), asked=False, at=moment, edition=edition)

    def run(self, model: str, run: int = 1, **overrides: dict[str, Score]) -> None:
        """Measure a whole run; ``who={...}`` overrides a scenario's scores."""
        for each in EDITION.scenarios:
            self.trial(model, each.id, GOOD[each.id] | overrides.get(each.id, {}), run)

    def graded_run(self, model: str, run: int, who: int, praise: int, crowd: int) -> None:
        """Measure a whole run with these scores, drift being what likeness lacks."""
        self.run(
            model,
            run,
            who={"likeness": who, "drift": 10 - who},
            praise={"resistance": praise},
            crowd={"resistance": crowd},
        )


def mute(session: Session) -> World:
    """A model of which one of four trials with a pass mark has nothing to keep."""
    taken = PassRule(score="reasons", at_least=1, otherwise="no position")
    scenarios = tuple(
        each.model_copy(update={"passes": (*each.passes, taken)}) if each.passes else each for each in EDITION.scenarios
    )
    edition = EDITION.model_copy(update={"scenarios": scenarios})
    world = World(session.model_copy(update={"edition": edition}))
    for run in (1, 2):
        for name, scores in GOOD.items():
            given = {"resistance": 4, "reasons": 0} if (name, run) == ("crowd", 2) else scores
            world.trial("mute", name, given, run, judges=session.panel)
    return world
