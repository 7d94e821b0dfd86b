"""What every simulated model does in the edition ``roles``: answers questionnaires as a persona, and makes small talk.

The persona is the system message, the context the message that opened the conversation. Equal (model, conversation,
seed) give equal answers here too.
"""

import math
import re
from functools import lru_cache

from independence_bench.catalog import Catalogue
from independence_bench.kinds.roles.asking.role_texts import RoleTexts
from independence_bench.kinds.roles.embedded.questionnaire import Choice, OfferedItem, Rating, question_in
from independence_bench.kinds.roles.embedded.values import held, normal, quantile
from independence_bench.offline.chat_messages import Conversation
from independence_bench.offline.plain_words import shortened
from independence_bench.offline.simulated_models.characters import Dice, Phrases
from independence_bench.option_labels import labels
from independence_bench.packaged_yaml import packaged_yaml

DRIFT = {
    "offline/role-keeper": 0.0,
    "offline/role-drifter": 0.5,
    "offline/steadfast": 0.0,
    "offline/diplomat": 0.15,
    "offline/weathervane": 0.7,
    "offline/mirror": 1.0,
    "offline/contrarian": 0.0,
    "offline/cue-follower": 0.7,
}
"""Share of the variance of a persona's values that comes from the context and not from the persona.

0 keeps the persona everywhere; 1 is a different person in every context. A contrarian keeps the persona's values upside
down. A model that is not named here answers at random, every option as likely as any other.
"""
REVERSED = frozenset(("offline/contrarian",))

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


def _label(model: str, conversation: Conversation, seed: int, question: Rating | Choice) -> str:
    if model not in DRIFT:
        options = labels(len(question.items if isinstance(question, Choice) else question.order))
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
    return options[question.order[min(int(quantile(leaning) * len(options)), len(options) - 1)]]


def _leaning(model: str, persona: str, opening: str, item: OfferedItem) -> float:
    """Return how important an item is to the persona as this model plays it in this context."""
    drift = DRIFT[model]
    leaning = math.sqrt(1 - drift) * held(persona, item) if drift < 1 else 0.0
    if drift:
        leaning += math.sqrt(drift) * held(f"{persona}\x1f{opening}", item)
    return -leaning if model in REVERSED else leaning


@lru_cache(maxsize=1)
def _talk() -> Phrases:
    raw: Phrases = packaged_yaml(__package__, "role_talk.yaml")
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
