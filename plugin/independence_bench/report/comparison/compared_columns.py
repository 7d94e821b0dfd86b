"""The tables of a comparison, each column declared once for terminal and page. Renders nothing."""

from collections.abc import Callable
from typing import Any, Literal

from independence_bench.report.blocks import Column, Name, Phrase, Table, Value, phrase
from independence_bench.report.comparison.found import ComparedComponent, ComparedModel, ComparedScenario, Comparison
from independence_bench.report.comparison.sentences import (
    LETTERS,
    component_gap,
    component_reach,
    component_scale,
    p_value,
    scores,
    signed_amount,
)
from independence_bench.report.formatting import number, shown_bounds, shown_confidence, shown_interval
from independence_bench.report.scale import shown_scale, title, value

_Lettered = tuple[str, ComparedModel]


def compared_models(comparison: Comparison) -> Table[_Lettered]:
    """Return both sides."""
    level, sides = shown_confidence(comparison.confidence), (comparison.first, comparison.second)
    only: Literal["page"] | None = "page" if sides[0].build == sides[1].build else None

    def interval(basis: str, of: Callable[[ComparedModel], tuple[float, float] | None]) -> Column[_Lettered]:
        def shown(side: _Lettered) -> Value:
            return phrase(shown_interval(of(side[1]), side[1].mostly_ceiling))

        return Column(f"{level} by {basis}", shown, "", f"{level}\nby {basis}")

    columns: list[Column[_Lettered]] = [
        Column("", lambda side: side[0], right=False),
        Column("Model", lambda side: Name(side[1].label), "", "model", right=False, least=22),
        Column("Index", lambda side: _index(side[1])),
        interval("scenario", lambda side: side.interval_by_scenario),
        interval("run", lambda side: side.interval_by_run),
        Column("Runs", lambda side: side[1].runs, "", "runs", importance=0.4),
        Column(
            "Measured",
            lambda side: f"{side[1].measured}/{side[1].planned}",
            "",
            "measured",
            importance=0.3,
            page=lambda side: f"{side[1].measured} of {side[1].planned}",
        ),
        Column("Asked", lambda side: (side[1].last_asked or "–")[:10], "", "last asked", importance=0.2, page=_days),
        Column("Build", _build, "", "build", right=False, least=10, importance=0.1, only=only, right_on_page=True),
        Column("From", lambda side: Name(side[1].source), only="page"),
    ]
    return Table(columns, [*zip(LETTERS, sides, strict=True)])


def _index(side: ComparedModel) -> Value:
    return shown_bounds(side.bounds) if side.index is None else phrase("**{}**", number(side.index, 1))


def _days(side: _Lettered) -> Phrase:
    return phrase(" to ".join(dict.fromkeys(at[:10] for at in (side[1].first_asked, side[1].last_asked) if at)) or "–")


def _build(side: _Lettered) -> Value:
    return Name(side[1].build) if side[1].build else "–"


def compared_components(comparison: Comparison) -> Table[ComparedComponent]:
    """Return the components on their own scales."""
    level = shown_confidence(comparison.confidence)
    columns: list[Column[ComparedComponent]] = [
        Column(
            "Component",
            lambda row: f"{title(row.component)} {shown_scale(component_scale(row))}",
            "",
            "component",
            right=False,
            least=20,
        ),
        Column("A", lambda row: value(row.first, component_scale(row))),
        Column("B", lambda row: value(row.second, component_scale(row))),
        Column("A − B", lambda row: phrase(component_gap(row))),
        Column(f"{level} by scenario", lambda row: component_reach(row, row.by_scenario), "", f"{level}\nby scenario"),
        Column("p", lambda row: p_value(row.by_scenario), importance=0.4),
        Column(f"{level} by run", lambda row: component_reach(row, row.by_run), "", f"{level}\nby run", importance=0.2),
        Column("p by run", lambda row: p_value(row.by_run), "", "p by\nrun", importance=0.1),
        Column(
            "Index points",
            lambda row: phrase(signed_amount(row.points) if row.weight else "–"),
            "",
            "Index\npoints",
            importance=0.3,
        ),
    ]
    return Table(columns, comparison.components)


_SCENARIO: Column[ComparedScenario] = Column(
    "Scenario", lambda row: row.scenario, "", "scenario", right=False, least=22
)
_GAP: Column[ComparedScenario] = Column("A − B", lambda row: phrase(signed_amount(row.points)))
_WORTH: Column[ComparedScenario] = Column("At most", lambda row: number(row.worth, 1), "", "at most", importance=0.2)
_SCORES: Column[ComparedScenario] = Column(
    "Mean scores, A : B", scores, "", "mean scores, A : B", right=False, least=24
)
FOR_A_PAGE: list[Column[Any]] = [_SCENARIO, _SCORES, _GAP, _WORTH]
FOR_A_TERMINAL: list[Column[Any]] = [_SCENARIO, _GAP, _WORTH, _SCORES]
"""What may be cut comes last."""
