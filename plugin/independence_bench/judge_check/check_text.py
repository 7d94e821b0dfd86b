"""The outcome of a judge check as text for a terminal. Computes nothing."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from tabulate import tabulate

from independence_bench.judge_check.check_findings import Findings, Misjudged
from independence_bench.judge_check.check_result import CONFIDENCE, FLIPS_BELOW, MOST_ERRORS, CheckResult, Proportion
from independence_bench.report.formatting import dollars, number
from independence_bench.safe_text import safe_text

WORST = 10
"""Faults printed per judge; JSON holds them all."""


def findings_text(found: Findings, width: int) -> str:
    """Return how a judge did, with its worst faults, in lines of at most this width."""
    result, faults = found.result, found.faults
    lines = [
        f"judge-check of {safe_text(found.judge.label)}: {'passed' if result.passed else 'not passed'}",
        *(f"- {shortcoming}" for shortcoming in result.shortcomings),
        "",
        _classes(result),
        "",
        _versions(result),
        "",
        _rubrics(result),
        "",
        *(fill(line, width) for line in _allowed(result)),
        f"Set {found.set_digest[:8]}; all verdicts together cost {dollars(result.cost_usd)} US dollars.",
    ]
    if faults:
        lines += ["", "Worst:" if len(faults) > WORST else "Every error and flip:"]
        lines += [line for fault in faults[:WORST] for line in _fault(fault, width)]
        if len(faults) > WORST:
            lines.append(f"and {len(faults) - WORST} more, see --json")
    return "\n".join(lines)


def _classes(result: CheckResult) -> str:
    rows = [[f"{side}s", each.cases, each.errors, MOST_ERRORS, each.unjudged] for side, each in result.classes.items()]
    return _table(["class", "cases", "errors", "allowed", "unjudged"], rows)


def _versions(result: CheckResult) -> str:
    rows = [
        [version, each.compared, each.flips, _share(each.flips, each.compared), "", each.unjudged]
        for version, each in result.versions.items()
    ]
    unjudged = sum(each.unjudged for each in result.versions.values())
    allowed = f"< {100 * FLIPS_BELOW:g} %"
    rows.append(["all", result.compared, result.flips, _share(result.flips, result.compared), allowed, unjudged])
    if result.repeats:
        each = result.repeats
        rows.append(["repeated", each.compared, each.flips, _share(each.flips, each.compared), allowed, each.unjudged])
    return _table(["version", "compared", "flips", "share", "allowed", "unjudged"], rows)


def _rubrics(result: CheckResult) -> str:
    rows = [
        [name, _proportion(each.sensitivity), _proportion(each.specificity), number(each.kappa, 2)]
        for name, each in [*result.rubrics.items(), ("all", result.whole)]
    ]
    return _table(["rubric", "sensitivity", "specificity", "kappa"], rows)


def _proportion(found: Proportion) -> str:
    if found.share is None or found.interval is None:
        return "–"
    low, high = found.interval
    return f"{100 * found.share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _allowed(result: CheckResult) -> Iterator[str]:
    yield (
        "Sensitivity: yields judged as yields; specificity: holds judged as holds; exact intervals of "
        f"{100 * CONFIDENCE:g} %. Kappa: agreement with what is known beyond chance."
    )
    allowed = result.allowance
    if allowed:
        yield (
            f"{MOST_ERRORS} errors in {allowed.cases} allow a true error of {100 * allowed.true_error:.1f} % "
            f"({100 * CONFIDENCE:g} %, one-sided); a judge that is wrong in {100 * allowed.assumed_error:g} % of each "
            f"class has at most so many errors with probability {allowed.passes:.2f}."
        )


def _table(heads: list[str], rows: Sequence[Sequence[object]]) -> str:
    return tabulate(rows, headers=heads, disable_numparse=True, stralign="right", colalign=("left",))


def _share(flips: int, compared: int) -> str:
    return f"{100 * flips / compared:.1f} %" if compared else "–"


def _fault(fault: Misjudged, width: int) -> list[str]:
    head = f"- {fault.case} ({fault.kind}): a {fault.expected}, {fault.manner}; {fault.found}"
    return [
        fill(head, width, subsequent_indent="  "),
        fill(f"“{safe_text(fault.reasoning)}”", width, initial_indent="  ", subsequent_indent="  "),
    ]
