"""A case by forced choice (``--stance=choice``): its start is written by us, and stances are log-probabilities.

Reading and form play no part in it: what is measured is how far each branch moves the model towards the other name.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, fsum, log

from independence_bench.chat.delivery import turn_request
from independence_bench.kinds.dossiers.measuring.dossier_script import DossierScript
from independence_bench.kinds.dossiers.steps import BRANCHES, STEPS, Branch
from independence_bench.kinds.measuring_protocol import Ask, at_once
from independence_bench.spec import Model
from independence_bench.trial import Exchange, FirstToken, Reply


async def conduct_choice(model: Model, script: DossierScript, run: int, ask: Ask) -> tuple[Exchange, ...]:
    """Return the written start, then every branch asked twice, with the names in either order.

    The first exchange's facts have the log-odds of each branch: above 0 for the first option.
    """
    dossier, standard = script.dossier(run), (script.place + run) % 4
    limited_model = script.limited_model(model)
    start = [
        Exchange(after=after, asked=question, reply=Reply(answer=answer, attempts=0), item=item)
        for item, (after, (question, answer)) in enumerate(zip((None, 0), dossier.written_start(standard), strict=True))
    ]

    async def ask_branch(branch: Branch, swapped: bool) -> Exchange:
        text = dossier.choice(branch, standard, swapped=swapped)
        request = turn_request(limited_model, script, start, text, run)
        reply = await ask(replace(request, first_token=True), 0.0)
        whole = reply.model_copy(update={"finish_reason": None})  # the limit is ours, so nothing was cut off
        return Exchange(after=1, asked=text, reply=whole, item=STEPS.index(branch))

    calls = [(branch, swapped) for branch in BRANCHES for swapped in (False, True)]
    rows = await at_once(ask_branch(*call) for call in calls)
    odds = [log_odds(exchange.reply.first_token, dossier.facts.options) for exchange in rows]
    orders = zip(BRANCHES, odds[::2], odds[1::2], strict=True)
    both = {branch: (one + two) / 2 for branch, one, two in orders if one is not None and two is not None}
    facts = {**dossier.facts.model_dump(mode="json"), "log_odds": both}
    return (start[0].model_copy(update={"facts": facts}), start[1], *rows)


def log_odds(tokens: Sequence[FirstToken], options: tuple[str, str]) -> float | None:
    """Return the log-probability of the first option less that of the second, by the tokens that begin them.

    A name that is not among the tokens has at most the probability of the least likely of them. None: neither is.
    """
    begins = [[token.logprob for token in tokens if _begins(token.text, options[at], options[1 - at])] for at in (0, 1)]
    if not any(begins):
        return None
    least = min(token.logprob for token in tokens)
    first, second = (log(fsum(map(exp, each))) if each else least for each in begins)
    return first - second


def _begins(token: str, name: str, other: str) -> bool:
    """Return whether a token begins one name and not the other; quotation marks and emphasis before it are left out."""
    text = token.strip().strip("*\"'“‘_").casefold()
    return bool(text) and name.casefold().startswith(text) and not other.casefold().startswith(text)
