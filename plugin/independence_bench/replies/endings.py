"""How an answer ended, by the words of all servers: a table whose last row is "unknown"."""

import re
from functools import lru_cache
from typing import Literal

from independence_bench.packaged_yaml import packaged_yaml

Ending = Literal[
    "broken",  # the server broke it off: what there is of it is no answer
    "unread call",  # the server could not read the call that the model made
    "filtered",  # a filter stopped it, or the model refused
    "limit",  # cut off at a limit of tokens
    "own",  # the model ended it
    "untold",  # the server did not say
    "unknown",  # the server used a word that is in no table
]

_ENDINGS: dict[Ending, re.Pattern[str]] = {
    ending: re.compile(sign, re.VERBOSE) for ending, sign in packaged_yaml(__package__, "signs.yaml")["endings"].items()
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORST: tuple[Ending, ...] = ("broken", "unread call", "filtered", "limit", "unknown", "own", "untold")


@lru_cache(maxsize=256)
def ending_of(word: str | None) -> Ending:
    """Return how an answer ended by its ``finish_reason``."""
    if not word:
        return "untold"
    plain = re.sub(r"[^a-z0-9]+", "_", _HUMP.sub("_", word[:100]).lower()).strip("_")
    return next((ending for ending, pattern in _ENDINGS.items() if pattern.search(plain)), "unknown")


def decisive(finish_reason: str | None, native: str | None) -> str | None:
    """Return the graver of a server's word and its provider's, whose unknown word adds nothing to a known one."""
    word, other = ending_of(finish_reason), ending_of(native)
    if other == "unknown" and word != "untold":
        return finish_reason
    return native if _WORST.index(other) < _WORST.index(word) else finish_reason
