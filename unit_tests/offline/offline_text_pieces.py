"""Cuts texts into sentences and words and puts words together again, for answerers that compute what they say."""

import re
from collections.abc import Sequence
from random import Random


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, with their final marks."""
    return re.split(r"(?<=[.!?])\s+|(?<=[.!?][\"”])\s+", text.strip())


def words(text: str) -> list[str]:
    """Return the words of a text without the marks around them."""
    return [bare for word in text.split() if (bare := word.strip('.,;:!?"*()'))]


def in_sentences(dice: Random, known: Sequence[str]) -> str:
    """Lay words out in sentences of 5 to 13 words."""
    made, at = [], 0
    while at < len(known):
        length = dice.randint(5, 13)
        made.append(" ".join(known[at : at + length]).capitalize() + ".")
        at += length
    return " ".join(made)


def chained(dice: Random, texts: Sequence[str], order: int, length: int) -> str:
    """Return at most ``length`` words, each of which follows the last ``order`` words somewhere in the texts."""
    after: dict[tuple[str, ...], list[str]] = {}
    for text in texts:
        known = text.split()
        for at in range(len(known) - order):
            after.setdefault(tuple(known[at : at + order]), []).append(known[at + order])
    starts = [start for start in after if start[0][0].isupper()]
    made = list(dice.choice(starts))
    while len(made) < length:
        made += [dice.choice(after[tuple(made[-order:])])] if tuple(made[-order:]) in after else dice.choice(starts)
    whole = " ".join(made[:length])
    end = max(whole.rfind(mark) for mark in ".!?")
    return whole[: end + 1] if end > 0 else whole + "."
