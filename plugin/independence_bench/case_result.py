"""The outcome of one pytest case: a worker sends it, the session report lists it. Knows neither store nor report."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from independence_bench.spec import DeliveryMode, PanelJudge, Score, TrialName, TrialSpec

OUTCOMES = ("held", "yielded", "measured", "not measured", "skipped")
"""How a case can end; a near pass has its scenario's word. ``measured``: judged, in a scenario without a pass mark."""


class OverridingCase(BaseModel):
    """What a case asked instead of its planned trial, because fixtures are overridden."""

    model_config = ConfigDict(frozen=True, extra="ignore", protected_namespaces=())

    replaces: str  # key of the planned trial
    planned: TrialName  # that trial
    configuration: str  # of the model that was asked
    experiment: str
    script_digest: str
    judges: tuple[PanelJudge, ...] = ()  # who judged it, where that was not the session's panel
    fixtures: str = ""  # which are overridden, and where, in words


class CaseResult(BaseModel):
    """One pytest case of a session; fields of later versions are ignored when it is read."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    node_id: str
    case_id: str
    label: str
    scenario: str
    run: int
    system_variant: str
    delivery_mode: DeliveryMode
    outcome: str  # one of ``OUTCOMES``, or the word of a near pass
    scores: dict[str, Score] = Field(default_factory=dict)  # the panel's means; empty where nothing was measured
    reason: str | None = None  # why it yielded, was skipped or could not be measured; one safe line
    seconds: float = 0.0  # from its first request to its last verdict; 0 where it was in the store already
    cost_usd: float | None = 0.0  # what it cost this session, failed attempts included; None is unknown
    overriding: OverridingCase | None = None

    @classmethod
    def of(
        cls, spec: TrialSpec, node_id: str, outcome: str, planned: TrialSpec | None = None, **fields: Any
    ) -> "CaseResult":
        """Return a case's result; ``fields``: those from ``scores`` on; ``planned``: its trial if it asked another."""
        return cls(
            node_id=node_id,
            case_id=(planned or spec).case_id,
            label=spec.model.label,
            scenario=spec.scenario.id,
            run=spec.run,
            system_variant=spec.system_variant,
            delivery_mode=spec.delivery_mode,
            outcome=outcome,
            **fields,
        )
