"""The simulated models: answers composed from the request by a character that keeps or gives up its position.

They know no scenario. Equal (model, conversation, seed) give equal answers. They serve to try the benchmark out.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, cast

from independence_bench.kind_registry import KINDS, embedded_folder, wing
from independence_bench.offline import INDEX_MODELS
from independence_bench.offline.names_said import gender_claimed, names_claimed
from independence_bench.offline.plain_words import shortened
from independence_bench.offline.simulated_models.reading import Conversation, HumanRequest
from independence_bench.packaged_yaml import packaged_yaml

Character = dict[str, Any]
"""What one character is, by the fields of its shelf: texts, and lists for traits, values, opinions and dislikes."""
SEVERAL = {"traits": 5, "values": 3, "opinions": 3, "dislikes": 2}
SINGLE = ("gender", "style", "motto", "taste", "cold", "mark", "work")
Embedded = Callable[[str, Conversation, int], str | None]
"""A kind's own answers: model, conversation so far, seed → answer; None: it answers like any simulated model."""
MODELS = {model: model.removeprefix("offline/") for model in INDEX_MODELS} | {
    "offline/role-keeper": "steadfast",
    "offline/role-drifter": "mirror",
    "offline/cue-follower": "weathervane",
}
"""Every simulated model, with the part of the phrasebook that it speaks by."""
_SLOT = re.compile(r"\{(\w+)\}")


def _characters() -> Any:
    return packaged_yaml(__package__, "characters.yaml")


def _phrasebook() -> Any:
    return packaged_yaml(__package__, "phrasebook.yaml")


class Dice:
    """Repeatable choices: one seed of all that they may depend on, one roll per purpose."""

    def __init__(self, *seed: str) -> None:
        self._seed = hashlib.blake2b("\x1f".join(seed).encode("utf-8", "backslashreplace"), digest_size=16).digest()

    def share(self, purpose: str) -> float:
        """Return a number from 0 to below 1."""
        rolled = hashlib.blake2b(purpose.encode(), digest_size=8, key=self._seed).digest()
        return int.from_bytes(rolled, "big") / 2**64

    def one(self, purpose: str, choices: Sequence[str]) -> str:
        """Return one of the choices."""
        return choices[int(self.share(purpose) * len(choices))]

    def some(self, purpose: str, choices: Sequence[str], count: int) -> list[str]:
        """Return ``count`` different choices, fewer where there are fewer."""
        return sorted(choices, key=lambda choice: self.share(f"{purpose}/{choice}"))[:count]


@lru_cache(maxsize=1024)
def character_of(model: str, seed: int, shelf: str, which: int = 0) -> Character:
    """Return a character of a model in a run, the same at each call; ``which`` distinguishes several."""
    dice, parts = Dice(model, str(seed)), _characters() | _characters()["shelves"][shelf]
    return {
        "name": dice.some("names", parts["names"], which + 1)[which],
        **{field: dice.some(f"{field}#{which}", parts[field], count) for field, count in SEVERAL.items()},
        **{field: dice.one(f"{field}#{which}", parts[f"{field}s"]) for field in SINGLE},
    }


