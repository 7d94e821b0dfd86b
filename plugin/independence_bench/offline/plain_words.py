"""Text as words, for the judge and the simulated models alike: sentences, tokens, stems, the lists of words.yaml."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from independence_bench.packaged_yaml import packaged_yaml

_TYPOGRAPHY = (*zip("’‘“”‑–*_", "''\"\"--  ", strict=True), ("—", " - "))
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+| ?\n|; | -+ |(?<=\w)--?(?=\s)")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\n[\n ]+")


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
    """Return the text with straight quotes and dashes, single spaces and line ends, and no Markdown emphasis."""
    for odd, common in _TYPOGRAPHY:  # several times as fast as str.translate on texts that are mostly ASCII
        text = text.replace(odd, common)
    return _LINES.sub("\n", _SPACES.sub(" ", text))


def plain(text: str) -> str:
    """Return the :func:`straight` text in lower case."""
    return straight(text).lower()


@lru_cache(maxsize=20_000)
def _written_out(token: str) -> tuple[str, ...]:
    """Write one contraction out: ``won't`` is ``will not``; a possessive loses its ending."""
    words = packaged_yaml(__package__, "words.yaml")
    if token in words["contractions"]:
        return tuple(words["contractions"][token].split())
    if "'" not in token:
        return (token,)
    if token.endswith("n't"):
        return token[:-3], "not"
    before, _, ending = token.rpartition("'")
    if ending in words["endings"]:
        return (*_written_out(before), words["endings"][ending])
    if ending == "s":  # ``is`` after a few words, elsewhere a genitive
        return (before, "is") if before in word_list("is_after") else (before,)
    return tuple(part for part in token.split("'") if part)


def tokens(text: str) -> list[str]:
    """Return the words of a text (already :func:`plain`), contractions written out."""
    return [word for token in _TOKEN.findall(text) for word in _written_out(token)]


def sentences(text: str) -> list[str]:
    """Split a text (already :func:`plain`) into sentences, list items and dashed parts; none is empty."""
    return [part for part in _SENTENCE_END.split(text) if part and not part.isspace()]


def spoken(text: str) -> list[list[str]]:
    """Return the words of each sentence of a raw text that has any."""
    return [words for words in map(tokens, sentences(plain(text))) if words]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Cut common English endings, so that ``softening`` meets ``soften``; crude, and meant to be."""
    if len(word) > 4:
        for ending, kept in (("ies", "y"), ("iness", "y"), ("ness", ""), ("ments", ""), ("ment", ""), ("ingly", "")):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                return word[: -len(ending)] + kept
        for ending in ("ing", "edly", "ed", "ely", "ly", "ers", "er", "es", "s", "e"):
            if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
                cut = word[: -len(ending)]
                return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls" else cut
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word


def content_stems(words: Iterable[str]) -> set[str]:
    """Return the stems of the words that say what a text is about."""
    common = word_list("function")
    return {stem(word) for word in words if len(word) > 2 and word not in common}


@lru_cache(maxsize=64)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a raw text; the last few texts are read repeatedly."""
    return tuple(tokens(plain(text)))


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
