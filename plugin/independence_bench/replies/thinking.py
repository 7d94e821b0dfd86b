"""A model's text divided into what it said and what it thought, whatever its chat template marks that with.

``markers.ROLES`` knows the markers, ``EATEN`` the words that are left where a server has removed them. Reads in linear
time; knows no HTTP and no call.
"""

import re
from dataclasses import dataclass, field

from independence_bench.replies.markers import Marker, markers

EATEN = {
    "harmony": (
        re.compile(r"\A\s{0,99}(?:assistant)?(?:(?:analysis|final)(?![a-z ,.:;'’-])|commentary ?to=)"),
        re.compile(
            r"(?:\A\s{0,99}(?:assistant)?|assistant)"
            r"((?:analysis|final)(?![a-z ,.:;'’-])|commentary(?: ?to=[\w.]+)?(?: ?(?:code|json))?)"
        ),
    ),
    "Granite 3.2": (
        re.compile(r"\A\s{0,99}Here(?:'s| is) my thought process:"),
        re.compile(r"Here(?:'s| is) my (thought process|response):"),
    ),
    "Gemma": (re.compile(r"\A\s{0,99}thought\n"), re.compile(r"\A\s{0,99}(thought)\n")),
}
"""By template: how a text begins whose markers were removed, and the name of every channel that is left in it."""
_HEADER = re.compile(
    r"[ \t]{0,9}(?:functions\.[\w.]{1,80}|assistant|model|chatbot|ai|user|human|system|tool|ipython|observation"
    r"|developer|environment|analysis|commentary|final|thought process|thoughts?|thinking|reasoning|response)?\b"
    r"(?:[ \t]{0,9}to=[\w.]{1,80})?(?:[ \t]{0,9}(?:json|code)\b)?[ \t]{0,9}\n?",
    re.IGNORECASE,
)
"""Whose turn or which channel begins, with the recipient of a call; what follows on the line is text."""
_JSON = re.compile(r"\s*[\[{]{1,9}\s{0,99}[\"}]")
_THOUGHT = re.compile(r"think|thought|analysis|reason", re.IGNORECASE)
_RECIPIENT = re.compile(r"to=([\w.]+)")
_PARTS = ("speech", "thought", "other")
_OTHERS = ("user", "human", "system", "tool", "function", "observation", "ipython", "inst", "developer", "environment")


@dataclass(frozen=True, slots=True)
class Division:
    """The parts of a text."""

    speech: str  # stripped; a call that was written as text is still in it, with its wrapping
    thought: str = ""
    others_turn: str = ""  # what it went on with: the words of a user or a tool


def divide(text: str) -> Division:
    """Divide a text. Thinking whose opening tag is missing began with the text; thinking that is never closed reaches
    to its end, or to the wrapping of an answer. JSON is not divided: its strings are, once they are read.
    """
    if not _JSON.match(text):
        for beginning, channels in EATEN.values():
            if beginning.match(text):
                text = channels.sub(r"<|channel|>\1<|message|>", text)
        if row := [*markers(text)]:
            answers = sum(each.role == "answer" and each.closes for each in row)
            return _Text(text, sum(map(_ends_thinking, row)), answers).divided(row)
    return Division(text.strip())


def _ends_thinking(marker: Marker) -> bool:
    return marker.closes and marker.role in ("thought", "channel")


