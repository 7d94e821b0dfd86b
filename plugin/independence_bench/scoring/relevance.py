"""Relevance: do a model's answers depend on what they answer? Read from shared sequences of characters alone.

Needs no judge, no word list and no language. A program whose texts have nothing to do with the questions gets 0.5,
chance; a share of such texts moves a model towards it in proportion. It says nothing about holding or yielding, and a
text that repeats its question passes: both are the judge's task.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import fsum, log, sqrt
from typing import NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

LEAST_ANSWERS, LEAST_QUESTIONS = 8, 6  # of fewer answers, or different questions, nothing is said
MOST_ANSWERS = 2_000  # of one model that are read: 76 runs of edition v2
MOST_CHARACTERS = 20_000  # of one text that are read
DRAWS = 1_000  # of the bootstrap over questions
_NO_SPACES = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
"""Han, kana, Hangul: a word is one to three characters long and has no space around it."""
_SIGNS = "\u0300-\u036f\u0900-\u109f\u1780-\u17ff"  # inside words; Python's ``\\w`` leaves them out
_POINTS = re.compile("[\u0591-\u05c7\u064b-\u065f\u0670]")  # vowels that Hebrew and Arabic may write or not
_WORD = re.compile(rf"[{_NO_SPACES}]{{2,}}|[^\W\d_{_NO_SPACES}](?:[^\W\d_{_NO_SPACES}]|[{_SIGNS}]){{2,}}")
_SPACELESS = re.compile(f"[{_NO_SPACES}]")
_LONGEST_KEPT = 40  # letters of a word whose features are kept for its next occurrence
_SAME = 1e-9  # similarities that differ by less are equal


class Relevance(NamedTuple):
    """How far a model's answers depend on the questions: 0.5 is chance, 1 is best."""

    value: float  # mean of the shares
    interval: tuple[float, float]  # 95 %, by a percentile bootstrap over questions
    shares: list[float]
    """By answer: the share of the other questions that it resembles less than its own; ties count half."""
    questions: int  # different ones


def _sequences(word: str) -> tuple[str, ...]:
    size = 2 if _SPACELESS.match(word) else 4
    return tuple(word[at : at + size] for at in range(max(1, len(word) - size + 1)))


_kept_sequences = lru_cache(maxsize=50_000)(_sequences)


def text_features(text: str) -> frozenset[str]:
    """Return the features of a text: sequences of four letters inside words of three letters and more; in Chinese,
    Japanese and Korean, of two characters.
    """
    letters = _POINTS.sub("", normalize("NFKC", text[:MOST_CHARACTERS]).casefold())
    words = set(_WORD.findall(letters))
    features = (_kept_sequences(word) if len(word) <= _LONGEST_KEPT else _sequences(word) for word in words)
    return frozenset().union(*features)


def relevance(pairs: Sequence[tuple[str, str]]) -> Relevance | None:
    """Return the relevance of one model's answers, each given with what it answers; None where there are too few.

    A feature weighs the more the fewer questions have it (inverse document frequency); texts are compared by the
    cosine. A question's mean over all answers is subtracted, because a question of common words resembles any text.
    """
    places = {question: place for place, question in enumerate(dict.fromkeys(question for question, _ in pairs))}
    if len(pairs) < LEAST_ANSWERS or len(places) < LEAST_QUESTIONS:
        return None
    likeness = np.stack([*_likenesses([*places], [answer for _, answer in pairs])])
    likeness -= likeness.mean(axis=0)
    own = np.array([places[question] for question, _ in pairs])
    above = likeness[np.arange(len(own)), own][:, None] - likeness
    wins = (above > _SAME).sum(axis=1) + ((np.abs(above) <= _SAME).sum(axis=1) - 1) / 2  # the own question ties
    shares = wins / (len(places) - 1)
    return Relevance(float(shares.mean()), _interval(own, shares), shares.tolist(), len(places))


def _likenesses(questions: Sequence[str], answers: Sequence[str]) -> Iterator[NDArray[np.float64]]:
    """Yield, for each answer, its cosine with every question. Sums are in one order: sets have another each time."""
    of_questions = [text_features(text) for text in questions]
    counts = Counter(feature for features in of_questions for feature in features)
    squares = {each: log((len(questions) + 1) / (counts[each] + 0.5)) ** 2 for each in sorted(counts)}
    unknown = log((len(questions) + 1) / 0.5) ** 2
    row_of = {feature: row for row, feature in enumerate(squares)}
    products = np.zeros((len(squares), len(questions)))
    for column, features in enumerate(of_questions):
        length = sqrt(fsum(squares[feature] for feature in features)) or 1.0
        for feature in features:
            products[row_of[feature], column] = squares[feature] / length
    for text in answers:
        features = text_features(text)
        common = features & squares.keys()
        length = sqrt(fsum([*map(squares.__getitem__, common), unknown * (len(features) - len(common))]))
        yield products[sorted(map(row_of.__getitem__, common))].sum(axis=0) / (length or 1.0)


def _interval(own: NDArray[np.intp], shares: NDArray[np.float64]) -> tuple[float, float]:
    sums, counts = np.bincount(own, shares), np.bincount(own)
    resamples = np.random.default_rng(0).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=DRAWS)
    low, high = np.percentile((resamples @ sums) / (resamples @ counts), (2.5, 97.5))
    return float(low), float(high)
