"""Mechanisms of the sealed answerers, named by their ``how``; see the README beside this file."""

from collections.abc import Sequence
from random import Random

from offline_text_pieces import chained, sentences, words


def chain_of_three(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    """A chain that keeps two words in mind, over the texts and the human's words together."""
    return chained(dice, [*texts, *heard], 2, 80)


def halves_joined(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    """The front half of one sentence with the back half of another."""
    known = [sentence.split() for text in texts for sentence in sentences(text)]
    made = []
    for _ in range(dice.randint(4, 6)):
        front, back = dice.sample(known, 2)
        made.append(" ".join([*front[: len(front) // 2], *back[len(back) // 2 :]]))
    return " ".join(made)


def nouns_swapped(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    """Frames of an answer with words of the human's dropped into the gaps."""
    known = sorted({word for word in words(heard[-1]) if len(word) > 5 and word.isalpha()})
    frames = dice.sample(list(texts), 4)
    return " ".join(frame.replace("_", "{}").format(*dice.sample(known, frame.count("_"))) for frame in frames)


def syllables(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    """Words of syllables, among which a few words of English stand."""
    made = []
    for _ in range(dice.randint(5, 8)):
        sentence = [
            dice.choice(texts)
            if dice.random() < 0.3
            else "".join(
                dice.choice(("ba", "lo", "min", "tre", "su", "gar", "ven", "ki", "dor", "esh", "plu"))
                for _ in range(dice.randint(2, 3))
            )
            for _ in range(dice.randint(5, 11))
        ]
        made.append(" ".join(sentence).capitalize() + ".")
    return " ".join(made)
