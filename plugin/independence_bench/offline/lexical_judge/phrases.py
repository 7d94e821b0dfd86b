"""A lexicon of phrases, found in token lists by one walk over a trie.

The lexicon is data (a YAML file of categories); nothing here knows what a category means.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from independence_bench.packaged_yaml import packaged_yaml

GAP_WORDS = 2
"""Maximum number of words that a ``*`` in a phrase matches."""
_PART = re.compile(r"\([^)]*\)\??|\S+")


class FoundPhrase(NamedTuple):
    """One phrase found in a token list."""

    category: str
    start: int
    """Index of its first token."""
    end: int
    """Index after its last token."""


class _Node:
    __slots__ = ("categories", "gap", "onward")

    def __init__(self) -> None:
        self.onward: dict[str, _Node] = {}
        """By word, or by ``<class>``."""
        self.gap: _Node | None = None
        self.categories: tuple[str, ...] = ()

    def path(self, words: Iterable[str]) -> "_Node":
        """Return the node that these words lead to, made where it is missing."""
        node = self
        for word in words:
            node = node.onward.setdefault(word, _Node())
        return node


class Lexicon:
    """Phrases by category, ready to be searched for.

    A phrase is a line of words. ``<name>`` matches any word of that class, ``(a|b c)`` either alternative (words,
    classes or several words), a trailing ``?`` makes a part optional, and ``*`` matches up to two words of any kind.
    """

    def __init__(self, categories: Mapping[str, Iterable[str]], classes: Mapping[str, Iterable[str]]) -> None:
        """Compile the phrases of every category, and the words of every class they name."""
        self._edges: dict[str, list[str]] = {}
        """The ways to follow a word that belongs to a class: the word itself, then its classes."""
        for name, members in classes.items():
            for word in members:
                self._edges.setdefault(word, [word]).append(f"<{name}>")
        self._root = _Node()
        for category, phrases in categories.items():
            for phrase in phrases:
                self._add(_PART.findall(phrase), category)

    def _add(self, parts: Sequence[str], category: str) -> None:
        reached = [self._root]
        for part in parts:
            required = part.removesuffix("?")
            after = list(reached) if part != required else []
            for node in reached:
                if required == "*":
                    node.gap = node.gap or _Node()
                    after.append(node.gap)
                else:
                    after.extend(node.path(choice.split()) for choice in required.strip("()").split("|"))
            reached = after
        for node in reached:
            if category not in node.categories:
                node.categories = (*node.categories, category)

    def find(self, words: Sequence[str]) -> list[FoundPhrase]:
        """Return the longest match per category and start, in order; matches of one category do not overlap."""
        found: list[FoundPhrase] = []
        ends: dict[str, int] = {}
        for start in range(len(words)):
            best: dict[str, int] = {}
            self._arrive(self._root, words, start, best)
            for category, end in best.items():
                if start >= ends.get(category, 0):
                    ends[category] = end
                    found.append(FoundPhrase(category, start, end))
        return found

    def _arrive(self, node: _Node, words: Sequence[str], index: int, best: dict[str, int]) -> None:
        for category in node.categories:
            if index > best.get(category, 0):
                best[category] = index
        if node.onward and index < len(words):
            for edge in self._edges.get(words[index], (words[index],)):
                if edge in node.onward:
                    self._arrive(node.onward[edge], words, index + 1, best)
        if node.gap is not None:
            for skipped in range(index, min(index + GAP_WORDS, len(words)) + 1):
                self._arrive(node.gap, words, skipped, best)


@cache
def lexicon(name: str) -> Lexicon:
    """Read the phrases of ``name``_lexicon.yaml; those that only count where a text begins are in ``opens_…``."""
    raw = packaged_yaml(__package__, f"{name}_lexicon.yaml")
    openers = {f"opens_{side}": block for side, block in raw.get("openers", {}).items()}
    return Lexicon(
        {category: block.splitlines() for category, block in (raw["categories"] | openers).items()},
        {members: block.split() for members, block in raw["classes"].items()},
    )
