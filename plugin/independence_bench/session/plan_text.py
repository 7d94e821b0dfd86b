"""The answer to ``--plan``: the trials that would run and their cost, as text for a terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from sys import maxsize

from independence_bench.chat.sizes import ANSWER_TOKENS, VERDICT_TOKENS
from independence_bench.counted import counted, some_of
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.blocks import Table
from independence_bench.report.views.text import filled, table_text
from independence_bench.session.estimate import (
    THINKING_TOKENS,
    Basis,
    Effort,
    Estimate,
    TokenCounts,
    Work,
    cost,
    estimates,
    least_minutes,
    remaining_work,
)
from independence_bench.session.plan import Plan
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import StoredState

_RESTS_ON: Mapping[Basis, str] = {
    "own": "its own measurements",
    "others": "the mean of other models measured before that have a list price and do not reason",
    "assumed": f"an assumption ({ANSWER_TOKENS} tokens an answer, {VERDICT_TOKENS} a verdict, no hidden reasoning)",
    "reasoning": f"an assumption ({ANSWER_TOKENS} tokens an answer, {VERDICT_TOKENS} a verdict, "
    f"{THINKING_TOKENS} of hidden reasoning each)",
}


def plan_text(
    plan: Plan,
    states: Mapping[str, StoredState],
    keys: Sequence[str],
    settings: Settings | None = None,
    counts: TokenCounts | None = None,
    unknown: int = 0,
    precision: str | None = None,
    width: int = maxsize,
) -> str:
    """Return the plan as a table, with the basis of its numbers and whether the budget suffices. ``unknown``: cases of
    which it is not known what they ask; ``precision``: a line on what its runs can tell.
    """
    rows = estimates(plan, states, keys, counts)
    whole = rows[-1].generation + rows[-1].judging if rows else Effort.of(())
    work = partial(remaining_work, plan, states, keys, counts)
    here = f", {whole.embedded} of them by embedded models, without a server" if whole.embedded else ""
    panel = ", ".join(judge.label for judge in plan.panel) or "none"
    head = [f"edition {plan.edition.id}, {counted(plan.runs, 'run')}, judged by {panel}"]
    head.append(f"{len(keys)} trials, {whole.calls} calls to make{here}")
    below = [*_basis(rows if len(rows) == 1 else rows[:-1]), *_notes(plan, unknown, work, settings)]
    below += [*([precision] if precision else []), "No request was sent and nothing was written."]
    columns = analysis_columns(
        "plan", usd=lambda row: _usd(row.generation.usd), judge_usd=lambda row: _usd(row.judging.usd)
    )
    table = table_text(Table(columns, rows), width) if rows else ""
    above, under = (
        "\n".join(filled(each, width) for line in part for each in line.split("\n")) for part in (head, below)
    )
    return "\n\n".join(filter(None, [above, table, under]))


def _basis(rows: Sequence[Estimate]) -> Iterator[str]:
    yield "Prices are list prices, without retries that may be needed."
    for name, efforts in (
        ("conversations", [(row.label, row.generation) for row in rows]),
        ("verdicts", [(row.label, row.judging) for row in rows]),
    ):
        bases_of = {label: effort.basis for label, effort in efforts if effort.calls}
        for basis, words in _RESTS_ON.items():
            labels = [label for label, bases in bases_of.items() if basis in bases]
            if labels:
                whom = "" if len(labels) == len(bases_of) else f" of {some_of(labels)}"
                part = "" if all(len(bases_of[label]) == 1 for label in labels) else " partly"
                yield f"The tokens of {name}{whom} rest{part} on {words}."


def _notes(plan: Plan, unknown: int, work: Callable[[], Iterator[Work]], settings: Settings | None) -> Iterator[str]:
    if unknown:
        yield f"{counted(unknown, 'case')} cannot be estimated: overridden fixtures determine their prompts."
    endpoints = {model.endpoint for model in plan.asked}
    limited = any(each.requests_per_minute or each.tokens_per_minute for each in endpoints)
    if limited and (least := least_minutes(work())):
        yield f"With its limits per minute it takes at least {least:.1f} minutes."
    if settings is None or settings.max_cost is None:
        return
    budget = f"Budget: {settings.max_cost:g} US dollars for this session;"
    total = cost(work(), settings.assume_price)
    if total is None:
        yield f"{budget} a price is unknown, so it will be refused unless --assume-price=IN,OUT is given."
        return
    about = f"about {total:.4f} are needed{', unknown prices as assumed' if settings.assume_price is not None else ''}"
    if total <= settings.max_cost:
        yield f"{budget} {about}: it suffices."
    else:
        share = f"it pays for about {100 * settings.max_cost / total:.0f} %"
        yield f"{budget} {about}: {share}; the next session can continue."


def _usd(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:.4f}"
