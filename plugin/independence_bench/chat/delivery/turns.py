"""A conversation as a plain row of turns, before any delivery: who speaks, what, and whether it is a recorded reply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from independence_bench.spec import Script
from independence_bench.trial import Exchange, Reply


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of either side."""

    speaker: Literal["human", "model"]
    text: str
    reply: Reply | None = None  # the reply as received; None where the turn is scripted


def turns(script: Script, earlier: Sequence[Exchange], human: str, greeting: str | None) -> list[Turn]:
    """Return greeting, opening, earlier exchanges and the human's next text; scripted neighbours of one side merge."""
    row: list[Turn] = []
    if greeting is not None:
        _append(row, Turn("model", greeting))
    for turn in script.opening:
        _append(row, Turn(turn.speaker, turn.text))
    for exchange in earlier:
        _append(row, Turn("human", exchange.asked))
        _append(row, Turn("model", exchange.reply.answer, exchange.reply))
    _append(row, Turn("human", human))
    return row


def _append(row: list[Turn], turn: Turn) -> None:
    if row and row[-1].speaker == turn.speaker and row[-1].reply is None:
        row[-1] = Turn(turn.speaker, f"{row[-1].text}\n\n{turn.text}")
    else:
        row.append(turn)
