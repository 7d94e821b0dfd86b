"""The record of one session, case by case: reports/session.json and its copy in reports/history/. Knows no store."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from pydantic import Field, JsonValue

from independence_bench.case_result import OUTCOMES, CaseResult
from independence_bench.pace import Pace
from independence_bench.report.report_data import ReportData
from independence_bench.store import Session
from independence_bench.utc import utc


class Totals(ReportData):
    """All cases together."""

    cases: int
    outcomes: dict[str, int]  # cases by outcome: all of ``OUTCOMES``, then the words of near passes
    cost_usd: float | None  # none where one case's cost is unknown


class BudgetUse(ReportData):
    """The session's budget and its use."""

    max_cost_usd: float
    charged_usd: float
    """What counted against it: known costs, the full reservation of each call with unknown cost, and tokens × the
    assumed price where there is no other price."""


class SessionReport(ReportData):
    """One session: what was asked, how it ended, and every case."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    session: str
    started_at: str  # ISO 8601, UTC
    ended_at: str
    edition: str
    judges: list[str]
    options: dict[str, JsonValue]
    extensions: list[str] = Field(default_factory=list)
    """What installed packages contributed to what was asked and judged, each with its package and version."""
    exit_status: int
    totals: Totals
    budget: BudgetUse | None = None  # none where the session had none
    absurd_costs: int = 0  # calls whose server named a cost that cannot be; what they cost counts as unknown
    cases: list[CaseResult]  # by node id, whatever order they ran in

    @classmethod
    def of(
        cls,
        session: Session,
        cases: Iterable[CaseResult],
        ended_at: float,
        exit_status: int,
        max_cost: float | None,
        pace: Pace,
    ) -> "SessionReport":
        """Put a session's cases together: ``ended_at`` is unix time, ``exit_status`` pytest's, ``max_cost`` the budget,
        US dollars, and ``pace`` the last one.
        """
        ordered = sorted(cases, key=lambda case: (case.node_id, case.case_id))
        ended = Counter(case.outcome for case in ordered)
        counts = {outcome: ended[outcome] for outcome in (*OUTCOMES, *sorted(ended.keys() - OUTCOMES))}
        costs = [case.cost_usd for case in ordered if case.cost_usd is not None]
        totals = Totals(
            cases=len(ordered), outcomes=counts, cost_usd=sum(costs) if len(costs) == len(ordered) else None
        )
        # Built from validated parts: validating 13,000 cases a second time would take longer than writing them.
        return cls.model_construct(
            session=session.id,
            started_at=utc(session.started_at),
            ended_at=utc(ended_at),
            edition=session.edition.id,
            judges=[judge.label for judge in session.panel],
            options=session.options,
            extensions=[*session.extensions],
            exit_status=exit_status,
            totals=totals,
            budget=None if max_cost is None else BudgetUse(max_cost_usd=max_cost, charged_usd=pace.charged_usd or 0.0),
            absurd_costs=pace.absurd_costs,
            cases=ordered,
        )
