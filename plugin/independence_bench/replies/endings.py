"""How an answer ended, by the words of all servers: a table whose last row is "unknown"."""

import re
from functools import lru_cache
from typing import Literal

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
    "own": re.compile(
        r"\A(finish_?reason_)?((model_|natural_)?stop(ped)?(_?(sequence|str|string|word|token|criteria))?(_reached)?"
        r"|eos(_?token|_found)?|end(_?of)?(_?(turn|text|sequence|token))?|done|completed?|finish(ed)?|normal|success"
        r"|(tool|function)_?(call|use)s?)\Z"
    ),
    "unread call": re.compile(r"malformed|(unexpected|invalid)_(tool|function)"),
    "limit": re.compile(r"length|max_|tokens?_limit|stop_limit|context|truncat|incomplete|error_limit|\Alimit"),
    "filtered": re.compile(
        r"filter|safety|refus|recitation|prohibited|block|spii|language|guardrail|moderat|policy|armor|toxic"
    ),
    "broken": re.compile(
        r"error|abort|cancel|time_?d?_?(out|limit)|deadline|overload|\Aload\Z|insufficient|interrupt|fail|network|connect"
        r"|unavailable|preempt|exception|crash|kill|evict|shut|exhaust|rate_limit|too_many|sensitive|unload|\boom\b|user_stop"
    ),
}
"""By ending: what its words hold, in lower case with ``_`` between them; the first row that fits counts."""
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
