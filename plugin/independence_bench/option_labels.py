"""Labels of a question's options, and which of them an answer names. Knows no questionnaire."""

import re
from collections.abc import Sequence
from functools import lru_cache
from string import ascii_uppercase


@lru_cache(maxsize=64)
def labels(options: int) -> tuple[str, ...]:
    """Return the first so many labels: A to Z, then AA, AB, …; raises ValueError above 702."""
    pairs = (first + second for first in ascii_uppercase for second in ascii_uppercase)
    first_labels = (*ascii_uppercase, *pairs)[:options]
    if len(first_labels) < options:
        raise ValueError(f"{options} options are more than there are labels")
    return first_labels


_BRACKETED = re.compile(r"[(\[{]\s*([A-Za-z]{1,2})\s*[)\]}]")
_ALONE = re.compile(r"\W*([A-Za-z]{1,2})\W*")
_WORD = re.compile(r"(?<![\w'’-])([A-Z]{1,2})(?![\w'’-])")
_ANSWER_IS = re.compile(r"(?:answer|option|choice|choose|letter|pick)(?:\s{1,9}is)?\W{0,9}$", re.IGNORECASE)
_BEFORE = 30  # characters before a label that may say that it is the answer
_GOES_ON = re.compile(r"\s+(?!(?:or|and|nor)\b)[a-z]")


def read_label(answer: str, options: int) -> int | None:
    """Return the place, from 0, of the one option that an answer names; None where it names none or several."""
    named = named_options(answer, options)
    return named[0] if len(named) == 1 else None


def named_options(answer: str, options: int) -> tuple[int, ...]:
    """Return the places, from 0 and in order, of all options that an answer names: ``(B)``, ``b.``, ``Answer: B``.
    Brackets come first; a bare ``A`` or ``I`` that begins a phrase is a word, unless it is said to be the answer.
    """
    known = labels(options)
    text = answer.strip()
    if alone := _ALONE.fullmatch(text):
        return _known([alone[1].upper()], known)
    bracketed = [label.upper() for label in _BRACKETED.findall(text)]
    if any(label in known for label in bracketed):
        return _known(bracketed, known)
    named = [
        match[1]
        for match in _WORD.finditer(text)
        if match[1] not in ("A", "I")
        or not _GOES_ON.match(text, match.end())
        or _ANSWER_IS.search(text, max(0, match.start() - _BEFORE), match.start())
    ]
    return _known(named, known)


def _known(texts: Sequence[str], known: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sorted({known.index(label) for label in texts if label in known}))
