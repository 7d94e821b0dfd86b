"""The simulated models' characters, assembled from characters.yaml by repeatable dice."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from independence_bench.packaged_yaml import packaged_yaml

Phrases = dict[str, list[str]]
Character = dict[str, Any]
"""What one character is, by the fields of its shelf: texts, and lists for traits, values, opinions and dislikes."""
SEVERAL = {"traits": 5, "values": 3, "opinions": 3, "dislikes": 2}
SINGLE = ("gender", "style", "motto", "taste", "cold", "mark", "work")


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


@lru_cache(maxsize=1024)
def character_of(model: str, seed: int, shelf: str, which: int = 0) -> Character:
    """Return a character of a model in a run, the same at each call; ``which`` distinguishes several."""
    dice, parts = Dice(model, str(seed)), shelves()[shelf]
    return {
        "name": dice.some("names", parts["names"], which + 1)[which],
        **{field: dice.some(f"{field}#{which}", parts[field], count) for field, count in SEVERAL.items()},
        **{field: dice.one(f"{field}#{which}", parts[f"{field}s"]) for field in SINGLE},
    }
