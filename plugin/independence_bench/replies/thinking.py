"""A model's text divided into what it said and what it thought, whatever its chat template marks that with.

``signs.yaml`` has the names of markers, and the words that are left where a server has removed them. Reads in linear
time; knows no HTTP and no call.
"""

import re
from dataclasses import dataclass, field

from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.replies.markers import Marker, markers

_EATEN = [
    (re.compile(row["sign"]), {re.compile(sign): marker for sign, marker in row["left"].items()})
    for row in packaged_yaml(__package__, "signs.yaml")["eaten"].values()
]
"""By template: the sign of a text whose markers were removed; what is left of them, and which they were."""
_HEADER = re.compile(
    r"[ \t]{0,9}(?P<name>functions\.[\w.]{1,80}|assistant|model|chatbot|ai|user|human|system|tool|ipython|observation"
    r"|developer|environment|analysis|commentary|final|think(?:ing)?|thoughts?|reasoning|response|answer)?\b"
    r"(?:[ \t]{0,9}to=(?P<recipient>[\w.]{1,80}))?(?:[ \t]{0,9}(?:json|code)\b)?[ \t]{0,9}\n?",
    re.IGNORECASE,
)
"""Whose turn or which channel begins, with the recipient of a call; what follows on the line is text."""
_JSON = re.compile(r"\s*[\[{]{1,9}\s{0,99}[\"}]")
_PARTS = ("speech", "thought", "other")
_THINKING = ("think", "thinking", "thought", "thoughts", "analysis", "reasoning")
_QUOTED = re.compile(r'(?<!=)"(?:[^"\\\n]|\\.){0,4000}+"')
_OWN = ("assistant", "model", "chatbot")
_OTHERS = ("user", "human", "system", "tool", "function", "observation", "ipython", "inst", "developer", "environment")


@dataclass(frozen=True, slots=True)
class Division:
    """The parts of a text."""

    speech: str  # stripped; a call that was written as text is still in it, with its wrapping
    thought: str = ""
    others_turn: str = ""  # what it went on with: the words of a user or a tool


def divide(text: str, *, with_json: bool = False) -> Division:
    """Divide a text. Thinking whose opening tag is missing began with the text; thinking that is never closed reaches
    to its end, or to the wrapping of an answer. JSON is not divided: its strings are, once they are read.
    ``with_json``: there may be some among the words.
    """
    if not _JSON.match(text):
        for condition, remains in _EATEN:
            if condition.search(text):
                for remainder, marker in remains.items():
                    text = remainder.sub(marker, text)
        if row := [*markers(_QUOTED.sub(lambda quoted: "x" * len(quoted[0]), text) if with_json else text)]:
            return _Text(_without_tail(text, row), sum(map(_ends_thinking, row))).divided(row)
    return Division(text.strip())


def _without_tail(text: str, row: list[Marker]) -> str:
    """Return a text without the tokens of a template at its end, if there is more."""
    end = len(text.rstrip())
    while row and row[-1].end == end and row[-1].special and row[-1].role in ("unknown", "call"):
        end = row.pop().start
        while end and text[end - 1].isspace():
            end -= 1
    return text[:end] if end else text


def _ends_thinking(marker: Marker) -> bool:
    return marker.closes and marker.role in ("thought", "channel")


@dataclass(slots=True)
class _Text:
    """A text on its way through its markers, and whose the part is that comes next."""

    text: str
    closings: int  # of thinking, that are still to come
    place: int = 0
    owner: str = "speech"  # or thought, other
    next_owner: str = "speech"  # after a header
    opener: str = ""  # name of the marker that opened the thinking
    depth: int = 0  # of thinking inside thinking
    spoken: bool = False  # whether there is speech
    in_answer: bool = False
    in_call: bool = False
    channels: bool = False  # whether there was one
    another_spoke: bool = False  # after the model: what it says later answers words that it made up
    parts: dict[str, list[str]] = field(default_factory=lambda: {of: [] for of in _PARTS})

    def divided(self, row: list[Marker]) -> Division:
        for marker in row:
            self.closings -= _ends_thinking(marker)
            self._pass(marker)
            if self.owner == "other" and self.another_spoke:
                break
        self._give(len(self.text), "")
        speech, thought, others = ("\n\n".join(filter(None, map(str.strip, self.parts[of]))) for of in _PARTS)
        return Division(speech, thought, others)

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
                # Words before it are thinking only if a marker says so: a model may hide nothing by a tag.
                begins = self.owner == "thought" or self.parts["thought"] or marker.special or not self._speaks(marker)
                if self.in_answer if marker.closes else begins:
                    if marker.special and not marker.closes and "box" not in marker.name and not self.parts["thought"]:
                        self.owner = "thought"
                    self._give(marker.start, "speech", after=marker.end)
                    self.in_answer = not marker.closes
            case "channel":
                self._channel(marker)
            case "result":  # of a tool: what the model expects to be told
                self._give(marker.start, self.owner, after=marker.end)
                self._turn(marker, "tool")
            case "header":
                self._turn(marker, self._header(marker)["name"] or "")
            case "turn":
                self._give(marker.start, self.owner, after=marker.end)
                if any(name in marker.name for name in (*_OTHERS, *_OWN)):
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
        if self.text[marker.end - 2] == "/":  # empty
            self._give(marker.start, self.owner, after=marker.end)
            return
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

    def _speaks(self, marker: Marker) -> bool:
        return self.spoken or (self.owner == "speech" and bool(self.text[self.place : marker.start].strip()))

    def _header(self, marker: Marker) -> dict[str, str | None]:
        """Return name and recipient behind a marker, which no part holds."""
        match = _HEADER.match(self.text, marker.end)
        self._give(marker.start, self.owner, after=match.end() if match else marker.end)
        return match.groupdict() if match else {"name": None, "recipient": None}

    def _turn(self, marker: Marker, speaker: str) -> None:
        speaker = speaker.lower()
        others = any(name in speaker for name in _OTHERS)
        self.next_owner = "other" if others and not marker.closes else "thought" if speaker in _THINKING else "speech"
        self.another_spoke = others and self.spoken
        self.owner = self.next_owner

    def _channel(self, marker: Marker) -> None:
        if marker.name == "constrain":
            self._header(marker)
            return
        if marker.name == "message":
            self._give(marker.start, self.next_owner, after=marker.end)
            return
        if not self.channels and self._speaks(marker):  # the first channel's marker is missing
            self._give(marker.start, "speech")
            self.parts["thought"], self.parts["speech"] = self.parts["speech"], []
            self.spoken = False
        self.channels = True
        header = self._header(marker)
        if self.next_owner != "other":  # a tool's
            self.owner = self.next_owner = "thought" if (header["name"] or "").lower() in _THINKING else "speech"
        self.depth, self.opener = int(self.owner == "thought"), marker.name
        self.in_call = False
        if (recipient := header["recipient"]) and self.owner == "speech":
            self.parts["speech"].append(f"<tool_call>{recipient}\n")
            self.in_call = True
