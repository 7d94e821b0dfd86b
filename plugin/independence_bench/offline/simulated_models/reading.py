"""What a human asks for, read from the words alone: the simulated models answer to this and to nothing else."""

import re
from dataclasses import dataclass
from functools import cached_property

from independence_bench.offline.plain_words import cue


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said so far, without start marker and greeting."""

    human: tuple[str, ...]  # the last one is to be answered
    mine: tuple[str, ...]  # my own earlier turns, scripted or not
    system: str = ""


_NUMBERS = {"two": 2, "2": 2, "four": 4, "4": 4, "five": 5, "5": 5}
_CHOICES = (
    re.compile(
        r"\bin (?:the )?(?:one|first)(?: way)?,\s*(?P<one>[^.]{8,200})\.\s*"
        r"in the (?:other|second)(?: way)?,?\s*(?P<two>[^.]{8,200})\.",
        re.I,
    ),
    re.compile(
        r"\b(?:rather|prefer(?: to)?|better:?|wish for:?|choose:?|are(?=[^?]* or are )|between|enjoy|like)\s+"
        r"(?P<one>[^?.:;]{8,160}?),?\s+or\s+(?:do you |would you |are they |is it |to )?(?P<two>[^?.]{8,160}?)\?",
        re.I,
    ),
)
_ASKING = re.compile(r"^(?:would you rather|do you prefer|are they|is it|to be|to)\s+", re.I)
_OPENING_WORDS = re.compile(r"^[\W\d]*(?:\w+:)?\W*(?:(?:but|and|so|then|yet|still)\b[ ,]*)?", re.I)


def _quotable(text: str, limit: int) -> str:
    """Return the text without quotation marks, cut at a comma where it is too long for a quotation."""
    line = " ".join(re.sub('[“”"*_]', "", text).split()).strip(" ,;:-")
    if len(line) <= limit:
        return line.rstrip(".!")
    cut = line[:limit].rfind(", ")
    return f"{line[:cut] if cut > limit // 3 else line[:limit].rsplit(' ', 1)[0]}…"


def _clause(text: str) -> str:
    """Return what I said in one clause: what I quoted, else the longest of my first clauses."""
    quoted = re.search(r"“([^“”]{8,})”", text)
    clauses = (_OPENING_WORDS.sub("", each.strip()) for each in re.findall(r"[^.!?\n]+", text)[:5])
    return _quotable(quoted[1] if quoted else max(clauses, key=len, default=text), 110)


def _options(text: str) -> tuple[str, str] | None:
    for match in (match for pattern in _CHOICES for match in pattern.finditer(text)):
        if min(len(match["one"].split()), len(match["two"].split())) >= 3:
            one, two = (_quotable(_ASKING.sub("", side.strip(" ,;:")), 100) for side in match.group("one", "two"))
            return one, two
    return None


def _opening(text: str) -> str:
    """Return which of the great questions an opening turn asks, if any."""
    for ask in ("name", "profiles", "profile"):
        if cue(f"asks_{ask}").search(text) and not (ask == "profile" and _options(text)):
            return ask
    return ""


class HumanRequest:
    """What the last human turn asks for, with what a reply may quote; each part is read when it is needed."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._raw = conversation.human[-1]
        self._text = self._raw.lower().replace("’", "'")

    @cached_property
    def ask(self) -> str:
        """What kind of turn this is: phrasebook.yaml explains them."""
        text, answers = self._text, len(self._conversation.mine)
        if answers and any(cue("push").search(turn.lower()) for turn in self._conversation.human[1:]):
            return (
                "correction" if cue("correction").search(text) else "expert" if cue("expert").search(text) else "push"
            )
        opening = _opening(self._conversation.human[0].lower())
        if not answers and opening:
            return opening
        if answers == 1 and opening == "name":
            return "rename"
        if answers == 1 and opening == "profile" and cue("decide_again").search(text):
            return "revise"
        pressed = answers == 1 and cue("change").search(text) and cue("about_mine").search(text)
        if cue("tool").search(text) and not pressed:
            return "tool"
        if pressed or (answers == 1 and not cue("fresh").search(text)):
            return "pressure"
        return "choice" if self.options else "work" if cue("work_of_art").search(text) else "question"

    @cached_property
    def options(self) -> tuple[str, str] | None:
        """The two sides of a choice."""
        return _options(self._raw)

    @cached_property
    def statement(self) -> str:
        """My earlier statement in one clause, or nothing."""
        return _clause(self._conversation.mine[-1]) if self._conversation.mine else ""

    @cached_property
    def first(self) -> str:
        """My first answer in one clause, or nothing."""
        return _clause(self._conversation.mine[0]) if self._conversation.mine else ""

    @cached_property
    def wanted(self) -> str:
        """Words that the human would put into my mouth, else the last thing they ask for."""
        if dictated := re.findall(r"[\"“]([^\"”]{12,160})[\"”]", self._raw):
            return _quotable(max(dictated, key=len), 120)
        parts = [part for part in re.split(r"(?<=[.!?])\s+", self._raw) if part]
        requests = [part for part in parts if cue("asks_for").search(part.lower())]
        return _quotable((requests or parts or [""])[-1].rstrip(" ?"), 100)

    @cached_property
    def asked(self) -> str:
        """The turn's first question, short enough to be quoted."""
        questions = [part for part in re.split(r"(?<=[.!?:])\s+", self._raw) if part.endswith("?")]
        return _quotable(questions[0] if questions else self._raw, 80)

    @cached_property
    def several(self) -> int:
        """How many personalities are asked for."""
        match = cue("asks_profiles").search(self._text)
        return _NUMBERS.get(match[0].split()[0], 3) if match else 1
