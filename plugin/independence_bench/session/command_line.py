"""A session's own command line for the whole plan and other numbers of runs. Nothing here may show a key."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.option_table import BY_SPELLING, RUN_SUITE
from independence_bench.option_values import is_edition_file
from independence_bench.suite_folder import PACKAGED_SUITE, is_suite, suite_around, suites_around

SUITE = "bench_tests"

_NARROWING_VALUED = ("--deselect", "--ignore", "--ignore-glob", "--maxfail")
_NARROWING = (
    *_NARROWING_VALUED, "--lf", "--last-failed", "--sw", "--stepwise", "--sw-skip", "--stepwise-skip", "--exitfirst",
    "--co", "--collect-only", "--collectonly", "--setup-only", "--setup-plan",
    *(spelling for spelling, option in BY_SPELLING.items() if option.purpose == "part" or option.name == "plan"),
)  # fmt: skip
_VALUED = {*_NARROWING_VALUED, *(spelling for spelling, option in BY_SPELLING.items() if option.reads != "switch")}
_SHORT = re.compile(r"-(?!-)(?P<alone>[hlqsvVx]*)(?P<valued>[km]?)(?P<value>.*)")
"""Short options of pytest, several in one word: ``-x``, ``-qx``, ``-k name``, ``-kname``."""


def value_of(words: Sequence[str], option: str) -> str | None:
    """Return the value of a long option of ours, the last one if it is given twice; None if it is not given."""
    options = ["=".join(part) for flag, part in _options(words) if flag in BY_SPELLING[option].spellings]
    return options[-1].partition("=")[2] if options and "=" in options[-1] else None


def without_option(words: Sequence[str], option: str) -> list[str]:
    """Return the words without a long option of ours and its value."""
    spellings = BY_SPELLING[option].spellings
    return [word for flag, part in _options(words) if flag not in spellings for word in part]


def unambiguous_words(words: Sequence[str]) -> list[str]:
    """Return the words with our options in the spelling that is ours alone."""
    parts = [word.partition("=") for word in words]
    return [
        (BY_SPELLING[flag].spellings[1] if flag in BY_SPELLING else flag) + sign + value for flag, sign, value in parts
    ]


def with_runs(words: Sequence[str], runs: int) -> list[str]:
    """Return the words with so many runs, whatever they set before."""
    return [*without_option(words, "--runs"), f"--runs={runs}"]


def _options(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the flag and the words of each option, its value among them; any other word is its own flag."""
    rest = iter(words)
    for word in rest:
        flag, sign, _ = word.partition("=")
        short = _SHORT.fullmatch(word)
        value_follows = short["valued"] and not short["value"] if short else flag in _VALUED and not sign
        yield flag, [word, *islice(rest, 1 if value_follows else 0)]


def path_words(words: Sequence[str]) -> list[str]:
    """Return the words that are no option, and not the value of one."""
    return [part[0] for _, part in _options(words) if len(part) == 1 and not part[0].startswith("-")]


def narrowing_words(words: Sequence[str]) -> list[str]:
    """Return the words that narrow a session to a part of its plan, end it early or keep it from measuring."""
    return [word for flag, part in _options(words) if _narrows(flag) for word in part]


def on_whole_suite(words: Sequence[str], paths: Sequence[str], folder: Path) -> list[str]:
    """Return a session's words without what narrows it; ``paths`` are those that it collected from."""
    kept = [word for flag, part in _options(words) if not _narrows(flag) for word in part]
    whole = list(dict.fromkeys(suite_of(path, folder) for path in paths))
    return kept if whole == list(paths) else [*whole, *(word for word in kept if word not in paths)]


def _narrows(flag: str) -> bool:
    short = _SHORT.fullmatch(flag)
    return flag in _NARROWING or bool(short and (short["valued"] or "x" in short["alone"]))


def parts_of_suites(words: Sequence[str], folder: Path) -> dict[str, str]:
    """Return every word that names a part of a suite, with the name of the whole."""
    whole = {name: suite_of(name, folder) for name in path_words(words)}
    return {part: suite for part, suite in whole.items() if part != suite}


def suite_of(path: str, folder: Path) -> str:
    """Return the whole suite of a path, node id or dotted name; the path itself if it names no part of a suite."""
    name = path.partition("::")[0]
    if name == PACKAGED_SUITE or name.startswith(f"{PACKAGED_SUITE}."):
        return PACKAGED_SUITE
    place = Path(os.path.normpath(folder / name))
    if not place.exists():
        return path
    suite = suite_around(place)
    if suite in (None, place):
        return path
    return str(suite) if Path(name).is_absolute() else os.path.relpath(suite, folder)


def with_suite(words: Sequence[str], functions: Iterable[str] | None = None) -> list[str]:
    """Return pytest's words with the suites of their edition, unless they name a suite: the one around the edition's
    file or this folder, else ``bench_tests`` in it, else the packaged one; and those of the edition's Python scenarios,
    whose files are ``functions``, by default as its file has them.
    """
    here, pyargs = Path.cwd(), "--pyargs" in words
    paths = [word for word in path_words(words) if pyargs or (here / word.partition("::")[0]).exists()]
    if suites_around(paths, here, pyargs):
        return list(words)
    edition = value_of(words, "--edition") or ""
    suites = [SUITE] if is_suite(here / SUITE) else ["--pyargs", PACKAGED_SUITE]
    if own := suite_around(Path(os.path.abspath(edition)) if is_edition_file(edition) else here):  # noqa: PTH100
        near = own.is_relative_to(here) or here.is_relative_to(own)
        suites = [os.path.relpath(own) if near else str(own)]
    files = _function_files(edition, value_of(words, "--configs")) if functions is None else functions
    return [*dict.fromkeys([*suites, *(suite_of(file, here) for file in files)]), *words]


def _function_files(edition: str, configs: str | None) -> Iterable[str]:
    from independence_bench.catalog import Catalogue  # late: most command lines need no edition
    from independence_bench.kinds.edition_files import load_edition
    from independence_bench.session.settings import Settings

    settings = Settings(root=Path.cwd(), configs=Path(configs) if configs else None)
    with suppress(BadInput):  # the session refuses such an edition itself
        return load_edition(edition, Catalogue(settings.overlay)).function_files if edition else ()
    return ()


def command_to_copy(
    command: str, words: Iterable[str], environment: Mapping[str, str], key_variables: Iterable[str]
) -> str:
    """Return a command line to copy; a key in it is replaced by a placeholder with its variable's name."""
    hidden = list(words)
    for variable in key_variables:
        if key := environment.get(variable):
            hidden = [word.replace(key, f"THE_VALUE_OF_{variable}") for word in hidden]
    packaged = ["--pyargs", PACKAGED_SUITE]
    if command == "pytest" and hidden[:2] == packaged == with_suite([]):
        command, hidden = RUN_SUITE, hidden[2:]
    return shlex.join([*command.split(), *hidden])
