"""The result of a gate as plain text for a terminal and a CI log. Decides nothing and adds no colours."""

from collections import Counter
from collections.abc import Callable, Iterator
from math import ceil, floor, log10

from independence_bench.counted import counted
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.blocks import Column
from independence_bench.report.formatting import shown_bounds
from independence_bench.report.gate.gate_notes import NO_BASELINE, NOT_ALL
from independence_bench.report.gate.gate_result import CriterionResult, GatedModel, GateResult
from independence_bench.report.views.text import WIDTH, filled
from independence_bench.safe_text import safe_text

CRITERIA_SHOWN = 3  # criteria listed per model
REASONS_SHOWN = 2  # reasons listed per model; the others are counted, and are in gate.json
_BASES = {
    "run": "by run: these scenarios, other runs",
    "scenario": "by scenario and run: other scenarios of these kinds, too",
    "persona": "over personas: other people of this kind",
}


def gate_text(result: GateResult, width: int = WIDTH) -> str:
    """Return the whole result, with at most four lines of a model."""
    notes = [_wrapped(f"Note: {note}", width) for note in result.notes]
    blocks = [*notes, gate_headline(result), *(_wrapped(line, width) for line in asked_lines(result))]
    for model in result.models:
        outside = f" ({safe_text(model.configuration)})" if model.configuration else ""
        blocks.append(_wrapped(f"{safe_text(model.label)}{outside}: {model.answer.upper()}, {evidence(model)}", width))
        blocks += [_wrapped(line, width, "  ") for line in (_answers(model), *reasons(model))]
    if advice := next_lines(result):
        blocks += ["", _wrapped(advice[0], width), advice[1]]
    return "\n".join(blocks)


def gate_headline(result: GateResult) -> str:
    """Return the answer in one line."""
    counts = {answer: sum(model.answer == answer for model in result.models) for answer in ("passed", "failed")}
    of = counted(len(result.models), "model")
    summary = {
        "passed": f"{of} passed",
        "failed": f"{counts['failed']} of {of} failed",
        "inconclusive": f"{counts['passed']} of {of} passed, none failed",
    }
    judge = "; judge not checked" if result.judge_unchecked else ""
    baseline = f"; {NO_BASELINE}" if result.baseline_missing else ""
    return f"gate: {result.answer.upper()} ({summary[result.answer]}{baseline}{judge})"


def asked_lines(result: GateResult) -> Iterator[str]:
    """Yield how it was decided."""
    basis = _BASES.get(result.interval, f"over {result.interval}s: others of this kind")
    judges = f"judged by {', '.join(result.judges)}" if result.judges else "computed from the answers without a judge"
    against = f", against {result.baseline}" if result.baseline and not result.baseline_missing else ""
    yield f"at {per_cent(result.confidence)} confidence, {basis}; edition {result.edition}, {judges}{against}"
    if result.accepted:
        yield f"decided in spite of doubts about {', '.join(result.accepted)} ({result.sources['accept']})"
    if result.shards_missing:
        yield f"the plan was split into shards; missing: {', '.join(result.shards_missing)}; merge their stores, too"


def evidence(model: GatedModel) -> str:
    """Return what was measured, of which build, and when."""
    served = f"build {model.build}, " if model.build else ""
    days = list(dict.fromkeys(at[:10] for at in (model.oldest, model.newest) if at))
    when = f" of {' to '.join(days)}{' (it holds for this day)' if len(days) == 1 else ''}" if days else ""
    base = model.baseline
    index = base and (shown_bounds(base.bounds) if base.bounds else f"{base.index:.1f}")
    against = f", against {base.label} ({index} of {counted(base.runs, 'run')})" if base else ""
    return f"{served}{counted(model.runs, 'run')}{when}, {model.measured} of {model.planned} trials{against}"


