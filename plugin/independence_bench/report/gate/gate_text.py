"""The result of a gate as plain text for a terminal and a CI log. Decides nothing and adds no colours."""

from collections.abc import Callable, Iterator
from datetime import datetime
from math import ceil, floor, log10

from independence_bench.counted import counted
from independence_bench.report.blocks import Column, Table
from independence_bench.report.formatting import shown_bounds
from independence_bench.report.gate.gate_result import CriterionResult, GatedModel, GateResult
from independence_bench.report.views.text import WIDTH, filled, table_text
from independence_bench.safe_text import safe_text

REASONS_SHOWN = 5  # reasons listed per model; the others are counted, and are in gate.json
_BASES = {
    "run": "by run: these scenarios, other runs",
    "scenario": "by scenario and run: other scenarios of these kinds, too",
    "persona": "over personas: other people of this kind",
}


def gate_text(result: GateResult, width: int = WIDTH) -> str:
    """Return the whole result."""
    notes = [_wrapped(f"Note: {note}", width) for note in result.notes]
    blocks = [*notes, gate_headline(result), *(_wrapped(line, width) for line in asked_lines(result))]
    for model in result.models:
        blocks += ["", *_model_lines(model, result, width)]
    advice = next_lines(result)
    return "\n".join([*blocks, *([""] if advice else []), *advice])


def gate_headline(result: GateResult) -> str:
    """Return the answer in one line."""
    counts = {answer: sum(model.answer == answer for model in result.models) for answer in ("passed", "failed")}
    of = counted(len(result.models), "model")
    told = {
        "passed": f"{of} passed",
        "failed": f"{counts['failed']} of {of} failed",
        "inconclusive": f"{counts['passed']} of {of} passed, none failed",
    }
    return f"gate: {result.answer.upper()} ({told[result.answer]})"


def asked_lines(result: GateResult) -> Iterator[str]:
    """Yield the criteria, and how they were judged."""
    demands = "; ".join(f"{each.criterion} ({each.source})" for each in result.criteria)
    against = f", against {result.baseline} ({result.sources['baseline']})" if result.baseline else ""
    yield f"criteria for every model: {demands}{against}"
    chosen = [
        f"{name} by {where}"
        for name, where in result.sources.items()
        if where != "default" and name in ("interval", "confidence")
    ]
    where = f" ({', '.join(chosen)})" if chosen else ""
    basis = _BASES.get(result.interval, f"over {result.interval}s: others of this kind")
    judged = f"judged by {', '.join(result.judges)}" if result.judges else "computed from the answers without a judge"
    wrong = per_cent(1 - result.confidence)
    yield f"all looks together pass a model at the mark in at most {wrong} of all cases"
    yield f"intervals {basis}{where}; edition {result.edition}, {judged}"
    if result.accepted:
        yield f"decided in spite of doubts about {', '.join(result.accepted)} ({result.sources['accept']})"
    if result.shards_missing:
        yield f"the plan was split into shards; missing: {', '.join(result.shards_missing)}; merge their stores, too"


def evidence_lines(model: GatedModel, result: GateResult) -> Iterator[str]:
    """Yield the evidence for the answers."""
    served = f"build {model.build}" if model.build else "no build named: a catalogue model"
    runs = counted(model.runs, "run")
    yield f"{served}; {runs}, {model.measured} of {model.planned} trials measured"
    if model.oldest and model.newest:
        ages = list(dict.fromkeys(age(then, result.at) for then in (model.oldest, model.newest)))
        yield f"evidence of {_span(model.oldest, model.newest)} ({' to '.join(ages)})"
    if model.look is not None and model.confidence is not None:
        yield f"look {model.look}, judged at {per_cent(model.confidence)}"
        yield _spending_line(model)
    if model.baseline is not None:
        base = model.baseline
        build = f", build {base.build}" if base.build else ""
        yield f"baseline: {base.label}{build}, Index {base.index:.1f} of {base.runs} runs"
    for missing in model.missing[:REASONS_SHOWN]:
        yield f"not measured: {missing.trials} × {missing.reason}"
    if more := sum(missing.trials for missing in model.missing[REASONS_SHOWN:]):
        yield f"not measured: {more} more for other reasons"
    if model.bounds is not None:
        yield f"the Index would be between {shown_bounds(model.bounds)}"


