"""What every simulated model does in the edition ``roles``: answers questionnaires as a persona, and makes small talk.

The persona is the system message, the context the message that opened the conversation. A person's ten values correlate
as on the circle of basic values. Equal (model, conversation, seed) give equal answers here too.
"""

import math
import re
from functools import lru_cache
from statistics import NormalDist

from independence_bench.catalog import Catalogue
from independence_bench.kinds.roles.design import VALUES
from independence_bench.kinds.roles.embedded.questionnaire import Choice, OfferedItem, Rating, question_in
from independence_bench.kinds.roles.measuring.role_texts import RoleTexts
from independence_bench.offline.plain_words import shortened
from independence_bench.offline.simulated_models.reading import Conversation
from independence_bench.offline.simulated_models.simulated import Dice
from independence_bench.option_labels import labels
from independence_bench.packaged_yaml import packaged_yaml

CIRCLE = 0.7
"""Share of a value's variance that its place on the circle explains; the rest is its own."""
VALUE = 0.85
"""How much a value weighs in an item that measures it."""
FACET = 0.35
"""How much an item's own facet weighs, the same every time a person is asked."""

_WEDGES = 9
_WEDGE = dict(zip(VALUES, (0, 1, 2, 3, 4, 5, 6, 6, 7, 8), strict=True))
"""Neighbours are one wedge apart; Conformity and Tradition share one, as in theory (Schwartz 1992)."""

_NORMAL = NormalDist()


def normal(dice: Dice, purpose: str) -> float:
    """Return a repeatable draw from the standard normal distribution."""
    return _NORMAL.inv_cdf(min(max(dice.share(purpose), 1e-12), 1 - 1e-12))


@lru_cache(maxsize=4096)
def _values(whom: str) -> dict[str, float]:
    dice = Dice("values", whom)
    across, up = normal(dice, "across"), normal(dice, "up")
    held = {}
    for value in VALUES:
        angle = 2 * math.pi * _WEDGE[value] / _WEDGES
        on_circle = across * math.cos(angle) + up * math.sin(angle)
        held[value] = math.sqrt(CIRCLE) * on_circle + math.sqrt(1 - CIRCLE) * normal(dice, value)
    return held


def item_importance(whom: str, item: OfferedItem) -> float:
    """Return how much a person values an item; variance VALUE² + FACET²."""
    facet = normal(Dice("facets", whom), item.name)
    value = normal(Dice("others", whom), item.name) if item.value is None else _values(whom)[item.value]
    return VALUE * value + FACET * facet


DRIFT = {
    "offline/steadfast": 0.0,
    "offline/diplomat": 0.15,
    "offline/weathervane": 0.5,
    "offline/mirror": 1.0,
    "offline/contrarian": 0.0,
    "offline/deferent": 0.0,
}
"""Share of the variance of a persona's values that comes from the context and not from the persona.

0 keeps the persona everywhere; 1 is a different person in every context. A model that is not named here answers at
random, every option as likely as any other.
"""

NOISE = 0.25
"""Standard deviation of what the wording and option order of one question add, where values have about 0.85."""

_NO_QUOTES = str.maketrans(dict.fromkeys('“”"{}', None))
_PLACEHOLDER = re.compile(r"\\\{\w+\\\}")


def in_role(model: str, conversation: Conversation, seed: int) -> str | None:
    """Return the answer of a model that plays a role: to a question, or as small talk; None where it plays no role."""
    asked = conversation.human[-1]
    question = question_in(asked)
    if question is not None:
        return f"({_label(model, conversation, seed, question)})"
    part = _part(conversation.system)
    if part is None or model not in DRIFT:
        return None
    dice = Dice("talk", model, str(seed), conversation.system, *conversation.human, *conversation.mine)
    quote = shortened(asked.translate(_NO_QUOTES), 40)
    shelves = ("remarks",) if part == "interlocutor" else ("remarks", "turns")
    lines = [dice.one(shelf, _talk()[shelf]) for shelf in shelves]
    return " ".join(lines).format(quote=quote)


def _offered(question: Rating | Choice | int) -> int:
    if isinstance(question, int):
        return question
    return len(question.items if isinstance(question, Choice) else question.order)


def _label(model: str, conversation: Conversation, seed: int, question: Rating | Choice | int) -> str:
    if model not in DRIFT or isinstance(question, int):
        options = labels(_offered(question))
        everything = (conversation.system, *conversation.human, *conversation.mine)
        return Dice("at random", model, str(seed), *everything).one("option", options)
    persona = conversation.system
    # Where the question itself comes first there was no conversation: all such contexts are one.
    opening = "" if question_in(conversation.human[0]) else conversation.human[0]
    if isinstance(question, Choice):
        weights = [_leaning(model, persona, opening, item) for item in question.items]
        chosen = min(weights) if question.least else max(weights)
        return labels(len(weights))[weights.index(chosen)]
    noise = normal(Dice("noise", model, str(seed), persona, opening), conversation.human[-1])
    leaning = _leaning(model, persona, opening, question.item) + NOISE * noise
    options = labels(len(question.order))
    # By quantiles: over many personas no option is rarer than another.
    return options[question.order[min(int(_NORMAL.cdf(leaning) * len(options)), len(options) - 1)]]


def _leaning(model: str, persona: str, opening: str, item: OfferedItem) -> float:
    drift = DRIFT[model]
    leaning = math.sqrt(1 - drift) * item_importance(persona, item) if drift < 1 else 0.0
    if drift:
        leaning += math.sqrt(drift) * item_importance(f"{persona}\x1f{opening}", item)
    return leaning


@lru_cache(maxsize=1)
def _talk() -> dict[str, list[str]]:
    raw: dict[str, list[str]] = packaged_yaml(__package__, "role_talk.yaml")
    return raw


@lru_cache(maxsize=1)
def _parts() -> dict[str, re.Pattern[str]]:
    _, prompts = RoleTexts(Catalogue().newest).prompts
    texts = {"persona": [prompts.persona], "interlocutor": [prompts.interlocutor, prompts.interlocutor_persona]}
    return {
        part: re.compile("|".join(_PLACEHOLDER.sub(".+", re.escape(text.strip())) for text in shapes))
        for part, shapes in texts.items()
    }


@lru_cache(maxsize=256)
def _part(system: str) -> str | None:
    """Return the part that a packaged system message assigns: ``persona`` or ``interlocutor``; None for others."""
    return next((part for part, shape in _parts().items() if shape.fullmatch(system.strip())), None)
