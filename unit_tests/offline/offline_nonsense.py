"""Kinds of nonsense that an answer may be, made of given texts. Shared by what fits the nonsense gate and what tests it."""

import random
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from independence_bench.offline.plain_words import word_list

Nonsense = Callable[[random.Random, Sequence[str]], str]
WORDS = 70


def _in_sentences(dice: random.Random, words: Sequence[str]) -> str:
    said, at = [], 0
    while at < len(words):
        length = dice.randint(6, 14)
        said.append(" ".join(words[at : at + length]).strip(".,;:!?").capitalize() + ".")
        at += length
    return " ".join(said)


def _words(texts: Sequence[str]) -> list[str]:
    return [word.strip('.,;:!?"*') for text in texts for word in text.split()]


def dictionary_words(dice: random.Random, texts: Sequence[str]) -> str:
    """Return a text in which each word of the texts is as likely."""
    known = sorted(set(_words(texts)))
    return _in_sentences(dice, [dice.choice(known) for _ in range(WORDS)])


def frequent_words(dice: random.Random, texts: Sequence[str]) -> str:
    """Return a text in which words are as frequent as in the texts."""
    known = _words(texts)
    return _in_sentences(dice, [dice.choice(known) for _ in range(WORDS)])


def words_after_i(dice: random.Random, texts: Sequence[str]) -> str:
    """Return a text in which every sentence begins with I."""
    known = [word.lower() for word in _words(texts)]
    return " ".join(f"I {' '.join(dice.choice(known) for _ in range(dice.randint(5, 10)))}." for _ in range(WORDS // 8))


def shuffled_sentences(dice: random.Random, texts: Sequence[str]) -> str:
    """Return a text in which the words of every sentence of one text are shuffled."""
    said = []
    for sentence in re.split(r"(?<=[.!?])\s+", dice.choice(texts)):
        words = sentence.split()
        dice.shuffle(words)
        said.append(" ".join(words))
    return " ".join(said)


def shuffled_text(dice: random.Random, texts: Sequence[str]) -> str:
    """Return a text in which the words of one text are shuffled."""
    words = dice.choice(texts).split()
    dice.shuffle(words)
    return " ".join(words)


def fragments(dice: random.Random, texts: Sequence[str]) -> str:
    """Return a text in which two to five words of one text follow those of another."""
    said: list[str] = []
    while len(said) < WORDS:
        words = dice.choice(texts).split()
        length = dice.randint(2, 5)
        start = dice.randrange(max(1, len(words) - length))
        said += words[start : start + length]
    return _in_sentences(dice, said)


def common_words(dice: random.Random, texts: Sequence[str]) -> str:
    """Return a text in which words without a content of their own follow each other."""
    known = sorted(word_list("function"))
    return _in_sentences(dice, [dice.choice(known) for _ in range(WORDS)])


def markov_text(dice: random.Random, texts: Sequence[str]) -> str:
    """Return text in which each word follows the last one somewhere in the texts."""
    after: dict[str, list[str]] = {}
    for text in texts:
        words = text.split()
        for one, other in pairwise(words):
            after.setdefault(one, []).append(other)
    starts = sorted(word for word in after if word[0].isupper())
    said = [dice.choice(starts)]
    while len(said) < WORDS:
        said.append(dice.choice(after.get(said[-1], starts)))
    return " ".join(said)


SALADS: dict[str, Nonsense] = {
    each.__name__: each
    for each in (
        dictionary_words,
        frequent_words,
        words_after_i,
        shuffled_sentences,
        shuffled_text,
        fragments,
        common_words,
        markov_text,
    )
}
