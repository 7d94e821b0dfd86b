"""The answer to ``--plan``: what would run and what it would cost, as text for a terminal."""

from collections.abc import Mapping, Sequence

from independence_bench.chat.sizes import ANSWER_TOKENS, VERDICT_TOKENS
from independence_bench.session.estimate import ModelEstimate, estimate
from independence_bench.session.plan import Plan
from independence_bench.session.standing import Standing


def plan_text(plan: Plan, standing: Mapping[str, Standing], keys: Sequence[str]) -> str:
    """Return the plan of these trials as a table with its assumptions."""
    from tabulate import tabulate

    rows = estimate(plan, standing, keys)
    table = [
        [
            row.label,
            row.trials,
            row.measured,
            row.generation_calls,
            row.judge_calls,
            _usd(row.generation_usd),
            _usd(row.judging_usd),
        ]
        for row in rows
    ]
    headers = ["model", "trials", "measured", "generation calls", "judge calls", "generation USD", "judging USD"]
    if len(rows) > 1:
        table.append(["all", *_sums(rows)])
    panel = ", ".join(judge.label for judge in plan.panel) or "none"
    calls = sum(row.generation_calls + row.judge_calls for row in rows)
    return "\n".join(
        [
            f"edition {plan.edition.id}, {plan.runs} run{'s' if plan.runs > 1 else ''}, judged by {panel}",
            f"{len(keys)} trials, {calls} calls to make",
            "",
            tabulate(table, headers=headers, disable_numparse=True, stralign="right", colalign=("left",)),
            "",
            f"Prices are list prices; assumed are {ANSWER_TOKENS} tokens an answer and {VERDICT_TOKENS} a verdict, "
            "without retries and hidden reasoning.",
            "Nothing was asked and nothing written.",
        ]
    )


def _usd(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:.4f}"


def _sums(rows: Sequence[ModelEstimate]) -> list[object]:
    def money(amounts: list[float | None]) -> str:
        known = [amount for amount in amounts if amount is not None]
        return _usd(sum(known) if len(known) == len(amounts) else None)

    return [
        sum(row.trials for row in rows),
        sum(row.measured for row in rows),
        sum(row.generation_calls for row in rows),
        sum(row.judge_calls for row in rows),
        money([row.generation_usd for row in rows]),
        money([row.judging_usd for row in rows]),
    ]
