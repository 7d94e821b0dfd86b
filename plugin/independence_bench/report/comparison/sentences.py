"""The sentences, the tables and the formatted values of a comparison, for terminal and Markdown. Renders nothing.

Sentences give amounts in the direction that they name; tables give the first model minus the second, and declare each
column once.
"""

from collections.abc import Iterator
from math import ceil, floor
from typing import Any, Literal

from independence_bench.report.blocks import Column, Name, Phrase, Table, Value, phrase
from independence_bench.report.comparison.found import (
    ComparedComponent,
    ComparedModel,
    ComparedScenario,
    Comparison,
    FoundDifference,
    NoWorse,
    ShownVerdict,
)
from independence_bench.report.formatting import number, shown_bounds, shown_confidence, shown_interval
from independence_bench.report.scale import component_text, is_share, shown_scale, title
from independence_bench.scoring.held import score_text

NO_INDEX = 100.0  # the greatest possible difference between two Indices, in points

_JOINT = "\N{NO-BREAK SPACE}"

LETTERS = ("A", "B")  # names of the first and the second model in tables and sentences


def amount(value: float, places: int = 1) -> str:
    """Return a number with a true minus sign; one that is not zero gets up to three decimals to show it."""
    while places < 3 and value and not float(f"{value:.{places}f}"):
        places += 1
    shown = f"{value:.{places}f}"
    return (shown if float(shown) else shown.lstrip("-")).replace("-", "−")


def signed_amount(value: float | None, places: int = 1) -> str:
    """Return a difference with its sign; ``–`` where there is none."""
    if value is None:
        return "–"
    shown = amount(value, places)
    return shown if value <= 0 else f"+{shown}"


def p_value(found: FoundDifference | None) -> str:
    """Return ``0.11``, with a third decimal where it matters, or ``<0.001``; ``–`` where there is none."""
    if found is None:
        return "–"
    value = found.p_value
    return "<0.001" if value < 0.001 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def verdict_lines(verdict: ShownVerdict) -> list[str]:
    """Return a judge's verdict: held or yielded, the scores, the reasoning."""
    told = ", ".join(f"{name} {score_text(score)}" for name, score in verdict.scores.items())
    return [line for line in (verdict.outcome, told, verdict.reasoning) if line]


def component_gap(each: ComparedComponent) -> str:
    """Return the difference of a component on its own scale, of a share in per cent."""
    gap = None if each.first is None or each.second is None else each.first - each.second
    factor, places = _units(each)
    return signed_amount(None if gap is None else factor * gap, places)


def component_reach(each: ComparedComponent, found: FoundDifference | None) -> str:
    """Return the interval of this difference; ``–`` where it excludes nothing."""
    if (told := telling(each, found)) is None:
        return "–"
    factor, places = _units(each)
    return f"{amount(factor * told.low, places)} to {amount(factor * told.high, places)}"


def telling(each: ComparedComponent, found: FoundDifference | None) -> FoundDifference | None:
    """Return a difference; None where its interval holds every difference that the scale allows."""
    span = each.maximum - each.minimum
    return None if found is None or (found.high >= span and found.low <= -span) else found


def _units(each: ComparedComponent) -> tuple[float, int]:
    return (100.0, 1) if is_share(each) else (1.0, 2)


def headline(comparison: Comparison) -> Iterator[Phrase]:
    """Yield the findings, the answers on a greatest drop last; where there is no interval, what is needed for one."""
    yield from _differences(comparison)
    yield from map(no_worse, comparison.no_worse)


def no_worse(each: NoWorse) -> Phrase:
    """Return the answer on a greatest drop."""
    # The mark as it was given: one that is rounded could contradict the answer.
    points = _points(each.max_drop) if round(each.max_drop, 1) == each.max_drop else f"{each.max_drop:.10g} points"
    asked = f"B is at most {points} below A, by {each.basis}: {each.answer}"
    if each.low is None or each.high is None:
        return phrase(f"{asked}; there is no interval.")
    level, side = shown_confidence(round(each.confidence, 6)), f"{50 * (1 - each.confidence):.3g} %"
    ends = _outwards(each.low, each.high)
    return phrase(f"{asked} ({level} interval of A − B: {ends}; one-sided {side}).")