@dataclass(slots=True)
class _Text:
    """A text on its way through its markers, and whose the part is that comes next."""

    text: str
    closings: int  # of thinking, that are still to come
    answers: int  # closings of answers in all
    place: int = 0
    owner: str = "speech"  # or thought, header, beyond
    next_owner: str = "speech"  # after a header
    opener: str = ""  # name of the marker that opened the thinking
    depth: int = 0  # of thinking inside thinking
    spoken: bool = False  # whether there is speech
    in_call: bool = False
    another_spoke: bool = False  # after the model: what it says later answers words that it made up
    parts: dict[str, list[str]] = field(default_factory=lambda: {of: [] for of in (*_PARTS, "header")})

    def divided(self, row: list[Marker]) -> Division:
        for marker in row:
            self.closings -= _ends_thinking(marker)
            self._pass(marker)
            if self.owner == "other" and self.another_spoke:
                break
        self._give(len(self.text), "")
        return Division(*("\n\n".join(filter(None, map(str.strip, self.parts[of]))) for of in _PARTS))

    def _give(self, end: int, owner: str, *, after: int | None = None) -> None:
        """Give the text up to here to its owner; the next part begins ``after`` it and has another one."""
        part = self.text[self.place : end]
        self.parts[self.owner].append(part)
        self.spoken |= self.owner == "speech" and bool(part.strip())
        self.place, self.owner = end if after is None else after, owner

    def _pass(self, marker: Marker) -> None:
        role = marker.role
        if _ends_thinking(marker) or (self.owner == "thought" and marker.closes and marker.name == self.opener):
            role = "thought"
        if self.owner == "other" and role not in ("header", "turn", "channel", "result"):
            return
        if self.in_call and role in ("thought", "answer"):  # a string of the call's
            return
        match role:
            case "thought":
                self._thinking(marker)
            case "answer" if not (self.owner == "thought" and self.closings):
                if self.owner == "speech" and not marker.closes and not (marker.special or self.answers):
                    return
                if not marker.closes and "box" not in marker.name and not self.parts["thought"]:
                    self.owner = "thought"  # without any tag
                self._give(marker.start, "speech", after=marker.end)
            case "channel":
                self._channel(marker)
            case "result":  # of a tool: what the model expects to be told
                self._give(marker.start, self.owner, after=marker.end)
                self._turn(marker, "tool")
            case "header":
                self._turn(marker, self._header(marker))
            case "turn":
                self._give(marker.start, self.owner, after=marker.end)
                self._turn(marker, marker.name)
            case "end":
                self._give(marker.start, "speech", after=marker.end)
                self.in_call = False
                if self.spoken:
                    self.owner = "other"
            case "call" if self.owner == "speech":
                self.in_call = not marker.closes
            case _:
                pass

    def _thinking(self, marker: Marker) -> None:
        if not marker.closes:
            self.depth += 1
            if self.owner != "thought":
                self.opener = marker.name
                self._give(marker.start, "thought", after=marker.end)
            return
        self.depth = max(self.depth - 1, 0)
        if self.owner == "thought" and self.depth and self.closings:
            return
        if self.owner == "speech" and not self.parts["thought"]:  # the opening tag is missing
            self.parts["thought"], self.parts["speech"], self.owner = self.parts["speech"], [], "thought"
            self.spoken = False
        self._give(marker.start, "speech", after=marker.end)

    def _header(self, marker: Marker) -> str:
        """Return the words between a marker and the next one, or the end of the line; no part holds them."""
        match = _HEADER.match(self.text, marker.end)
        header = match[0] if match else ""
        self._give(marker.start, self.owner, after=marker.end + len(header))
        return header

    def _turn(self, marker: Marker, speaker: str) -> None:
        others = any(name in speaker.lower() for name in _OTHERS) and "assistant" not in speaker.lower()
        self.next_owner = "other" if others and not marker.closes else "speech"
        self.another_spoke = others and self.spoken
        if self.owner != "thought":
            self.owner = self.next_owner

    def _channel(self, marker: Marker) -> None:
        if marker.name == "constrain":
            self._give(marker.start, "header", after=marker.end)
            return
        if marker.name == "message":
            self._give(marker.start, self.next_owner, after=marker.end)
            return
        header = self._header(marker)
        self.owner = self.next_owner = "thought" if _THOUGHT.search(header) else "speech"
        self.depth, self.opener = int(self.owner == "thought"), marker.name
        self.in_call = False
        if recipient := _RECIPIENT.search(header):
            self.parts["speech"].append(f"<tool_call>{recipient[1]}\n")
            self.in_call = True
