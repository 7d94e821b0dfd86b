"""How familiar the order of a text's words is: by sequences of words that other texts have, kept as hashes.

The table (familiar_table.yaml) is written by benchmarks/offline_fit_gate.py. It has no text: one bit for
each hash of a word, of two neighbouring words, and of three neighbouring word classes. Time is linear in the words.
"""

import base64
import random
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from independence_bench.offline.plain_words import plain, sentences, tokens
from independence_bench.offline.tables import words as word_list
from independence_bench.packaged_yaml import packaged_yaml

BITS = 1 << 23
MOST_WORDS = 1_500
"""Words of a text that are read; a longer one is judged by its beginning."""
SHUFFLES = 3
_CLASS_ENDINGS = ("ing", "ed", "ly", "tion", "ness", "ment", "s", "er", "y", "e")


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, float], float, bytes]:
    raw = packaged_yaml(__package__, "familiar_table.yaml")
    return raw["weights"], raw["constant"], zlib.decompress(base64.b85decode("".join(raw["bits"].split())))


@lru_cache(maxsize=50_000)
def word_class(word: str) -> str:
    """Return a common word itself, and the ending of any other."""
    if word in word_list("function"):
        return word
    if word[0].isdigit():
        return "#"
    return next((f"-{end}" for end in _CLASS_ENDINGS if len(word) > len(end) + 2 and word.endswith(end)), "-")


@lru_cache(maxsize=50_000)
def place(word: str) -> int:
    """Return the bit of a word."""
    return zlib.crc32(_bytes(word)) % BITS


class _Hashed(NamedTuple):
    """A word of a sequence; hashing its texts again for each of four orders was a third of a verdict's time."""

    last: bytes
    """The word as it is hashed last."""
    begun: int
    """The hash of a pair that begins with it."""
    word_class: str
    class_last: bytes
    """Its class as it is hashed last."""


@lru_cache(maxsize=50_000)
def _hashed(word: str, is_edge: bool = False) -> _Hashed:
    last, kind = _bytes(word), word if is_edge else word_class(word)
    return _Hashed(last, zlib.crc32(last + b" "), kind, _bytes(kind))


@lru_cache(maxsize=50_000)
def _begun_by_classes(first: str, second: str) -> int:
    """Return the hash of a triple that begins with two word classes."""
    return zlib.crc32(_bytes(f"/ {first} {second} "))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


_EDGES = _hashed("<", is_edge=True), _hashed(">", is_edge=True)


def _known(bits: bytes, at: int) -> bool:
    return bool(bits[at >> 3] >> (at & 7) & 1)


@lru_cache(maxsize=64)
def spoken_sentences(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each sentence of a text's first :data:`MOST_WORDS` words; caches the last few texts."""
    found, left = [], MOST_WORDS
    for words in map(tokens, sentences(plain(text))):
        if words and left > 0:
            found.append(tuple(words[:left]))
            left -= len(words)
    return tuple(found)


def pairs(words: Sequence[str]) -> list[int]:
    """Return the bits of a sentence's neighbouring words."""
    return _pairs(_bounded(map(_hashed, words)))


def triples(words: Sequence[str]) -> list[int]:
    """Return the bits of a sentence's neighbouring word classes, three at a time."""
    return _triples(_bounded(map(_hashed, words)))


def _bounded(sentence: Iterable[_Hashed]) -> list[_Hashed]:
    return [_EDGES[0], *sentence, _EDGES[1]]


def _pairs(bounded: Sequence[_Hashed]) -> list[int]:
    return [zlib.crc32(second.last, first.begun) % BITS for first, second in pairwise(bounded)]


def _triples(bounded: Sequence[_Hashed]) -> list[int]:
    return [
        zlib.crc32(third.class_last, _begun_by_classes(first.word_class, second.word_class)) % BITS
        for first, second, third in zip(bounded, bounded[1:], bounded[2:], strict=False)
    ]


def known_share(words: Sequence[str], bits: bytes | None = None) -> float:
    """Return the share of words that the table has, 0 to 1; 1 without words."""
    bits = bits or _table()[2]
    letters = [word for word in words if not word[0].isdigit()]
    return sum(_known(bits, place(word)) for word in letters) / len(letters) if letters else 1.0


def _shares(spoken: Iterable[Iterable[_Hashed]], bits: bytes) -> tuple[float, float]:
    bounded = [*map(_bounded, spoken)]
    two = [bits[at >> 3] >> (at & 7) & 1 for sentence in bounded for at in _pairs(sentence)]
    three = [bits[at >> 3] >> (at & 7) & 1 for sentence in bounded for at in _triples(sentence)]
    return sum(two) / len(two), sum(three) / len(three)


def order_features(spoken: Sequence[Sequence[str]], bits: bytes | None = None) -> dict[str, float]:
    """Compare the order of a text's words with random orders of the same words.

    Args:
        spoken: the words of each sentence; at least one word.
        bits: the table; the shipped one unless given.

    Returns:
        ``pairs`` and ``triples``: the shares of familiar sequences, 0 to 1; ``pair_gain`` and ``triple_gain``: how far
        they lie above those of shuffled words; ``dangling``: the share of sentences, one apart, that end where none
        can.
    """
    bits = bits or _table()[2]
    two, three = _shares((map(_hashed, sentence) for sentence in spoken), bits)
    dice = random.Random(0)  # noqa: S311 - the same shuffles for everybody
    words = [_hashed(word) for sentence in spoken for word in sentence]
    shuffled = []
    for _ in range(SHUFFLES):
        dice.shuffle(words)
        rest = iter(words)
        shuffled.append(_shares((islice(rest, len(sentence)) for sentence in spoken), bits))
    # One such end is no fault of order: an answer that reached its limit, or a quotation that was cut.
    ends = max(0, sum(sentence[-1] in word_list("no_end") for sentence in spoken) - 1)
    dangling = ends / len(spoken) if len(spoken) > 3 else 0.0
    return {
        "pairs": two,
        "triples": three,
        "pair_gain": two - sum(one for one, _ in shuffled) / SHUFFLES,
        "triple_gain": three - sum(other for _, other in shuffled) / SHUFFLES,
        "dangling": dangling,
    }


def sentence_odds(spoken: Sequence[Sequence[str]]) -> float:
    """Return the log-odds that the words form sentences."""
    weights, constant, bits = _table()
    features = order_features(spoken, bits)
    return constant + sum(weight * features[name] for name, weight in weights.items())
