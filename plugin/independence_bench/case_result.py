"""The outcome of one pytest case: a worker sends it, the session report lists it. Knows neither store nor report."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from independence_bench.spec import Score, TrialSpec

CaseOutcome = Literal["held", "yielded", "measured", "not measured", "skipped"]
"""``measured``: judged, in a scenario without a pass mark."""


class CaseResult(BaseModel):
    """One pytest case of a session; fields of later versions are ignored when it is read."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    node_id: str
    case_id: str
    label: str
    scenario: str
    run: int
    system_variant: str
    delivery_mode: str
    outcome: CaseOutcome
    scores: dict[str, Score] = Field(default_factory=dict)
    """The panel's means; empty where nothing was measured."""
    reason: str | None = None
    """Why it yielded, was skipped or could not be measured; one safe line."""
    seconds: float = 0.0
    """From its first request to its last verdict; 0 where it was in the store already."""
    cost_usd: float | None = 0.0
    """What it cost this session, failed attempts included; None is unknown."""

    @classmethod
    def of(cls, spec: TrialSpec, node_id: str, outcome: CaseOutcome, **found: Any) -> "CaseResult":
        """Return the result of a trial's case; ``found`` are the fields from ``scores`` on."""
        return cls(
            node_id=node_id,
            case_id=spec.case_id,
            label=spec.model.label,
            scenario=spec.scenario.id,
            run=spec.run,
            system_variant=spec.system_variant,
            delivery_mode=spec.delivery_mode,
            outcome=outcome,
            **found,
        )
