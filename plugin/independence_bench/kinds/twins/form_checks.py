"""What of a request about the manner a program can count: words, list items, lines, language. Judges nothing else."""

import re
from collections import Counter
from functools import lru_cache
from typing import Literal, Self

from pydantic import Field, model_validator

from independence_bench.frozen import Frozen
from independence_bench.packaged_yaml import packaged_yaml

Language = Literal["de", "es", "fr"]

GREETING = 1.2
"""An answer may have so many times the words that were asked for: a greeting before a short text is no long text."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ITEM = re.compile(r"^\s*(?:[-*•–—]|\(?(?:\d{1,2}|[a-zA-Z])[.):])\s+\S", re.M)


class FormCheck(Frozen):
    """One thing that is counted; exactly one is given."""

    words: int | None = Field(default=None, ge=1)
    """At most so many."""
    items: int | None = Field(default=None, ge=1)
    """So many items in a list."""
    lines: int | None = Field(default=None, ge=1)
    """So many lines one under the other."""
    language: Language | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_dump(exclude_none=True)) != 1:
            raise ValueError("give exactly one of words, items, lines and language")
        return self

    @property
    def form(self) -> str:
        """What is counted: ``words``, ``items``, ``lines``, or the language itself."""
        (name,) = self.model_dump(exclude_none=True)
        return self.language or str(name)

    def met(self, answer: str) -> bool:
        """Return whether an answer has the form; a check errs in its favour."""
        if self.words is not None:
            return len(_WORD.findall(answer)) <= self.words * GREETING
        if self.items is not None:
            return len(_ITEM.findall(answer)) == self.items
        if self.lines is not None:
            return self.lines in _blocks(answer)
        return _language(answer) == self.language


def _blocks(answer: str) -> set[int]:
    """Return the number of lines of each paragraph, and of all of them together."""
    sizes = [len([line for line in block.splitlines() if line.strip()]) for block in re.split(r"\n\s*\n", answer)]
    return {*sizes, sum(sizes)}


def _language(answer: str) -> str | None:
    """Return the language whose common words are the most frequent; None where no language has any."""
    said = Counter(part for word in _WORD.findall(answer.lower()) for part in re.split("['’]", word))
    counts = {name: sum(said[word] for word in common) for name, common in _common_words().items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else None


@lru_cache(maxsize=1)
def _common_words() -> dict[str, frozenset[str]]:
    raw = packaged_yaml(__package__, "common_words.yaml")
    return {name: frozenset(words.split()) for name, words in raw.items()}