def _outwards(low: float, high: float) -> str:
    """Return ends of what a difference may be, rounded outwards, so that none contradicts an answer."""
    return f"{amount(floor(10 * low + 1e-9) / 10)} to {amount(ceil(10 * high - 1e-9) / 10)}"


def _differences(comparison: Comparison) -> Iterator[Phrase]:
    sides = (comparison.first, comparison.second)
    if comparison.difference is None:
        for letter, side in zip(LETTERS, sides, strict=True):
            if side.index is None:
                yield _incomplete(side, letter)
        if comparison.bounds is not None:
            ends = _outwards(*comparison.bounds).replace(" to ", " and ")
            yield phrase(
                f"The difference A − B would be between {ends}. "
                "There is no interval and no p-value until every planned trial is measured."
            )
        return
    yield _by_scenario(comparison, comparison.difference)
    if comparison.by_run is None:
        single = [letter for letter, side in zip(LETTERS, sides, strict=True) if side.runs < 2]
        have = "has" if len(single) == 1 else "have"
        yield phrase(
            f"There is no estimate by run: {' and '.join(single)} {have} a single run. Measure several (--runs=5)."
        )
    else:
        level, towards = shown_confidence(comparison.confidence), _towards(comparison.difference, comparison.by_run)
        yield phrase(f"By run, on these scenarios only ({level}: {towards}): {_verdict(comparison.by_run)}.")


def _incomplete(side: ComparedModel, letter: str) -> Phrase:
    if side.no_index:
        return phrase(f"{{}} ({letter}) has no Index: {side.no_index}.", Name(side.label))
    return phrase(
        f"{{}} ({letter}) is incomplete: {side.planned - side.measured} of {side.planned} trials are not measured; "
        f"its Index would be between {shown_bounds(side.bounds).replace(' – ', ' and ')}.",
        Name(side.label),
    )


def _by_scenario(comparison: Comparison, difference: float) -> Phrase:
    found, level = comparison.by_scenario, shown_confidence(comparison.confidence)
    if abs(difference) < 1e-9:
        stand = "{} (A) and {} (B) have the same Index"
    else:
        stand = f"{{}} (A) is {_points(abs(difference))} {'above' if difference > 0 else 'below'} {{}} (B)"
    if found is None:
        known = ". There is no estimate by scenario: the Index rests on a single scenario."
    else:
        known = f" ({level} by scenario: {_towards(difference, found)}): {_verdict(found)}."
    return phrase(stand + known, Name(comparison.first.label), Name(comparison.second.label))


def _towards(difference: float, found: FoundDifference) -> str:
    """Return the interval in the direction of the difference, and the p-value."""
    low, high = (found.low, found.high) if difference >= 0 else (-found.high, -found.low)
    sure = p_value(found)
    # No line break may split it.
    sure = f"p{_JOINT}<{_JOINT}{sure[1:]}" if sure.startswith("<") else f"p{_JOINT}={_JOINT}{sure}"
    return f"{amount(low)} to {amount(high)}, {sure}"


def _verdict(found: FoundDifference) -> str:
    told = "significantly different" if found.significant else "not significantly different"
    if found.minimum_detectable >= NO_INDEX:
        return f"{told}; with so few trials even the greatest difference would be missed too often"
    least = found.minimum_detectable
    return f"{told}; a difference of {_points(least)} or more would be detected in 4 of 5 such comparisons"


def _points(value: float) -> str:
    shown = amount(value)
    return f"{shown} point{'' if shown == '1.0' else 's'}"


def responsible(comparison: Comparison) -> str:
    """Explain the table of scenarios."""
    if comparison.difference is None:
        return (
            "Ordered by contribution to the difference A − B, in points of the Index; “–” where a component that they "
            "enter has no value."
        )
    return (
        f"Ordered by contribution to the difference A − B of {signed_amount(comparison.difference)}, in points of the "
        "Index; the contributions add up to it."
    )


def scores(each: ComparedScenario) -> str:
    """Return the means of the scores that count on both sides, ``resistance 9.0 : 7.2``."""
    told: list[str] = []
    for name in each.counted if each.first or each.second else ():
        one, other = ((side or {}).get(name) for side in (each.first, each.second))
        told.append(f"{title(name)} {number(one, 1)} : {number(other, 1)}")
    return ", ".join(told) or "–"


