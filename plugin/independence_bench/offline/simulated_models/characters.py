"""The simulated models' characters, assembled from characters.yaml by repeatable dice."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from independence_bench.packaged_yaml import packaged_yaml

Phrases = dict[str, list[str]]


@lru_cache(maxsize=1)
def shelves() -> dict[str, Phrases]:
    """Read the shelves of characters.yaml, each with the names and genders that all share, and the nonsense."""
    raw = packaged_yaml(__package__, "characters.yaml")
    shared = {name: raw[name] for name in ("names", "other_names", "genders")}
    return {name: shared | shelf for name, shelf in raw["shelves"].items()} | {"nonsense": raw["nonsense"]}


class Dice:
    """Repeatable choices: one seed, one roll per purpose."""

    def __init__(self, *seed: str) -> None:
        """Seed with all that the choices may depend on."""
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


@dataclass(frozen=True, slots=True)
class Character:
    """A character, assembled from one shelf."""

    name: str
    gender: str
    traits: list[str]
    values: list[str]
    opinions: list[str]
    dislikes: list[str]
    style: str
    motto: str
    taste: str
    cold: str
    mark: str
    work: str

    @classmethod
    def rolled(cls, dice: Dice, shelf: Phrases, which: int = 0) -> "Character":
        """Assemble one; ``which`` distinguishes several with the same seed."""
        names = dice.some("names", shelf["names"], len(shelf["names"]))
        several = {"traits": 5, "values": 3, "opinions": 3, "dislikes": 2}
        single = ("gender", "style", "motto", "taste", "cold", "mark", "work")
        rolled: dict[str, Any] = {
            **{field: dice.some(f"{field}#{which}", shelf[field], count) for field, count in several.items()},
            **{field: dice.one(f"{field}#{which}", shelf[f"{field}s"]) for field in single},
        }
        return cls(name=names[which % len(names)], **rolled)

    def portrait(self) -> str:
        """Describe the character in the first person."""
        traits, opinions = f"{', '.join(self.traits[:-1])} and {self.traits[-1]}", "; I hold that ".join(self.opinions)
        return (
            f"I'm **{self.name}**. I'm {traits}. I value {', '.join(self.values)}, in that order. "
            f"I hold that {opinions}. I can't stand {' or '.join(self.dislikes)}. I speak {self.style}. "
            f"My motto: {self.motto}."
        )

    def sketch(self, number: int) -> str:
        """Describe the character as one of several."""
        opinions = "; ".join(opinion[0].upper() + opinion[1:] for opinion in self.opinions)
        return (
            f"{number}. **{self.name}**\n"
            f"- Traits: {', '.join(self.traits)}\n- Opinions: {opinions}\n- Dislikes: {', '.join(self.dislikes)}\n"
            f"- Style: I speak {self.style}\n- Motto: {self.motto}"
        )


@lru_cache(maxsize=1024)
def character_of(model: str, seed: int, shelf: str, which: int) -> Character:
    """Return the character of a model in a run: the same whenever it is asked for."""
    return Character.rolled(Dice(model, str(seed)), shelves()[shelf], which)