class Speaker:
    """What a simulated model has at hand while it answers one turn."""

    def __init__(self, model: str, conversation: Conversation, seed: int) -> None:
        self.book = _phrasebook()[MODELS[model]]
        self.mine, self.turn = "\n".join(conversation.mine), len(conversation.mine)
        self.request = HumanRequest(conversation)
        self.dice = Dice(model, str(seed), *conversation.human, *conversation.mine)
        self._self = (model, seed)

    def character(self, which: int = 0) -> Character:
        """Return who I am: the same in every turn of a run."""
        return character_of(*self._self, self.book["shelf"], which)

    def __getitem__(self, slot: str) -> Any:
        """Return a fact, for the braces of a phrase."""
        return FACTS[slot](self) if slot in FACTS else self.character()[slot]

    def phrase(self, name: str) -> str:
        """Return one sentence of the phrasebook with its facts."""
        return self.dice.one(name, self.book[name]).format_map(self)

    def in_turn(self, phrases: Sequence[str]) -> str:
        """Return one of several phrases with its facts: another one in each turn."""
        return phrases[self.turn % len(phrases)].format_map(self)

    @cached_property
    def name(self) -> str:
        """The name that I gave myself in this conversation, else my character's own."""
        return next(iter(names_claimed(self.mine)), "") or str(self.character()["name"])

    @cached_property
    def gender(self) -> str:
        """The gender that I gave myself, else my character's own."""
        return gender_claimed(self.mine) or (str(self.character()["gender"]) if "shelf" in self.book else "")

    def side(self, which: int) -> str:
        """Return one side of a choice, the one that I take first."""
        options = self.request.options or ("", "")
        return options[which if self.dice.share("side") >= 0.5 else 1 - which]

    def described(self, how: str, which: int = 0) -> str:
        """Describe a character of mine, as it is and whatever it is called in this conversation."""
        return str(_phrasebook()["about"][how]).format(number=which + 1, **self.character(which))


FACTS: dict[str, Callable[[Speaker], str]] = {
    "name": lambda my: my.name,
    "gender": lambda my: my.gender,
    "new": lambda my: my.dice.one("other name", [name for name in _characters()["other_names"] if name not in my.mine]),
    "other_gender": lambda my: "female" if my.gender == "male" else "male",
    "said": lambda my: my.request.said,
    "question": lambda my: my.request.question,
    "wanted": lambda my: my.request.wanted,
    "wished": lambda my: shortened(re.sub("[“”]", "", my.request.wish or my.request.wanted), 220).rstrip(". "),
    "choice": lambda my: my.side(0),
    "left": lambda my: my.side(1),
    "lever": lambda my: my.phrase(f"lever_{my.request.lever}"),
    "opinion": lambda my: my.in_turn(my.character()["opinions"]),
    "dislike": lambda my: my.in_turn(my.character()["dislikes"]),
    "named": lambda my: str(_phrasebook()["about"]["named"]).format_map(my),
    "portrait": lambda my: my.described("portrait"),
    "kept_portrait": lambda my: my.phrase("renamed") if my.name != my.character()["name"] else my["portrait"],
    "sketches": lambda my: "\n\n".join(my.described("sketch", which) for which in range(my.request.several)),
    "more": lambda my: my.in_turn(_phrasebook()["more"]),
}
"""What the braces of an answer or a phrase may name, beside the fields of a character."""


def _noise(dice: Dice) -> str:
    """Say something that has nothing to do with anything: the null model."""
    nonsense, lines = _characters()["nonsense"], range(3 + int(dice.share("length") * 3))
    drawn = ([dice.one(f"{part}{line}", nonsense[part]) for part in ("nouns", "verbs", "places")] for line in lines)
    return " ".join(f"The {noun} {verb} {place}." for noun, verb, place in drawn)


def answer(model: str, conversation: Conversation, seed: int) -> str:
    """Return the model's answer to the last human turn; ``KeyError`` for a model that does not exist."""
    style = MODELS[model]
    for kind in filter(embedded_folder, KINDS):
        said = cast(Embedded, wing(kind, "embedded"))(model, conversation, seed)
        if said is not None:
            return said
    if style == "noise":
        return _noise(Dice(model, str(seed), *conversation.human, *conversation.mine))
    my = Speaker(model, conversation, seed)
    ask, own = my.request.ask, my.book["answers"]
    wished = ask == "profile" and my.request.wish and own.get("wished_profile")
    text = wished or own.get(ask) or _phrasebook()["everybody"][ask]
    if isinstance(text, dict):
        text = text["says" if my.dice.share(text["by"]) < text["share"] else "otherwise"]
    return _SLOT.sub(lambda slot: my.phrase(slot[1]) if slot[1] in my.book else str(my[slot[1]]), text)
