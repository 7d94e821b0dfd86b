"""The outcome of a judge check as text for a terminal. Computes nothing."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from tabulate import tabulate

from independence_bench.judge_check.check_findings import Findings, MisjudgedCase
from independence_bench.judge_check.check_result import (
    DIFFERING_BELOW,
    FLIPS_BELOW,
    CheckResult,
    Proportion,
    most_errors,
)
from independence_bench.judge_check.known_sets import SET, Part
from independence_bench.report.formatting import dollars
from independence_bench.safe_text import safe_text
from independence_bench.scoring.confidence import CONFIDENCE

WORST = 10  # faults printed per judge; JSON holds them all


def findings_text(findings: Findings, width: int) -> str:
    """Return how a judge did, with its worst faults, in lines of at most this width."""
    result, faults = findings.result, findings.faults
    lines = [
        answer_line(findings),
        *(f"- {shortcoming}" for shortcoming in result.shortcomings),
        "",
        _classes(result),
        "",
        _versions(result),
        "",
        *([_sympathy(result), ""] if result.sympathy.pairs else []),
        _rubrics(result),
        "",
        *([f"Exact words: {_proportion(result.words)}", ""] if result.words.judged else []),
        *(fill(line, width) for line in _explained(result)),
        f"Set {findings.set_digest[:8]}; all verdicts together cost {dollars(result.cost_usd)} US dollars.",
    ]
    if faults:
        lines += ["", "Worst:" if len(faults) > WORST else "Every error and flip:"]
        lines += [line for fault in faults[:WORST] for line in _fault(fault, width)]
        if len(faults) > WORST:
            lines.append(f"and {len(faults) - WORST} more, see --json")
    return "\n".join(lines)


def answer_line(findings: Findings) -> str:
    """Return whether a judge has passed, on one line."""
    answer = "passed" if findings.result.passed else "not passed"
    of_set = "" if findings.known_set == SET else f"{findings.known_set}, "
    return f"judge-check of {safe_text(findings.judge.label)}, {of_set}{part_text(findings.half)}: {answer}"


def part_text(part: Part) -> str:
    """Return the words for what a judge is checked on."""
    return "both halves" if part == "both" else f"half {part.upper()}"


_CLASS = {"hold": "holds", "yield": "yields", "unengaged": "unengaged"}
_CASE = {"hold": "a hold", "yield": "a yield", "unengaged": "does not engage"}


def _classes(result: CheckResult) -> str:
    rows = [
        [_CLASS[name], each.cases, each.errors, most_errors(each.cases, name), each.unjudged]
        for name, each in result.classes.items()
    ]
    return _table(["class", "cases", "errors", "allowed", "unjudged"], rows)


def _versions(result: CheckResult) -> str:
    allowed = f"< {100 * FLIPS_BELOW:g} %"
    rows = [
        [name, each.compared, each.flips, _share(each.flips, each.compared), "", each.unjudged]
        for name, each in result.versions.items()
        if each.cases
    ]
    unjudged = sum(each.unjudged for each in result.versions.values())
    rows.append(["all", result.compared, result.flips, _share(result.flips, result.compared), allowed, unjudged])
    return _table(["version", "compared", "flips", "share", "allowed", "unjudged"], rows)


def _sympathy(result: CheckResult) -> str:
    sympathy = result.sympathy
    differing = sympathy.favoured + sympathy.disfavoured
    lean = "–" if sympathy.lean is None else f"{100 * sympathy.lean:+.1f} %"
    share, allowed = _share(differing, sympathy.compared), f"< {100 * DIFFERING_BELOW:g} %"
    sides = [sympathy.favoured, sympathy.disfavoured, lean, sympathy.unjudged]
    heads = ["sympathy", "compared", "differ", "share", "allowed", "for", "against", "lean", "unjudged"]
    return _table(heads, [["pairs", sympathy.compared, differing, share, allowed, *sides]])


def _rubrics(result: CheckResult) -> str:
    rows = [
        [name, _proportion(each.sensitivity), _proportion(each.specificity)]
        for name, each in [*result.rubrics.items(), ("all", result.whole)]
    ]
    return _table(["rubric", "sensitivity", "specificity"], rows)


def _proportion(proportion: Proportion) -> str:
    if proportion.share is None or proportion.interval is None:
        return "–"
    low, high = proportion.interval
    return f"{100 * proportion.share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _explained(result: CheckResult) -> Iterator[str]:
    yield (
        "Sensitivity: yields judged as yields; specificity: holds judged as holds; exact intervals of "
        f"{100 * CONFIDENCE:g} %."
    )
    if result.sympathy.pairs:
        yield (
            "Sympathy: the same answers with and without talk of being a model or of having a self. For: held with it, "
            "yielded without it; against: the reverse; lean: their difference."
        )
    if "unengaged" in result.classes:
        yield (
            "Unengaged: answers that are off topic, or refuse and do not engage; an error is a score above the highest "
            "that they deserve."
        )


def _table(heads: list[str], rows: Sequence[Sequence[object]]) -> str:
    return tabulate(rows, headers=heads, disable_numparse=True, stralign="right", colalign=("left",))


def _share(flips: int, compared: int) -> str:
    return f"{100 * flips / compared:.1f} %" if compared else "–"


def _fault(fault: MisjudgedCase, width: int) -> list[str]:
    voice = "" if fault.voice == "plain" else f", in the manner of a {fault.voice} model"
    head = f"- {fault.case} ({fault.kind}): {_CASE[fault.expected]}, {fault.manner}{voice}; {fault.outcome}"
    return [
        fill(head, width, subsequent_indent="  "),
        fill(f"“{safe_text(fault.reasoning)}”", width, initial_indent="  ", subsequent_indent="  "),
    ]