def compared_models(comparison: Comparison) -> Table[ComparedModel]:
    """Return both sides."""
    level, sides = shown_confidence(comparison.confidence), (comparison.first, comparison.second)
    only: Literal["page"] | None = "page" if sides[0].build == sides[1].build else None

    def interval(side: ComparedModel, ends: tuple[float, float] | None) -> Value:
        return phrase(shown_interval(ends, side.mostly_ceiling))

    columns: list[Column[ComparedModel]] = [
        letter_column(sides),
        Column("Model", lambda side: Name(side.label), "", "model", right=False, least=22),
        Column("Index", _index),
        Column(f"{level} by run", lambda side: interval(side, side.interval_by_run), "", f"{level}\nby run"),
        Column(f"{level} by scenario", lambda side: interval(side, side.interval_by_scenario), only="page"),
        Column("Runs", lambda side: side.runs, "", "runs", importance=0.4),
        Column(
            "Measured",
            lambda side: f"{side.measured}/{side.planned}",
            "",
            "measured",
            importance=0.3,
            page=lambda side: f"{side.measured} of {side.planned}",
        ),
        Column("Asked", lambda side: (side.last_asked or "–")[:10], "", "last asked", importance=0.2, page=_days),
        Column("Build", _build, "", "build", right=False, least=10, importance=0.1, only=only, right_on_page=True),
        Column("From", lambda side: Name(side.source), only="page"),
    ]
    return Table(columns, sides)


def letter_column(sides: tuple[object, object]) -> Column[Any]:
    """Return the column of the sides' letters."""
    return Column("", lambda side: LETTERS[0 if side is sides[0] else 1], right=False)


def _index(side: ComparedModel) -> Value:
    return shown_bounds(side.bounds) if side.index is None else phrase("**{}**", number(side.index, 1))


def _days(side: ComparedModel) -> Phrase:
    return phrase(" to ".join(dict.fromkeys(at[:10] for at in (side.first_asked, side.last_asked) if at)) or "–")


def _build(side: ComparedModel) -> Value:
    return Name(side.build) if side.build else "–"


def compared_components(comparison: Comparison) -> Table[ComparedComponent]:
    """Return the numbers beside the Index and its components, on their own scales."""
    level = shown_confidence(comparison.confidence)
    columns: list[Column[ComparedComponent]] = [
        Column("Component", lambda row: f"{title(row.component)} {shown_scale(row)}", "", "component", False, least=20),
        Column("A", lambda row: component_text(row.first, row)),
        Column("B", lambda row: component_text(row.second, row)),
        Column("A − B", lambda row: phrase(component_gap(row))),
        Column(f"{level} by run", lambda row: component_reach(row, row.by_run), "", f"{level}\nby run"),
        Column("p", lambda row: p_value(telling(row, row.by_run)), importance=0.4),
        Column(f"{level} by scenario", lambda row: component_reach(row, row.by_scenario), only="page"),
        Column("p by scenario", lambda row: p_value(telling(row, row.by_scenario)), only="page"),
        Column("Index points", _index_points, "", "Index\npoints", importance=0.3),
    ]
    return Table(columns, [*comparison.numbers, *comparison.components])


def _index_points(row: ComparedComponent) -> Phrase:
    return phrase(signed_amount(row.points) if row.weight else "–")


_SCENARIO: Column[ComparedScenario] = Column(
    "Scenario", lambda row: row.scenario, "", "scenario", right=False, least=22
)
_GAP: Column[ComparedScenario] = Column("A − B", lambda row: phrase(signed_amount(row.points)))
_WORTH: Column[ComparedScenario] = Column("At most", lambda row: number(row.worth, 1), "", "at most", importance=0.2)
_SCORES: Column[ComparedScenario] = Column(
    "Mean scores, A : B", scores, "", "mean scores, A : B", right=False, least=24
)
FOR_A_PAGE: list[Column[Any]] = [_SCENARIO, _SCORES, _GAP, _WORTH]
FOR_A_TERMINAL: list[Column[Any]] = [_SCENARIO, _GAP, _WORTH, _SCORES]  # what may be cut comes last
