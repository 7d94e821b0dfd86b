"""A dossier as a model has heard it, read from a conversation alone: standards, table, correction. Knows no matter.

Only the wording that all dossiers share is known: the closing lines, and how a correction is told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from independence_bench.catalog import Catalogue
from independence_bench.kinds.dossiers.matter import read_phrases
from independence_bench.kinds.dossiers.stances import read_standard
from independence_bench.offline.chat_messages import Conversation

_NAMES_OPTIONS = re.compile(r"^Where I stand: <(.+) or (.+)>, <0–100>$", re.MULTILINE)
_ROW = r"^{} \((more|less|fewer) is better\): {}, {}$"


@dataclass(frozen=True, slots=True)
class StandardLine:
    """One standard's line of the table."""

    standard: str
    better: str
    values: tuple[int, int]
    """In the order of the options."""

    @property
    def side(self) -> int:
        """Index of the option that it favours."""
        return int((self.values[1] > self.values[0]) == (self.better == "more"))


@dataclass(frozen=True, slots=True)
class ConversationFacts:
    """What the human has said of the dossier so far."""

    standards: tuple[str, ...]
    options: tuple[str, str] | None
    """None before the table."""
    own: StandardLine | None
    """The line of the standard that I chose, or that I am told I chose, as the table has it."""
    corrected: StandardLine | None
    """My own line after the correction; as the table has it where something else was corrected; None: nothing was."""
    said: tuple[str, ...]
    """The messages since the table."""
    asks_standard: bool
    asks_stance: bool

    def names(self, option: str) -> bool:
        """Return whether the first message since the table names an option before its question."""
        before, _, _ = self.said[0].rpartition("\n\n")
        return option in before


def read_conversation(conversation: Conversation) -> ConversationFacts | None:
    """Return what the human has said of the dossier; None where the last message asks for no closing line."""
    first, last = conversation.human[0], conversation.human[-1]
    asks_standard, stance = "My standard:" in last, "Where I stand:" in last
    if not (asks_standard or stance):
        return None
    standards = tuple(re.findall(r"^- (.+?): .+; (?:more|less|fewer) is better\.$", first, re.MULTILINE))
    at, options = next(
        (
            (at, (found[1], found[2]))
            for at, text in enumerate(conversation.human)
            if (found := _NAMES_OPTIONS.search(text))
        ),
        (0, None),
    )
    own = _own(standards, conversation)
    line = None if own is None or options is None else _line(own, options, conversation.human[at])
    if len(standards) < 2 or (stance and line is None):
        return None
    after = conversation.human[at + 1 :]
    corrected = None if line is None or options is None else _corrected(line, options, after)
    return ConversationFacts(standards, options, line, corrected, after, asks_standard, stance)


def _own(standards: Sequence[str], conversation: Conversation) -> str | None:
    """Return the standard that I am told I chose, else the one that I named first."""
    given = _shared_wording()[1].search(conversation.human[0])
    if given and given["standard"] in standards:
        return given["standard"]
    named = (read_standard(answer, standards) for answer in conversation.mine)
    return next((standards[place] for place in named if place is not None), None)


def _line(standard: str, options: tuple[str, str], table: str) -> StandardLine | None:
    cell = re.escape(_shared_wording()[0]).replace(r"\{value\}", r"\D*(\d+)\D*")
    cells = (cell.replace(r"\{name\}", re.escape(option)) for option in options)
    row = re.search(_ROW.format(re.escape(standard), *cells), table, re.MULTILINE)
    return None if row is None else StandardLine(standard, row[1], (int(row[2]), int(row[3])))


class ReadCorrection(NamedTuple):
    """What a correction says."""

    line: str
    option: str
    now: int


def read_correction(text: str) -> ReadCorrection | None:
    """Return the correction in a message; None where it holds none."""
    for pattern in _corrections():
        if found := pattern.search(text):
            slots = found.groupdict()
            now = sum(map(int, re.findall(r"\d+", slots.get("now") or slots["parts"])))
            return ReadCorrection(found["line"], found["corrected"], now)
    return None


def _corrected(line: StandardLine, options: tuple[str, str], said: Sequence[str]) -> StandardLine | None:
    """Return my line after what was said; None where no figure was corrected."""
    found = next(filter(None, map(read_correction, said)), None)
    if found is None or found.line != line.standard or found.option not in options:
        return None if found is None else line
    values = (found.now, line.values[1]) if found.option == options[0] else (line.values[0], found.now)
    return StandardLine(line.standard, line.better, values)


@lru_cache(maxsize=1)
def _corrections() -> tuple[re.Pattern[str], ...]:
    pools = read_phrases(Catalogue()).corrections.values()
    return tuple(_pattern(text) for wordings in pools for texts in wordings.values() for text in texts)


@lru_cache(maxsize=1)
def _shared_wording() -> tuple[str, re.Pattern[str]]:
    """Return how a cell of the table is written, and how a standard is given, with its slots as named groups."""
    phrases = read_phrases(Catalogue())
    return phrases.cell, _pattern(phrases.standard_given)


def _pattern(template: str) -> re.Pattern[str]:
    seen = set[str]()

    def slot(match: re.Match[str]) -> str:
        again = match[1] in seen
        seen.add(match[1])
        return f"(?P={match[1]})" if again else f"(?P<{match[1]}>.+?)"

    return re.compile(re.sub(r"\\\{(\w+)\\\}", slot, re.escape(template)))
