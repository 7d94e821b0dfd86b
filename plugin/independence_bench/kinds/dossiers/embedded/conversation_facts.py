"""A dossier as a model has heard it, read from a conversation alone: standards, table, correction. Knows no matter.

Only what all dossiers share is known: the closing lines, the lines of the table, and that a correction quotes the line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from independence_bench.kinds.dossiers.stances import read_standard
from independence_bench.offline.simulated_models.reading import Conversation

_NAMES_OPTIONS = re.compile(r"^Where I stand: <(.+) or (.+)>, <0–100>$", re.MULTILINE)
_STANDARD = re.compile(r"^- (.+?): .+; (?:more|less|fewer) is better\.$", re.MULTILINE)
_ROW = r"^{} \((more|less|fewer) is better\): .+? \(\D*(\d+)\D*\), .+? \(\D*(\d+)\D*\)$"
_QUOTED = re.compile("“(.+?)”")


@dataclass(frozen=True, slots=True)
class StandardLine:
    """One standard's line of the table."""

    standard: str
    better: str
    values: tuple[int, int]  # in the order of the options

    @property
    def side(self) -> int:
        """Index of the option that it favours."""
        return int((self.values[1] > self.values[0]) == (self.better == "more"))


@dataclass(frozen=True, slots=True)
class ConversationFacts:
    """What the human has said of the dossier so far."""

    standards: tuple[str, ...]
    options: tuple[str, str] | None  # none before the table
    own: StandardLine | None
    """The line of the standard that I chose, or that I am told I chose, as the table has it."""
    corrected: StandardLine | None
    """My own line after the correction; as the table has it where something else was corrected; None: nothing was."""
    messages: tuple[str, ...]  # the messages since the table
    asks_standard: bool
    asks_stance: bool

    def names(self, option: str) -> bool:
        """Return whether the first message since the table names an option before its question."""
        return option in _before_question(self.messages[0])


def read_conversation(conversation: Conversation) -> ConversationFacts | None:
    """Return what the human has said of the dossier; None where the last message asks for no closing line."""
    human, last = conversation.human, conversation.human[-1]
    asks_standard, asks_stance = "My standard:" in last, "Where I stand:" in last
    if not (asks_standard or asks_stance):
        return None
    standards = tuple(_STANDARD.findall(human[0]))
    named = [(at, match) for at, text in enumerate(human) if (match := _NAMES_OPTIONS.search(text))]
    at, options = (named[0][0], (named[0][1][1], named[0][1][2])) if named else (0, None)
    own = _own_line(standards, conversation, human[at]) if options else None
    if len(standards) < 2 or (asks_stance and own is None):
        return None
    messages = human[at + 1 :]
    corrected = _corrected(own, options, messages) if own and options else None
    return ConversationFacts(standards, options, own, corrected, messages, asks_standard, asks_stance)


def _own_line(standards: Sequence[str], conversation: Conversation, table: str) -> StandardLine | None:
    """Return the line of the standard that I am told I chose, else of the one that I named first."""
    given = [name for name in _QUOTED.findall(conversation.human[0]) if name in standards]
    mine = [standards[place] for text in conversation.mine if (place := read_standard(text, standards)) is not None]
    own = next(iter([*given, *mine]), None)
    row = own and re.search(_ROW.format(re.escape(own)), table, re.MULTILINE)
    return StandardLine(own, row[1], (int(row[2]), int(row[3]))) if own and row else None


class ReadCorrection(NamedTuple):
    """What a correction says."""

    line: str
    option: str
    now: int


def read_correction(message: str, options: Sequence[str]) -> ReadCorrection | None:
    """Return the correction in a message without its question; None where it holds none.

    It quotes a line, names an option, and has the old figure before what adds up to the new one.
    """
    line, (_, *new) = _QUOTED.search(message), map(int, re.findall(r"\d+", message) or [0])
    option = next((option for option in options if option in message), None)
    return ReadCorrection(line[1], option, sum(new)) if line and option and new else None


def _corrected(own: StandardLine, options: tuple[str, str], messages: Sequence[str]) -> StandardLine | None:
    """Return my line after what was said; None where no figure was corrected."""
    corrections = (read_correction(_before_question(text), options) for text in messages)
    correction = next(filter(None, corrections), None)
    if correction is None or correction.line != own.standard:
        return correction and own
    one, other = own.values
    return replace(own, values=(correction.now, other) if correction.option == options[0] else (one, correction.now))


def _before_question(message: str) -> str:
    return message.rpartition("\n\n")[0]
