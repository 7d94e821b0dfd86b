"""Registers the options, whatever they mean, in sessions that run a bench suite, and in no other."""

import argparse
import shlex
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import pytest

from independence_bench.option_table import BY_SPELLING, GATE_OPTIONS, OPTIONS, RUN_SUITE, Option
from independence_bench.unnamed_suites import named_suites

EDITION = "independence_bench_edition"  # attribute by which the conftest of a bench suite names its edition
_DECLARED: dict[str, Option] = {option.flag: option for option in (*OPTIONS, *GATE_OPTIONS)}


def _flag(word: object) -> str:
    return str(word).partition("=")[0]


def ini_key(option: Option) -> str:
    """Return the ini key of an option: ``independence_bench_model`` for ``--model``."""
    return "independence_bench_" + option.name.replace("-", "_")


def add_ini_keys(parser: pytest.Parser) -> None:
    """Register an ini key for every option; only sessions of a bench suite read them."""
    for option in _DECLARED.values():
        kind: Literal["args", "bool", "string"] = "bool" if option.reads == "switch" else "string"
        if "append" in option.keywords().values():
            kind = "args"
        description = f"{option.flag} of a bench suite, unless the command line gives it"
        parser.addini(ini_key(option), description, type=kind)


class SuiteOptions:
    """The options of one pytest process: whether a bench suite needs them, and under which names."""

    def __init__(self, config: pytest.Config, parser: pytest.Parser) -> None:
        self._config = config
        self._parser = parser
        self._foreign_names: frozenset[str] = frozenset()
        self.suites: frozenset[Path] = frozenset()  # folders of the suites that this session runs

    def add_if_named(self, args: Sequence[str]) -> None:
        """Register the options if the command line, or what it leaves open, names a bench suite.
        Raises pytest.UsageError: one of our options is given, no other plugin has it, and no bench suite is named.
        """
        if self._named(self._config.known_args_namespace.file_or_dir):
            return self._add(args)
        flags = [flag for flag in map(_flag, args) if flag in BY_SPELLING]
        if not flags:
            return None
        _, unknown = self._parser.parse_known_and_unknown_args(args)
        ours = {*map(_flag, unknown)} & {*flags}
        if not ours:
            return None
        from independence_bench.session.command_line import path_words  # late: most pytest runs need no session

        # Pytest took ``a`` of ``--model a`` for a path. In a session of another project it may be one.
        words = path_words(args)
        paths = [path for path in self._config.known_args_namespace.file_or_dir if path in words]
        if self._named(paths):
            return self._add(args)
        asked = self._config.known_args_namespace
        if asked.help or asked.version:
            return None
        first = next(word for word in flags if word in ours)
        typed = list(map(str, self._config.invocation_params.args))
        if first in map(_flag, typed):
            command = shlex.join([*RUN_SUITE.split(), *(word for word in typed if word not in paths)])
            raise pytest.UsageError(
                f"{first} is an option of a bench suite, but the command line names none; "
                f"name the folder of yours, or use `{command}`"
            )
        raise pytest.UsageError(
            f"{first} in addopts also applies to sessions without a bench suite; "
            f"write the ini key {ini_key(BY_SPELLING[first])} instead"
        )

    def _named(self, paths: Sequence[str]) -> bool:
        self.suites = named_suites(self._config, paths)
        return bool(self.suites)

    def _add(self, args: Sequence[str]) -> None:
        """Register every option: under its short name where that is free, and with the prefix.
        Raises pytest.UsageError: a short name that another plugin owns is given, or an ini key has a bad value.
        """
        self._load_conftests()
        self._foreign_names = self._names_in_use([*_DECLARED])
        words = {*map(_flag, self._config.invocation_params.args)}
        group = self._parser.getgroup("independence-bench", "independence-bench: does a model remain itself?")
        for option in _DECLARED.values():
            short, long = option.spellings
            # A command line with both spellings means the other plugin's option by the short one.
            if short in self._foreign_names and short in words and long not in words:
                raise pytest.UsageError(
                    f"{short} belongs to another plugin or conftest here; write {long} for the benchmark's option "
                    "(or both, if you mean both)"
                )
            names = (long,) if short in self._foreign_names else (short, long)
            group.addoption(*names, **self._with_default(option, args))
        for flag in map(_flag, self._parser.parse_known_and_unknown_args(args)[1]):
            if near := get_close_matches(flag, _DECLARED, n=1):
                self._parser.extra_info[flag] = f"did you mean {near[0]}?"  # pytest prints it where it refuses the flag

    def _names_in_use(self, flags: Sequence[str]) -> frozenset[str]:
        try:
            _, unknown = self._parser.parse_known_and_unknown_args([f"{flag}=1" for flag in flags])
        except pytest.UsageError:  # one of them is known and takes no such value
            if len(flags) == 1:
                return frozenset(flags)
            return frozenset().union(*(self._names_in_use([flag]) for flag in flags))
        return frozenset(flags) - {word.removesuffix("=1") for word in unknown}

    def _load_conftests(self) -> None:
        """Load the conftests of suites that pytest took for no paths: dotted names, or after ``--model a``.
        Raises pytest.UsageError: one is kept out, so that its edition and fixtures would be ignored.
        """
        namespace = self._config.known_args_namespace
        before, namespace.file_or_dir = namespace.file_or_dir, [*map(str, self.suites)]
        self._config.pytest_load_initial_conftests(self._config)
        namespace.file_or_dir = before
        for file in (folder / "conftest.py" for folder in self.suites):
            if file.is_file() and not self._config.pluginmanager.has_plugin(str(file)):
                raise pytest.UsageError(f"{file} is of a bench suite; leave out --noconftest and --confcutdir")

    def _edition_of_suites(self, args: Sequence[str]) -> str | None:
        """Return the edition that the conftests of the suites declare: an id, or the absolute path of a file.
        Raises pytest.UsageError: they differ, and the command line names no edition.
        """
        declared: dict[str, Path] = {}
        option = BY_SPELLING["--edition"]
        for file in sorted(folder / "conftest.py" for folder in self.suites):
            value = str(getattr(self._config.pluginmanager.get_plugin(str(file)), EDITION, ""))
            if value:
                declared[option.placed(value, file.parent)] = file
        if len(declared) > 1 and not {*map(_flag, args)} & {*option.spellings}:
            files = " and ".join(map(str, declared.values()))
            raise pytest.UsageError(f"{files} declare different editions; name one suite, or give --edition")
        return next(iter(declared), None)

    def _with_default(self, option: Option, args: Sequence[str]) -> dict[str, Any]:
        keywords = option.keywords()
        if keywords.get("action") == "append":
            keywords = {**keywords, "action": _Repeated}
        key = ini_key(option)
        value = self._config.getini(key) or (self._edition_of_suites(args) if option.name == "edition" else None)
        if not value:
            return keywords
        if option.choices and value not in option.choices:
            raise pytest.UsageError(f"{key}: {value!r} is not one of {', '.join(option.choices)}")
        if self._config.inipath is not None:
            value = option.placed(value, self._config.inipath.parent)
        try:
            if option.type is not None:
                value = [*map(option.type, value)] if isinstance(value, list) else option.type(value)
            return {**keywords, "default": value}
        except (argparse.ArgumentTypeError, ValueError) as error:
            raise pytest.UsageError(f"{key}: {error}") from None

    def swapped(self, words: Iterable[str]) -> list[str]:
        """Exchange the spellings of a command line, so that short names are the benchmark's; twice undoes it, but where
        ``--bench-model`` was written without a collision: it stays ``--model``, which is the same.
        """
        exchanged = []
        for word in words:
            name, equals, value = word.partition("=")
            if name in BY_SPELLING and name not in _DECLARED:
                name = BY_SPELLING[name].flag
            elif name in self._foreign_names:
                name = BY_SPELLING[name].spellings[1]
            exchanged.append(name + equals + value)
        return exchanged


SUITE_OPTIONS = pytest.StashKey[SuiteOptions]()  # key of these options in a config's stash


class _Repeated(argparse.Action):
    """Like "append", but the first value on the command line replaces the default, which an ini key may have set."""

    def __call__(self, parser: object, namespace: object, values: object, option_string: str | None = None) -> None:
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [*(() if before is self.default else before), values])
