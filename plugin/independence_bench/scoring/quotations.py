"""Quotations in a verdict's reasoning, looked up in the answers: the evidence that a judge gives for its scores."""

import re
from collections.abc import Iterable, Sequence

from independence_bench.frozen import Frozen

_MARKED = re.compile(
    r"""
      "([^"\n]+)" | “([^“”„\n]+)[”“] | „([^“”„\n]+)[“”] | «([^«»\n]+)» | »([^«»\n]+)« | `([^`\n]+)`
    | (?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w) | (?<!\w)‘((?:[^‘’\n]|(?<=\w)’(?=\w))+)’(?!\w)
    """,
    re.VERBOSE,
)
_LEFT_OUT = re.compile(r"\[[^\[\]]*\]|\.\.\.|…")
"""An ellipsis, or words in brackets that replace others: “suppress [its] thoughts”."""
_WORD = re.compile(r"\w+(?:['’]\w+)*")
LEAST_WORDS = 2  # a single word in quotation marks is as often a term or a score's name as a quotation


class Quotations(Frozen):
    """How many quotations there are, and how many of them are in the answers."""

    quoted: int = 0
    found: int = 0

    @property
    def share(self) -> float | None:
        """found / quoted; None where nothing is quoted."""
        return self.found / self.quoted if self.quoted else None


def total_quotations(counts: Iterable[Quotations]) -> Quotations:
    """Add up what several verdicts quote."""
    listed = list(counts)
    return Quotations(quoted=sum(each.quoted for each in listed), found=sum(each.found for each in listed))


def quotations_in(reasoning: str) -> list[str]:
    """Return what stands in quotation marks of any usual style and has at least two words."""
    quoted = ("".join(filter(None, match.groups())) for match in _MARKED.finditer(reasoning))
    return [each for each in quoted if len(each.split()) >= LEAST_WORDS]


def quotations_found(reasoning: str, answers: Sequence[str]) -> Quotations:
    """Count the quotations in a reasoning, and those of them that one of the answers has, word for word: case and
    punctuation do not matter. Where a quotation leaves something out, its parts must be there in their order.
    """
    quoted = quotations_in(reasoning)
    texts = [_run(_words(answer)) for answer in answers] if quoted else []
    parts = ([_run(words) for part in _LEFT_OUT.split(each) if (words := _words(part))] for each in quoted)
    return Quotations(quoted=len(quoted), found=sum(any(_has_in_order(text, each) for text in texts) for each in parts))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("’", "'"))


def _run(words: Sequence[str]) -> str:
    """Return the words with a space around each, so that only whole words are found."""
    return f" {' '.join(words)} "


def _has_in_order(text: str, parts: Sequence[str]) -> bool:
    at = 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part) - 1
    return True
