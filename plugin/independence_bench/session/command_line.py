"""A session's own command line, given again in another size. Looks at words alone; knows no option of pytest's.

What is printed for a reader to copy is made here, so nothing here may show a key.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from independence_bench.digest import Json

SUITE = "bench_tests"

_NARROWING = ("-k", "-m", "--deselect")
"""They narrow a session and take a value; a gate looks at the whole plan."""
_NARROWING_ALONE = ("--lf", "--last-failed", "--sw", "--stepwise", "--stepwise-skip", "-x", "--exitfirst")
_OPTION = {
    "models": "--model",
    "judges": "--judge",
    "system_variants": "--system-variant",
    "delivery_modes": "--delivery-mode",
}
"""Stored options that hold several values, and how each is given."""


def value_of(words: Sequence[str], option: str) -> str | None:
    """Return the value of a long option, the last where it stands there twice; None where it does not."""
    found = None
    for place, word in enumerate(words):
        if word.startswith(f"{option}="):
            found = word.partition("=")[2]
        elif word == option and place + 1 < len(words):
            found = words[place + 1]
    return found


def without(words: Sequence[str], option: str) -> list[str]:
    """Return the words without a long option and its value."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word == option:
            skip = True
        elif not word.startswith(f"{option}="):
            kept.append(word)
    return kept


def with_runs(words: Sequence[str], runs: int) -> list[str]:
    """Return the words with so many runs, whatever they said before."""
    return [*without(words, "--runs"), f"--runs={runs}"]


def whole(words: Sequence[str]) -> list[str]:
    """Return the words without what narrows a session to a part of its plan, or ends it early."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif not narrows(word):
            kept.append(word)
        else:
            skip = word in _NARROWING
    return kept


def narrows(word: str) -> bool:
    """Return whether a word asks for a part of the plan only, or for an early end."""
    return word in (*_NARROWING, *_NARROWING_ALONE) or word.startswith(("-k", "-m", "--deselect=", "--maxfail="))


def shown(command: str, words: Iterable[str], environment: Mapping[str, str], key_variables: Iterable[str]) -> str:
    """Return a command line to copy; a key that somebody wrote into it is replaced by a word for its variable."""
    hidden = list(words)
    for variable in key_variables:
        key = environment.get(variable)
        if key:
            hidden = [word.replace(key, f"THE_VALUE_OF_{variable}") for word in hidden]
    return shlex.join([*command.split(), *hidden])


def from_options(options: Mapping[str, Json]) -> list[str]:
    """Return the words that ask again for what a stored session's options asked for, its shard left out."""
    words = [SUITE]
    for name, value in options.items():
        if name == "shard":
            continue
        option = _OPTION.get(name, f"--{name.replace('_', '-')}")
        words += [f"{option}={each}" for each in (value if isinstance(value, list) else [value])]
    return words
