"""A session's own command line for the whole plan and other numbers of runs. Nothing here may show a key."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from independence_bench.option_table import GATE_OPTIONS, OPTIONS, PACKAGED_SUITE

SUITE = "bench_tests"

_OWN = {spelling: option for option in OPTIONS if option.purpose in ("part", "once") for spelling in option.spellings}
_NARROWING = ("--deselect", "--ignore", "--ignore-glob", "--maxfail", *(
    spelling for spelling, option in _OWN.items() if option.purpose == "part"
))  # fmt: skip
_NARROWING_ALONE = (
    "--lf", "--last-failed", "--sw", "--stepwise", "--sw-skip", "--stepwise-skip", "--exitfirst", "--co",
    "--collect-only", "--collectonly", "--setup-only", "--setup-plan",
    *(spelling for spelling, option in _OWN.items() if option.name == "plan"),
)  # fmt: skip
_SHORT = re.compile(r"-(?!-)(?P<alone>[hlqsvVx]*)(?P<valued>[km]?)(?P<value>.*)")
"""Short options of pytest, several in one word: ``-x``, ``-qx``, ``-k name``, ``-kname``."""

_MARK = re.compile(r"\bindependence_bench_suite\b")  # the mark in a bench suite's conftest.py


def value_of(words: Sequence[str], option: str) -> str | None:
    """Return the value of a long option of ours, the last one if it is given twice; None if it is not given."""
    return next((value for found, value in reversed(list(_parts(words, option))) if found), None)


def without_option(words: Sequence[str], option: str) -> list[str]:
    """Return the words without a long option of ours and its value."""
    return [word for found, word in _parts(words, option) if not found and word is not None]


def unambiguous_words(words: Sequence[str]) -> list[str]:
    """Return the words with our options in the spelling that is ours alone."""
    prefixed = {option.flag: option.spellings[1] for option in (*OPTIONS, *GATE_OPTIONS)}
    parts = [word.partition("=") for word in words]
    return ["".join((prefixed.get(flag, flag), sign, value)) for flag, sign, value in parts]


def with_runs(words: Sequence[str], runs: int) -> list[str]:
    """Return the words with so many runs, whatever they set before."""
    return [*without_option(words, "--runs"), f"--runs={runs}"]


def _parts(words: Sequence[str], option: str) -> Iterator[tuple[bool, str | None]]:
    spellings = (option, f"--bench-{option.removeprefix('--')}")
    rest = iter(words)
    for word in rest:
        flag, sign, value = word.partition("=")
        if flag in spellings:
            yield True, value if sign else next(rest, None)
        else:
            yield False, word


def narrowing_words(words: Sequence[str]) -> list[str]:
    """Return the words that narrow a session to a part of its plan, end it early or keep it from measuring."""
    return [word for narrows, word in _looked_at(words) if narrows]


def on_whole_suite(words: Sequence[str], paths: Sequence[str], folder: Path) -> list[str]:
    """Return a session's words without what narrows it; ``paths`` are those that it collected from."""
    kept = [word for narrows, word in _looked_at(words) if not narrows]
    whole = list(dict.fromkeys(suite_of(path, folder) for path in paths))
    return kept if whole == list(paths) else [*whole, *(word for word in kept if word not in paths)]


def _looked_at(words: Sequence[str]) -> Iterator[tuple[bool, str]]:
    rest = iter(words)
    for word in rest:
        flag, sign, _ = word.partition("=")
        short = _SHORT.fullmatch(word)
        valued = flag in _NARROWING or bool(short and short["valued"])
        narrows = valued or flag in _NARROWING_ALONE or bool(short and "x" in short["alone"])
        yield narrows, word
        if valued and not sign and not (short and short["value"]):
            yield from ((True, value) for value in [next(rest, None)] if value is not None)


def parts_of_suites(words: Sequence[str], folder: Path) -> dict[str, str]:
    """Return every word that names a part of a suite, with the name of the whole."""
    for option in OPTIONS:
        if option.reads != "switch":
            words = without_option(words, option.flag)
    whole = {word: suite_of(word, folder) for word in words if not word.startswith("-")}
    return {part: suite for part, suite in whole.items() if part != suite}


def suite_of(path: str, folder: Path) -> str:
    """Return the whole suite of a path, node id or dotted name; the path itself if it names no part of a suite."""
    name = path.partition("::")[0]
    if name == PACKAGED_SUITE or name.startswith(f"{PACKAGED_SUITE}."):
        return PACKAGED_SUITE
    place = Path(os.path.normpath(folder / name))
    if not place.exists():
        return path
    suite = next((each for each in (place, *place.parents) if is_suite(each)), place)
    if suite == place:
        return path
    return str(suite) if Path(name).is_absolute() else os.path.relpath(suite, folder)


def is_suite(folder: Path) -> bool:
    """Return whether a folder's conftest marks it as a bench suite; it is not run."""
    conftest = folder / "conftest.py"
    return conftest.is_file() and bool(_MARK.search(conftest.read_text(encoding="utf-8", errors="replace")))


def suite_words(functions: Iterable[str]) -> list[str]:
    """Return the words that name all cases from here: the suite in this folder, else the packaged one, and the suites
    of an edition's Python scenarios, whose files are given.
    """
    ours = [SUITE] if Path(SUITE).is_dir() else ["--pyargs", PACKAGED_SUITE]
    return list(dict.fromkeys([*ours, *(suite_of(file, Path.cwd()) for file in functions)]))


def command_to_copy(
    command: str, words: Iterable[str], environment: Mapping[str, str], key_variables: Iterable[str]
) -> str:
    """Return a command line to copy; a key in it is replaced by a placeholder with its variable's name."""
    hidden = list(words)
    for variable in key_variables:
        key = environment.get(variable)
        if key:
            hidden = [word.replace(key, f"THE_VALUE_OF_{variable}") for word in hidden]
    return shlex.join([*command.split(), *hidden])
