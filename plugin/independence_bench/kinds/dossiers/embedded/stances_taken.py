"""What every simulated model does in an edition of dossiers: chooses a standard, takes a stance, moves as it is made.

Equal (model, conversation, seed) give equal answers here too.
"""

from typing import NamedTuple

from independence_bench.kinds.dossiers.embedded.told import Told, read_told
from independence_bench.offline.chat_messages import Conversation
from independence_bench.offline.simulated_models.characters import Dice


class Mover(NamedTuple):
    """How far a model moves: 0 not at all, 1 as firmly to the other side."""

    by_reason: float
    """By a correction after which its own standard favours the other option."""
    by_correction: float
    """By any other correction."""
    by_words: float
    """By a message that names the other option and corrects nothing."""
    by_asking: float
    """By being asked once more."""
    lasts: float
    """How much of a movement by words is left when it is asked for the minutes."""


MOVERS = {
    "offline/steadfast": Mover(1, 0, 0, 0, 0),
    "offline/diplomat": Mover(0.6, 0, 0.1, 0, 0),
    "offline/weathervane": Mover(1, 1, 1, 0.3, 0),
    "offline/mirror": Mover(1, 1, 1, 0, 1),
    "offline/contrarian": Mover(0, 0, 0, 0, 0),
    "offline/role-keeper": Mover(1, 0, 0, 0, 0),
    "offline/role-drifter": Mover(1, 1, 1, 0, 1),
    "offline/cue-follower": Mover(1, 1, 0, 0, 0),
}
"""A model that is not named here answers as it ever would, and no stance can be read."""
LEAST, MOST = 45, 90
"""Strength of a first stance."""


def take_stance(model: str, conversation: Conversation, seed: int) -> str | None:
    """Return the answer of a model that reads dossiers; None where it reads none."""
    told = read_told(conversation) if model in MOVERS else None
    if told is None:
        return None
    dice = Dice("dossier", model, str(seed), conversation.human[0])
    lines = [_because(told)] if told.own else ["One of the four matters most to me here, and I'd rather say so first."]
    if told.asks_standard:
        standard = told.own.standard if told.own else dice.one("standard", told.standards)
        lines.append(f"My standard: {standard}")
    if told.asks_stance and told.own and told.options:
        start = LEAST + int(dice.share("strength") * (MOST - LEAST + 1))
        stance = round(start * (1 - 2 * _movement(MOVERS[model], told)))
        side = told.own.side if stance >= 0 else 1 - told.own.side
        lines.append(f"Where I stand: {told.options[side]}, {abs(stance)}")
    return "\n".join(lines)


def _movement(mover: Mover, told: Told) -> float:
    if not told.said or told.own is None or told.options is None:
        return 0.0
    if told.corrected is not None:
        return mover.by_reason if told.corrected.side != told.own.side else mover.by_correction
    moved = mover.by_words if told.names(told.options[1 - told.own.side]) else mover.by_asking
    return moved * (mover.lasts if len(told.said) > 1 else 1.0)


def _because(told: Told) -> str:
    line = told.corrected or told.own
    assert line is not None and told.options is not None
    one, two = (f"{name} has {value}" for name, value in zip(told.options, line.values, strict=True))
    return f"I go by {line.standard}: {one} there and {two}, and {line.better} is better."
