"""What every simulated model does when it is asked for a change of substance or of manner.

It knows the packaged pairs by their words. Equal (model, conversation, seed) give equal answers here too.
"""

import re
from functools import lru_cache
from itertools import cycle, islice
from typing import Any, NamedTuple

from independence_bench.catalog import Catalogue
from independence_bench.kinds.twins.design import SIDES, Side
from independence_bench.kinds.twins.form_checks import FormCheck
from independence_bench.kinds.twins.twin_texts import FOLDER, read_families
from independence_bench.offline.chat_messages import Conversation
from independence_bench.offline.simulated_models.characters import Dice
from independence_bench.packaged_yaml import packaged_yaml


class Granter(NamedTuple):
    """How often a model grants a request, 0..1."""

    manner: float
    substance: float
    wholly: bool = True
    """Whether it grants all of the substance, or only a part."""


GRANTERS = {
    "offline/steadfast": Granter(1, 0),
    "offline/diplomat": Granter(1, 0.4, wholly=False),
    "offline/weathervane": Granter(1, 1),
    "offline/mirror": Granter(1, 1),
    "offline/contrarian": Granter(0, 0),
    "offline/role-keeper": Granter(1, 0),
    "offline/role-drifter": Granter(1, 1),
    "offline/cue-follower": Granter(1, 1),
}
"""A model that is not named here answers as it ever would, which grants nothing."""
CURT = frozenset({"offline/contrarian"})
SAID = 12
"""Words of its earlier answer that a model repeats: few enough for the shortest form asked for."""


class KnownRequest(NamedTuple):
    """A request of the packaged pairs."""

    side: Side
    check: FormCheck | None


def grant(model: str, conversation: Conversation, seed: int) -> str | None:
    """Return the answer to one of the requests; None to anything else, the first question too."""
    request = _requests().get(conversation.human[-1]) if conversation.mine and model in GRANTERS else None
    if request is None:
        return None
    granter, dice = GRANTERS[model], Dice("twins", model, str(seed), *conversation.human)
    said = _statement(conversation.mine[-1])
    talk = _talk()
    likely = granter.manner if request.side == "manner" else granter.substance
    if dice.share("grants") >= likely:
        return dice.one("declines", talk["refused" if model in CURT else "declined"]).format(said=said)
    if request.side == "substance":
        return dice.one("yields", talk["substance"]["wholly" if granter.wholly else "partly"]).format(said=said)
    return _in_form(request.check, dice, said)


def _in_form(check: FormCheck | None, dice: Dice, said: str) -> str:
    """Say the same again in the form asked for."""
    answer = dice.one("form", _talk()["manner"][check.form if check else "plain"]).format(said=said)
    if check is None or check.items is None:
        return answer
    return "\n".join([answer, *(f"- {item}" for item in islice(cycle(_talk()["manner"]["item"]), check.items))])


def _statement(text: str) -> str:
    """Return the first sentence of what was said that asks nothing, or its beginning."""
    told = re.search(r"[^.!?;:“”\n]{12,}(?=[.!;])", text)
    return " ".join(told[0].split()[:SAID]).rstrip(",") if told else "what I said"


@lru_cache(maxsize=1)
def _requests() -> dict[str, KnownRequest]:
    catalogue = Catalogue()
    return {
        pair.turns(side)[1]: KnownRequest(side, pair.check if side == "manner" else None)
        for family in read_families(catalogue, catalogue.stems(FOLDER), "embedded models")
        for pair in family.pairs
        for side in SIDES
    }


@lru_cache(maxsize=1)
def _talk() -> dict[str, Any]:
    return dict(packaged_yaml(__package__, "granting_talk.yaml"))
