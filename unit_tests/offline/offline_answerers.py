"""Conducts the answerers of a folder through edition v2, judged by the lexical judge; see answerers/README.md.

``python unit_tests/offline/offline_answerers.py [FOLDER]`` prints the Index of each answerer and of each class.
"""

import hashlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import yaml
from offline_conduct import EDITION, Turns, conducted_by, index, scenario, verdict
from offline_text_pieces import sentences
from tabulate import tabulate

OPEN = Path(__file__).parent / "answerers"
CLASSES = ("off_topic", "boilerplate", "quotation", "nonsense", "evasion", "refusal", "yield", "mixture", "hold")
Mechanism = Callable[[Random, Sequence[str], Sequence[str], Sequence[str]], str]


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
    """Texts for all turns, or the material of ``how``."""
    first: Sequence[str] = ()
    pressed: Sequence[str] = ()
    cases: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """Texts ``first``, ``pressed`` or ``turns`` (one for each turn) of a scenario or an experiment."""
    how: Mechanism | None = None
    parts: Sequence[Mapping[str, Any]] = ()
    """Of a mixture: mappings with the ``class`` of a part and what it ``says``."""
    switch: str = ""
    """What decides on the part: the case, the turn or the run; or each sentence is by the next part."""

    def answer(self, talk: Talk) -> str:
        """Return what this answerer says next; the same for the same case, run and turns."""
        dice = _dice(self.id, talk.stem, talk.run)
        number = len(talk.texts_of("human")) - 1
        if self.how:
            dice = _dice(self.id, talk.stem, talk.run, number)
            return self.how(dice, talk.texts_of("human"), talk.texts_of("model"), self.says)
        side = dice.random()
        chosen = [self._texts_of_case(talk, number)]
        if not chosen[0]:
            chosen = [part["says"] for part in self._parts_of(talk, dice)]
        picked = [texts[(dice.randrange(60) + number) % len(texts)] for texts in chosen]
        return " ".join(_filled_in(text, _known(talk, dice, side)) for text in picked)

    def _texts_of_case(self, talk: Talk, number: int) -> Sequence[str]:
        own = {"first": self.first or self.says, "pressed": self.pressed}
        for level in (self.cases.get(talk.stem), self.cases.get(scenario(talk.stem)["experiment"]), own):
            if level and "turns" in level:
                return [level["turns"][number]]
            if texts := level and ((talk.is_pressed and level.get("pressed")) or level.get("first")):
                return texts
        return ()

    def _parts_of(self, talk: Talk, dice: Random) -> Sequence[Mapping[str, Any]]:
        at = {
            "case": dice.randrange(len(self.parts)),
            "turn": -talk.is_pressed,
            "run": (talk.run - 1) % len(self.parts),
        }
        return self.parts if self.switch == "sentence" else [self.parts[at[self.switch]]]


def _dice(*what: object) -> Random:
    return Random(hashlib.sha256("/".join(map(str, what)).encode()).digest())


@cache
def _subjects() -> list[dict[str, Any]]:
    return yaml.load((OPEN / "subjects.yaml").read_text("utf-8"), yaml.CSafeLoader)


def _known(talk: Talk, dice: Random, side: float) -> dict[str, Any]:
    """Return what a text may name in braces: what was heard and said, and the subject of the case."""
    heard, own = talk.texts_of("human"), talk.texts_of("model")
    asked = sentences(heard[-1])
    known: dict[str, Any] = {
        "human": heard[-1],
        "last": asked[-1],
        "quote": dice.choice(asked),
        "question": " ".join(each for each in asked if each.endswith("?")) or asked[-1],
        "own": (own or heard)[-1],
        "position": dice.choice(sentences((own or heard)[-1])),
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


def load_answerers(folder: Path = OPEN) -> list[Answerer]:
    """Return the answerers of a folder; mechanisms that it lacks are those of the open one."""
    mechanisms = _mechanisms(OPEN) | _mechanisms(folder)
    found = []
    for kind in CLASSES:
        for said in yaml.load((folder / f"{kind}.yaml").read_text("utf-8"), yaml.CSafeLoader):
            how = mechanisms[said.pop("how")] if "how" in said else None
            found.append(Answerer(kind=kind, how=how, **said))
    return found


def _mechanisms(folder: Path) -> dict[str, Mechanism]:
    spec = spec_from_file_location(f"answerers_of_{folder.parent.name}", folder / "computed.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def conduct(answerer: Answerer, stem: str, run: int = 1) -> list[dict]:
    """Return the material of a trial of this answerer."""
    script = scenario(stem)
    humans = sum("human" in turn for turn in [*script["opening"], *script["turns"]])

    def answer(turns: Turns) -> str:
        return answerer.answer(Talk(stem, run, turns, sum(who == "human" for who, _ in turns) == humans))

    return conducted_by(script, answer)


def answerer_index(answerer: Answerer, run: int = 1) -> float:
    """Return the Index of edition v2, 0 to 100."""
    return index({stem: verdict(conduct(answerer, stem, run), scenario(stem)["rubric"]) for stem in EDITION})


def main(folder: Path) -> None:
    rows = [(each.kind, each.id, answerer_index(each)) for each in load_answerers(folder)]
    print(tabulate(rows, ("class", "answerer", "Index"), floatfmt=".1f"), end="\n\n")
    classes = []
    for kind in CLASSES:
        values = [value for of, _, value in rows if of == kind]
        classes.append((kind, sum(of == kind for of, _, _ in rows), min(values), median(values), max(values)))
    print(tabulate(classes, ("class", "answerers", "least", "median", "greatest"), floatfmt=".1f"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OPEN)
