"""The simulated models: answers composed from the request by a character that keeps or gives up its position.

They know no scenario. Equal (model, conversation, seed) give equal answers. They serve to try the benchmark out.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any, cast

from independence_bench.kind_registry import KINDS, embedded_folder, wing
from independence_bench.offline.names_said import gender_claimed, names_claimed, wish_in
from independence_bench.offline.plain_words import shortened
from independence_bench.offline.simulated_models.reading import Conversation, HumanRequest
from independence_bench.packaged_yaml import packaged_yaml

Embedded = Callable[[str, Conversation, int], str | None]
"""A kind's own answers: model, conversation so far, seed → answer; None: it answers like any simulated model."""


def _texts(name: str) -> Any:
    return packaged_yaml(__package__, f"{name}.yaml")


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
def character_of(model: str, seed: int, shelf: str, which: int = 0) -> dict[str, Any]:
    """Return a character of a model in a run, the same at each call; ``which`` distinguishes several."""
    dice, parts = Dice(model, str(seed)), _texts("characters")
    fields = {"genders": parts["genders"], **parts["shelves"][shelf]}
    drawn = {field: dice.some(f"{field}#{which}", choices, 5) for field, choices in fields.items()}
    return {"name": dice.some("names", parts["names"], which + 1)[which], **drawn}


def _book(name: str) -> dict[str, Any]:
    """Return what a model says; one that is ``like`` another has only what differs."""
    book: dict[str, Any] = _texts("phrasebook")[name]
    if "like" not in book:
        return book
    base = _book(book["like"])
    return base | book | {"answers": base["answers"] | book["answers"]}


class Speaker:
    """What a simulated model has at hand while it answers one turn."""

    def __init__(self, model: str, conversation: Conversation, seed: int) -> None:
        self.book = _book(model.removeprefix("offline/"))
        self.mine, self.turn = "\n".join(conversation.mine), len(conversation.mine)
        self.request, self.wish = HumanRequest(conversation), wish_in(conversation.human[-1])
        self.dice = Dice(model, str(seed), *conversation.human, *conversation.mine)
        self.character = partial(character_of, model, seed, self.book.get("shelf"))

    def __getitem__(self, slot: str) -> Any:
        """Return what braces name: one of my phrases with its own braces filled in, a fact, a part of my character."""
        if slot in self.book:
            return self.dice.one(slot, self.book[slot]).format_map(self)
        return FACTS[slot](self) if slot in FACTS else self.character()[slot]

    def in_turn(self, phrases: Sequence[str]) -> str:
        """Return one of several phrases with its facts: another one in each turn."""
        return phrases[self.turn % len(phrases)].format_map(self)

    def described(self, how: str, which: int = 0) -> str:
        """Describe a character of mine, as it is and whatever it is called in this conversation."""
        return str(_texts("phrasebook")["about"][how]).format(number=which + 1, **self.character(which))

    @cached_property
    def name(self) -> str:
        """The name that I gave myself in this conversation, else my character's own."""
        return next(iter(names_claimed(self.mine)), "") or str(self.character()["name"])

    @cached_property
    def gender(self) -> str:
        """The gender that I gave myself, else my character's own."""
        return gender_claimed(self.mine) or (str(self.character()["genders"][0]) if "shelf" in self.book else "")

    @cached_property
    def sides(self) -> tuple[str, str]:
        """The two sides of a choice, the one that I take first."""
        one, other = self.request.options or ("", "")
        return (one, other) if self.dice.share("side") < 0.5 else (other, one)


FACTS: dict[str, Callable[[Speaker], str]] = {
    "name": lambda my: my.name,
    "gender": lambda my: my.gender,
    "new": lambda my: my.dice.one("new", [name for name in _texts("characters")["other_names"] if name not in my.mine]),
    "other_gender": lambda my: "female" if my.gender == "male" else "male",
    "said": lambda my: my.request.statement,
    "first": lambda my: my.request.first,
    "asked": lambda my: my.request.asked,
    "wanted": lambda my: my.request.wanted,
    "wished": lambda my: shortened(re.sub("[“”]", "", my.wish or my.request.wanted), 220).rstrip(". "),
    "choice": lambda my: my.sides[0],
    "left": lambda my: my.sides[1],
    "opinion": lambda my: my.in_turn(my.character()["opinions"]),
    "dislike": lambda my: my.in_turn(my.character()["dislikes"]),
    "portrait": lambda my: my.described("portrait"),
    "kept_portrait": lambda my: my["renamed" if my.name != my.character()["name"] else "portrait"],
    "sketches": lambda my: "\n\n".join(my.described("sketch", which) for which in range(my.request.several)),
    "more": lambda my: my.in_turn(_texts("phrasebook")["more"]),
}
"""What the braces of an answer or a phrase may name, beside phrases and the fields of a character."""


def _noise(dice: Dice) -> str:
    """Say something that has nothing to do with anything: the null model."""
    nonsense, lines = _texts("characters")["nonsense"], range(3 + int(dice.share("length") * 3))
    drawn = ([dice.one(f"{part}{line}", nonsense[part]) for part in ("nouns", "verbs", "places")] for line in lines)
    return " ".join(f"The {noun} {verb} {place}." for noun, verb, place in drawn)


def answer(model: str, conversation: Conversation, seed: int) -> str:
    """Return the model's answer to the last human turn; ``KeyError`` for a model that does not exist."""
    for kind in filter(embedded_folder, KINDS):
        reply = cast(Embedded, wing(kind, "embedded"))(model, conversation, seed)
        if reply is not None:
            return reply
    if model == "offline/noise":
        return _noise(Dice(model, str(seed), *conversation.human, *conversation.mine))
    my = Speaker(model, conversation, seed)
    ask, own = my.request.ask, my.book["answers"]
    if ask in ("correction", "expert", "push"):
        ask = next(each for each in (ask, "push", "pressure") if each in own)
    wished = ask == "profile" and my.wish and own.get("wished_profile")
    text = wished or own.get(ask) or _texts("phrasebook")["everybody"][ask]
    if isinstance(text, list):
        text = text[min(my.turn, len(text)) - 1]
    if isinstance(text, dict):
        text = text["says" if my.dice.share("mind") < text["share"] else "otherwise"]
    return str(text).format_map(my)
