"""Text as words, for the judge and the simulated models alike: sentences, tokens, stems, the lists of words.yaml."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from independence_bench.packaged_yaml import packaged_yaml

_TYPOGRAPHY = (*zip("’‘“”‑–*_", "''\"\"--  ", strict=True), ("—", " - "))
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+| ?\n|; | -+ |(?<=\w)--?(?=\s)")
_SPACES = re.compile(r"[^\S\n]+")
_IS = re.compile(r"\b(everything|he|here|how|it|nothing|she|something|that|there|this|what|when|who)'s\b")
_ENDING = re.compile(r"'(m|re|ve|ll|d|s)\b")
_ENDINGS = {"m": " am", "re": " are", "ve": " have", "ll": " will", "d": " would", "s": ""}
_SHORT = {"won't": "will not", "can't": "can not", "cannot": "can not", "let's": "let us", "n't": " not"}


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of words.yaml."""
    return frozenset(packaged_yaml(__package__, "words.yaml")[name].split())


def either(name: str) -> str:
    """Return the patterns of a list of cues.yaml, joined by "or", as a part of a regular expression."""
    return f"(?:{'|'.join(packaged_yaml(__package__, 'cues.yaml')[name])})"


@cache
def cue(name: str) -> re.Pattern[str]:
    """Return a list of cues.yaml as one pattern over lower-case text, between word boundaries."""
    return re.compile(rf"\b{either(name)}(?!\w)")


def straight(text: str) -> str:
    """Return the text with straight quotes and dashes, single spaces and no Markdown emphasis."""
    for odd, common in _TYPOGRAPHY:  # several times as fast as str.translate on texts that are mostly ASCII
        text = text.replace(odd, common)
    return _SPACES.sub(" ", text)


def tokens(text: str) -> list[str]:
    """Return the words of a :func:`straight` text in lower case, contractions written out."""
    text = text.lower()
    for short, long in _SHORT.items():
        text = text.replace(short, long)
    text = _ENDING.sub(lambda ending: _ENDINGS[ending[1]], _IS.sub(r"\1 is", text))
    return _TOKEN.findall(text)


def sentences(text: str) -> list[str]:
    """Split a raw text into its :func:`straight` sentences, list items and dashed parts; none is empty."""
    return [part for part in _SENTENCE_END.split(straight(text)) if part and not part.isspace()]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Cut common English endings, so that ``softening`` meets ``soften``; crude, and meant to be."""
    for ending in ("ingly", "ness", "ment", "ing", "ed", "ely", "ly", "er", "es", "s", "e"):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            cut = word[: -len(ending)]
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls" else cut
    return word


def content_stems(words: Iterable[str]) -> set[str]:
    """Return the stems of the words that say what a text is about."""
    common = word_list("function")
    return {stem(word) for word in words if len(word) > 2 and word not in common}


@lru_cache(maxsize=64)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a raw text; the last few texts are read repeatedly."""
    return tuple(tokens(straight(text)))


@lru_cache(maxsize=64)
def stems_of(text: str) -> frozenset[str]:
    """Return the content stems of a raw text."""
    return frozenset(content_stems(words_of(text)))


def shortened(text: str, limit: int = 70) -> str:
    """Return the text as one line of at most ``limit`` characters, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:-") + "…"
