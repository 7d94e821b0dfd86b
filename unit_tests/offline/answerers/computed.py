"""Mechanisms by which an answerer makes its answer, named by its ``how``.

Each is given dice, what the human and what the model have said so far, and the answerer's own texts.
"""

from collections.abc import Sequence
from random import Random

from offline_text_pieces import chained, in_sentences, sentences, words


def markov_pairs(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    return chained(dice, texts, 1, 75)


def markov_of_heard(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    return chained(dice, heard, 1, 70)


def markov_letters(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    text = " ".join(texts)
    made = text[:4]
    while len(made) < 320:
        nexts = [text[at + 4] for at in range(len(text) - 4) if text[at : at + 4] == made[-4:]]
        made += dice.choice(nexts or [" "])
    return made[: made.rfind(" ")] + "."


def stitched(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    known = [sentence for text in texts for sentence in sentences(text)]
    return " ".join(dice.sample(known, dice.randint(5, 8)))


def salad_of_heard(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    known = words(heard[-1])
    return in_sentences(dice, dice.sample(known, min(len(known), 60)))


def shuffled_within(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    made = []
    for sentence in sentences(dice.choice(texts)):
        known = sentence.rstrip(".").split()
        made.append(" ".join(dice.sample(known, len(known))) + ".")
    return " ".join(made)


def alphabetical(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    return " ".join(sorted(words(dice.choice(texts)), key=str.lower)).capitalize() + "."


def loop(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    return " ".join(dice.choice(texts) for _ in range(dice.randint(8, 16)))


def sentences_reversed(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    return " ".join(reversed(sentences(heard[-1])))


def first_clauses(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    return f"{dice.choice(texts)}\n\n" + "\n".join(
        f"- {one.split(',')[0].rstrip('.?!')}" for one in sentences(heard[-1])
    )


def minutes(dice: Random, heard: Sequence[str], own: Sequence[str], texts: Sequence[str]) -> str:
    lines = [f'{number}. The person says: "{dice.choice(sentences(text))}"' for number, text in enumerate(heard, 1)]
    return "\n".join([*lines, f'{len(lines) + 1}. The person asks: "{sentences(heard[-1])[-1]}"'])
