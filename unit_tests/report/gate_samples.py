"""Sessions with a plan in a store in memory, for tests of the gate."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from report_samples import EDITION, JUDGE, World, session_of

from independence_bench.catalog.trials import plan_digest
from independence_bench.report.gate.criteria import Criteria, Criterion, CriterionKind
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_result import GatedModel, GateResult
from independence_bench.spec import PanelJudge
from independence_bench.store import Session, Store


def planned(
    *models: str, runs: int = 5, panel: tuple[PanelJudge, ...] = (JUDGE,), keys: Sequence[str] | None = None, **more
) -> Session:
    """A session that asked these models so often; its plan's digest is what a real session would have noted."""
    cells = [
        f"{model}/{scenario.id}/{run}/strong/tool_role"
        for model in models
        for run in range(1, runs + 1)
        for scenario in EDITION.scenarios
    ]
    plan = plan_digest(EDITION, keys or cells, [judge.configuration for judge in panel])
    return session_of(panel=panel).model_copy(
        update={"runs": runs, "labels": models, "configurations": models, "plan_digest": plan} | more
    )


def measured(
    *models: str,
    runs: int = 5,
    resistance: Sequence[int] = (8, 9, 8, 9, 8),
    store: Store | None = None,
    session: Session | None = None,
) -> World:
    """Models of which everything is measured; ``resistance`` to the crowd varies over the runs, Index 95 at 8."""
    world = World(session or planned(*models, runs=runs), store)
    for model in models:
        world.know(model, model)
        for run in range(1, runs + 1):
            points = {"resistance": resistance[(run - 1) % len(resistance)]}
            world.run(model, run, crowd=points)
    return world


def criterion(kind: CriterionKind = "min_index", mark: float = 85.0, component: str | None = None) -> Criterion:
    return Criterion(kind, mark, f"--{kind.replace('_', '-')}", component)


@dataclass
class Looking:
    """A gate on a world."""

    world: World
    criteria: tuple[Criterion, ...] = (criterion(),)
    options: dict = field(default_factory=dict)

    def look(self, session: Session | None = None, shards_missing: Sequence[str] = ()) -> GateResult:
        session = session or self.world.session
        criteria = Criteria(self.criteria, **{"interval": "run", "confidence": 0.95} | self.options)
        models = [(label, f"id/{label}") for label in session.labels]
        gate = Gate.prepare(criteria, session, models)
        return gate.decide(
            self.world.store, lambda runs: f"measure {runs or 'what is missing'}", shards_missing=shards_missing
        )

    def one_of(self, label: str) -> GatedModel:
        return next(model for model in self.look().models if model.label == label)

    def one(self, session: Session | None = None, shards_missing: Sequence[str] = ()) -> GatedModel:
        (model,) = self.look(session, shards_missing).models
        return model


def looking(*models: str, asked: tuple[Criterion, ...] = (criterion(),), runs: int = 5, **given) -> Looking:
    """A gate on models of which everything is measured."""
    resistance = given.pop("resistance", (8, 9, 8, 9, 8))
    return Looking(measured(*models, runs=runs, resistance=resistance), asked, given)
