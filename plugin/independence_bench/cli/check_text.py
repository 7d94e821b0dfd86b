"""Plan and outcome of a judge check, as text for a terminal and as JSON. Computes nothing."""

import json
from collections.abc import Sequence
from textwrap import fill

from independence_bench.catalog.judge_questions import VERSIONS
from independence_bench.chat.sizes import VERDICT_TOKENS
from independence_bench.cli.terminal import width
from independence_bench.counted import counted
from independence_bench.digest import Json
from independence_bench.engine import Task
from independence_bench.report.formatting import dollars
from independence_bench.safe_text import safe_text
from independence_bench.scoring.judge_check import FLIPS_BELOW, MOST_ERRORS, CheckResult
from independence_bench.session.judge_check import Fault, Findings, KnownAnswerCheck

WORST = 10
"""Faults printed per judge; JSON holds them all."""

Left = Sequence[tuple[KnownAnswerCheck, Sequence[Task]]]
Found = Sequence[tuple[KnownAnswerCheck, Findings]]


def plan_text(left: Left) -> str:
    """Say how many calls each judge would take, and what they would cost."""
    lines = [
        f"{safe_text(check.judge.label)}: {counted(len(tasks), 'verdict')} of {len(check.questions)} to ask for, "
        f"{_price(check.price(tasks))}"
        for check, tasks in left
    ]
    cases = len(left[0][0].questions) // len(VERSIONS)
    lines.append(
        f"{cases} cases in {len(VERSIONS)} versions each ({', '.join(VERSIONS)}); list prices, {VERDICT_TOKENS} tokens "
        "assumed for a verdict, repairs and hidden reasoning not counted."
    )
    return "\n".join(fill(line, width()) for line in lines)


def _price(usd: float | None) -> str:
    return "at an unknown price" if usd is None else f"about {dollars(usd)} US dollars"


def plan_json(left: Left) -> str:
    """Return the same as JSON."""
    rows: list[Json] = [
        {
            "judge": check.judge.label,
            "configuration": check.judge.configuration,
            "set_digest": check.set_digest,
            "questions": len(check.questions),
            "calls": len(tasks),
            "usd": check.price(tasks),
        }
        for check, tasks in left
    ]
    return _json({"schema": 1, "plan": rows})


def findings_text(found: Found) -> str:
    """Return what each judge came to, with its worst faults."""
    return "\n\n".join(_judge_text(check, findings) for check, findings in found)


def findings_json(found: Found) -> str:
    """Return all of it as JSON, every fault with the judge's words."""
    rows: list[Json] = [
        {
            "judge": check.judge.label,
            "configuration": check.judge.configuration,
            "set_digest": check.set_digest,
            "passed": findings.result.passed,
            "shortcomings": [*findings.result.shortcomings],
            "cases": findings.result.cases,
            "errors": findings.result.errors,
            "compared": findings.result.compared,
            "flips": findings.result.flips,
            "flip_share": findings.result.flip_share,
            "unjudged": findings.result.unjudged,
            "cost_usd": findings.cost_usd,
            **findings.result.model_dump(),
            "faults": [fault.model_dump() for fault in findings.faults],
        }
        for check, findings in found
    ]
    return _json({"schema": 1, "judges": rows})


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=1)


def _judge_text(check: KnownAnswerCheck, findings: Findings) -> str:
    result = findings.result
    lines = [
        f"judge-check of {safe_text(check.judge.label)}: {'passed' if result.passed else 'not passed'}",
        *(f"- {shortcoming}" for shortcoming in result.shortcomings),
        "",
        _classes(result),
        "",
        _versions(result),
        "",
        f"Set {check.set_digest[:8]}; all verdicts together cost {dollars(findings.cost_usd)} US dollars.",
    ]
    faults = findings.faults
    if faults:
        lines += ["", "Worst:" if len(faults) > WORST else "Every error and flip:"]
        lines += [line for fault in faults[:WORST] for line in _fault(fault)]
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
    return _table(["version", "compared", "flips", "share", "allowed", "unjudged"], rows)


def _table(heads: list[str], rows: Sequence[Sequence[object]]) -> str:
    from tabulate import tabulate

    return tabulate(rows, headers=heads, disable_numparse=True, stralign="right", colalign=("left",))


def _share(flips: int, compared: int) -> str:
    return f"{100 * flips / compared:.1f} %" if compared else "–"


def _fault(fault: Fault) -> list[str]:
    what = "error" if fault.version == "plain" else f"flip, {fault.version}"
    head = f"- {fault.case} ({what}): a {fault.expected}, {fault.manner}; {fault.found}"
    return [
        fill(head, width(), subsequent_indent="  "),
        fill(f"“{safe_text(fault.reasoning)}”", width(), initial_indent="  ", subsequent_indent="  "),
    ]
