"""The answer to ``--plan``: what would run and what it would cost, as text for a terminal."""

from collections.abc import Mapping, Sequence

from independence_bench.chat.sizes import ANSWER_TOKENS, VERDICT_TOKENS
from independence_bench.session.estimate import ModelEstimate, cost, estimate, minutes, work_left
from independence_bench.session.keys import some_of
from independence_bench.session.plan import Plan
from independence_bench.session.settings import Settings
from independence_bench.session.standing import Standing
from independence_bench.session.token_counts import Basis, TokenCounts

_RESTS_ON: Mapping[Basis, str] = {
    "own": "its own measurements",
    "others": "the mean of other models measured before",
    "assumed": f"an assumption ({ANSWER_TOKENS} tokens an answer, {VERDICT_TOKENS} a verdict, no hidden reasoning)",
}


def plan_text(
    plan: Plan,
    standing: Mapping[str, Standing],
    keys: Sequence[str],
    settings: Settings | None = None,
    counts: TokenCounts | None = None,
) -> str:
    """Return the plan of these trials as a table, with what its numbers rest on and whether the budget suffices."""
    from tabulate import tabulate

    rows = estimate(plan, standing, keys, counts=counts)
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
            *_basis(rows),
            *_time(plan, standing, keys, counts),
            *_budget(plan, standing, keys, settings, counts),
            "Nothing was asked and nothing written.",
        ]
    )


def _basis(rows: Sequence[ModelEstimate]) -> list[str]:
    """Say what the numbers rest on; one line per basis, naming models only where they differ."""
    lines = ["Prices are list prices, without retries that may be needed."]
    for name, found in (
        ("conversations", {row.label: row.generation_basis for row in rows if row.generation_calls}),
        ("verdicts", {row.label: row.judging_basis for row in rows if row.judge_calls}),
    ):
        for basis, words in _RESTS_ON.items():
            labels = [label for label, bases in found.items() if basis in bases]
            if labels:
                whom = "" if len(labels) == len(found) else f" of {some_of(labels)}"
                part = "" if all(len(found[label]) == 1 for label in labels) else " partly"
                lines.append(f"The tokens of {name}{whom} rest{part} on {words}.")
    return lines


def _time(plan: Plan, standing: Mapping[str, Standing], keys: Sequence[str], counts: TokenCounts | None) -> list[str]:
    least = minutes(work_left(plan, standing, keys, counts))
    return [f"With its limits per minute it takes at least {least:.1f} minutes."] if least else []


def _budget(
    plan: Plan,
    standing: Mapping[str, Standing],
    keys: Sequence[str],
    settings: Settings | None,
    counts: TokenCounts | None,
) -> list[str]:
    if settings is None or settings.max_cost is None:
        return []
    budget = f"Budget: {settings.max_cost:g} US dollars for this session;"
    total = cost(work_left(plan, standing, keys, counts), settings.assume_price)
    if total is None:
        return [f"{budget} a price is unknown, so it will be refused unless --assume-price=IN,OUT is given."]
    about = f"about {total:.4f} are needed"
    if settings.assume_price is not None:
        about += ", unknown prices as assumed"
    if total <= settings.max_cost:
        return [f"{budget} {about}: it suffices."]
    return [f"{budget} {about}: it reaches for about {100 * settings.max_cost / total:.0f} %, the next goes on."]


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
