"""Reads the word lists and patterns of this package (words.yaml, cues.yaml), once per process and when first needed."""

import re
from functools import cache, lru_cache

from independence_bench.packaged_yaml import packaged_yaml


@lru_cache(maxsize=1)
def _words() -> dict[str, frozenset[str]]:
    raw = packaged_yaml(__package__, "words.yaml")
    return {name: frozenset(block.split()) for name, block in raw.items()}


@lru_cache(maxsize=1)
def _cues() -> dict[str, str]:
    raw = packaged_yaml(__package__, "cues.yaml")
    return {name: "|".join(patterns) for name, patterns in raw.items()}


def words(name: str) -> frozenset[str]:
    """Return a list of words.yaml as a set."""
    return _words()[name]


def either(name: str) -> str:
    """Return the patterns of a list of cues.yaml, joined by "or", as a part of a regular expression."""
    return f"(?:{_cues()[name]})"


@cache
def cue(name: str) -> re.Pattern[str]:
    """Return a list of cues.yaml as one pattern over lower-case text, between word boundaries."""
    return re.compile(rf"\b{either(name)}(?!\w)")