def reasons(model: GatedModel) -> Iterator[str]:
    """Yield what is missing, why it is not decided, and a look that is not the planned one."""
    if model.no_index:
        yield f"not decided: {model.no_index}"
    elif model.missing:
        causes = [f"{missing.trials} × {missing.reason}" for missing in model.missing[:REASONS_SHOWN]]
        if more := sum(missing.trials for missing in model.missing[REASONS_SHOWN:]):
            causes.append(f"{more} more for other reasons")
        bounds = f"; the Index would be between {shown_bounds(model.bounds)}" if model.bounds else ""
        yield f"not measured: {', '.join(causes)}{bounds}"
    if any(each.bound for each in model.criteria):
        yield "scored worst or best, the lost trials give the same answer; the numbers are those nearer to the mark"
    if undecided := [each for each in model.criteria if each.reason not in (None, NOT_ALL, model.no_index)]:
        several = len(model.criteria) > 1
        yield "; ".join(f"{f'{each.criterion}: ' if several else ''}{each.reason}" for each in undecided)
    if model.days:
        yield model.days
    if model.confidence is None:
        return
    if model.undeclared:
        yield (
            f"look {model.look}, which no --max-runs had declared, is an extra look and judged at "
            f"{per_cent(model.confidence)}"
        )
    elif model.max_runs:
        yield f"look {model.look} of those declared up to {model.max_runs} runs, judged at {per_cent(model.confidence)}"


def _answers(model: GatedModel) -> str:
    """Return every criterion in one line, the ones that did not pass first."""
    ordered = sorted(model.criteria, key=lambda each: each.answer == "passed")
    answers = [
        f"{each.criterion}: {value_shown(each.estimate, each)} ({interval_shown(each)}) {each.answer_shown}"
        for each in ordered[:CRITERIA_SHOWN]
    ]
    more = Counter(each.answer_shown for each in ordered[CRITERIA_SHOWN:])
    return "; ".join([*answers, *(f"{count} more {answer}" for answer, count in more.items())])


def next_lines(result: GateResult) -> list[str]:
    """Return the next step that would decide, and its command."""
    if result.next is None:
        return []
    runs, base = result.next.runs, result.next.baseline_runs
    what = "to measure the missing trials" if runs is None else f"{runs} runs would probably decide"
    if base:
        steps = f"measure the baseline with --runs={base} where it is still served, export it for --baseline, then"
        what = f"{runs} runs of the model and {base} of the baseline would probably decide: {steps}"
    return [f"{what}:", f"  {safe_text(result.next.command, 2000)}"]


def interval_shown(result: CriterionResult) -> str:
    """Return an interval rounded outwards, with the decimals of its scale."""
    if result.interval is None:
        return "–"
    low, high = result.interval
    return f"{value_shown(low, result, floor)} – {value_shown(high, result, ceil)}"


def value_shown(value: float | None, result: CriterionResult, rounding: Callable[[float], float] = round) -> str:
    """Return Index points with one decimal, components with two, correlations with three; one more near the mark."""
    if value is None:
        return "–"
    least = 3 if result.kind == "min_rank_order" else 1 if result.component is None else 2
    for places in range(least, 7):
        scaled = round(value * 10**places, 6)  # an end that is a round number is no reason to go further out
        rounded = rounding(scaled) / 10**places
        if (rounded < result.mark) == (value < result.mark) and (rounded == result.mark) == (value == result.mark):
            break
    return f"{rounded:.{places}f}"


def per_cent(share: float) -> str:
    """Return a confidence, or an error, as per cent, with two digits of what is missing to the whole."""
    missing = 1 - share if share > 0.5 else share
    digits = 0 if missing <= 0 else max(0, -floor(log10(100 * missing * 1.0001)) + 1)
    return f"{round(100 * share, digits):.10g} %"


COLUMNS: list[Column[CriterionResult]] = analysis_columns(
    "gate",
    estimate=lambda row: value_shown(row.estimate, row),
    interval=interval_shown,
    reason=lambda row: row.reason or "",
)


def _wrapped(line: str, width: int, indent: str = "") -> str:
    """Return a line in several; options and labels stay whole."""
    return filled(line, width, indent, f"{indent}  " if indent else "", whole_words=True)