def _spending_line(model: GatedModel) -> str:
    end = f"looks are planned up to {model.max_runs} runs" if model.max_runs else "no end of the looks is planned"
    spent = f"{100 * (model.spent or 0):.0f} % of the error that may be spent is spent"
    upcoming = model.next_look
    if upcoming is None:
        return f"{spent}; {end}, and no later look could decide"
    return (
        f"{spent}; a look at {counted(upcoming.runs, 'run')} would cost {100 * upcoming.costs:.0f} % and be judged at "
        f"{per_cent(upcoming.confidence)}; {end}"
    )


def next_lines(result: GateResult) -> list[str]:
    """Return the next step that would decide, and its command."""
    if result.next is None:
        return []
    runs = result.next.runs
    what = "to measure the missing trials" if runs is None else f"{runs} runs would probably decide"
    return [f"{what}:", f"  {safe_text(result.next.command, 2000)}"]


def interval_shown(found: CriterionResult) -> str:
    """Return an interval rounded outwards, with the decimals of its scale."""
    if found.interval is None:
        return "–"
    low, high = found.interval
    return f"{value_shown(low, found, floor)} – {value_shown(high, found, ceil)}"


def value_shown(value: float | None, found: CriterionResult, rounding: Callable[[float], float] = round) -> str:
    """Return Index points with one decimal, components with two, correlations with three; one more near the mark."""
    if value is None:
        return "–"
    least = 3 if found.kind == "min_rank_order" else 1 if found.component is None else 2
    for places in range(least, 7):
        scaled = round(value * 10**places, 6)  # an end that is a round number is no reason to go further out
        rounded = rounding(scaled) / 10**places
        if (rounded < found.mark) == (value < found.mark) and (rounded == found.mark) == (value == found.mark):
            break
    return f"{rounded:.{places}f}"


def per_cent(share: float) -> str:
    """Return a confidence, or an error, as per cent, with two digits of what is missing to the whole."""
    missing = 1 - share if share > 0.5 else share
    digits = 0 if missing <= 0 else max(0, -floor(log10(100 * missing * 1.0001)) + 1)
    return f"{round(100 * share, digits):.10g} %"


def age(then: str, now: str) -> str:
    """Return the age of a time in words; both times are ISO 8601, UTC."""
    seconds = max(0.0, (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds())
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "just now"


def _span(oldest: str, newest: str) -> str:
    first, last = (text.replace("T", " ").removesuffix("Z")[:16] for text in (oldest, newest))
    return f"{first} UTC" if first == last else f"{first} to {last} UTC"


def _model_lines(model: GatedModel, result: GateResult, width: int) -> Iterator[str]:
    outside = f" ({safe_text(model.configuration)})" if model.configuration else ""
    yield f"{safe_text(model.label)}{outside}: {model.answer.upper()}"
    for line in evidence_lines(model, result):
        yield _wrapped(line, width, "  ")
    yield table_text(Table(COLUMNS, model.criteria), width, indent="  ")
    for each in model.criteria:
        if each.reason:
            yield _wrapped(f"{each.criterion}: {each.reason}", width, "  ")


COLUMNS: list[Column[CriterionResult]] = [
    Column("criterion", lambda row: row.criterion, right=False),
    Column("estimate", lambda row: value_shown(row.estimate, row)),
    Column("interval", interval_shown),
    Column("answer", lambda row: row.answer, right=False, right_on_page=True),
    Column("why", lambda row: row.reason or "", only="page"),
]


def _wrapped(line: str, width: int, indent: str = "") -> str:
    """Return a line in several; options and labels stay whole."""
    return filled(line, width, indent, f"{indent}  " if indent else "", whole_words=True)
