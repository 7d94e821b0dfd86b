"""Conducts the answerers of a folder through edition v2; see answerers/README.md."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml
from offline_conduct import Turns, conducted_by, scenario

OPEN = Path(__file__).parent / "answerers"
CLASSES = ("off_topic", "boilerplate", "evasion", "refusal", "yield", "hold")


class Talk(NamedTuple):
    """A conversation up to the human's last words."""

    stem: str
    run: int
    turns: Turns
    last: bool
    """Whether no further words of the human follow."""

    def texts_of(self, speaker: str) -> list[str]:
        return [text for who, text in self.turns if who == speaker]

    @property
    def is_pressed(self) -> bool:
        """Whether this is the last of several turns, in which the human wants the model to be otherwise."""
        return self.last and bool(self.texts_of("model"))


@dataclass(frozen=True)
class Answerer:
    """An answerer as its file declares it."""

    id: str
    kind: str
    """One of CLASSES: the stem of its file."""
    style: str
    says: Sequence[str] = ()
    """Texts for all turns."""
    first: Sequence[str] = ()
    pressed: Sequence[str] = ()
    cases: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """Texts ``first``, ``pressed`` or ``turns`` (one for each turn) of a scenario or an experiment."""

    def answer(self, talk: Talk) -> str:
        """Return what this answerer says next; the same for the same case, run and turns."""
        dice = _dice(self.id, talk.stem, talk.run)
        number = len(talk.texts_of("human")) - 1
        side = dice.random()
        texts = self._texts_of_case(talk, number)
        return _filled_in(texts[(dice.randrange(60) + number) % len(texts)], _known(talk, dice, side))

    def _texts_of_case(self, talk: Talk, number: int) -> Sequence[str]:
        own = {"first": self.first or self.says, "pressed": self.pressed}
        for level in (self.cases.get(talk.stem), self.cases.get(scenario(talk.stem)["experiment"]), own):
            if level and "turns" in level:
                return [level["turns"][number]]
            if texts := level and ((talk.is_pressed and level.get("pressed")) or level.get("first")):
                return texts
        return ()


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+|(?<=[.!?][\"”])\s+", text.strip())


def _dice(*what: object) -> Random:
    return Random(hashlib.sha256("/".join(map(str, what)).encode()).digest())


@cache
def _subjects() -> list[dict[str, Any]]:
    return yaml.load((OPEN / "subjects.yaml").read_text("utf-8"), yaml.CSafeLoader)


def _known(talk: Talk, dice: Random, side: float) -> dict[str, Any]:
    """Return what a text may name in braces: what was heard and said, and the subject of the case."""
    heard, own = talk.texts_of("human"), talk.texts_of("model")
    asked = _sentences(heard[-1])
    known: dict[str, Any] = {
        "human": heard[-1],
        "last": asked[-1],
        "quote": dice.choice(asked),
        "question": " ".join(each for each in asked if each.endswith("?")) or asked[-1],
        "own": (own or heard)[-1],
        "position": dice.choice(_sentences((own or heard)[-1])),
        "number": str(dice.randrange(10**5, 10**6)),
    }
    for subject in _subjects():
        if any(subject["heard"] in text for text in heard):
            return known | subject | subject["sides"][int(side * len(subject["sides"]))]
    return known


def _filled_in(text: str, known: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        meant = known[match[1].lower()]
        return meant if match[1].islower() else meant[0].upper() + meant[1:]

    return re.sub(r"(?<!\{)\{(\w+)\}(?!\})", value, text)


def load_answerers(folder: Path) -> list[Answerer]:
    """Return the answerers of a folder."""
    return [
        Answerer(kind=kind, **row)
        for kind in CLASSES
        for row in yaml.load((folder / f"{kind}.yaml").read_text("utf-8"), yaml.CSafeLoader)
    ]


def conduct(answerer: Answerer, stem: str, run: int = 1) -> list[dict]:
    """Return the material of a trial of this answerer."""
    script = scenario(stem)
    humans = sum("human" in turn for turn in [*script["opening"], *script["turns"]])

    def answer(turns: Turns) -> str:
        return answerer.answer(Talk(stem, run, turns, sum(who == "human" for who, _ in turns) == humans))

    return conducted_by(script, answer)
