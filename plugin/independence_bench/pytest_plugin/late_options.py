"""Registers the options, whatever they mean, in sessions that run a bench suite, and in no other."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Literal, cast

import pytest

from independence_bench.option_table import BY_SPELLING, GATE_OPTIONS, OPTIONS, PACKAGED_SUITE, Option

MARK = "independence_bench_suite"  # attribute by which the conftest of a bench suite marks itself
NAME_IT = "name the suite's folder: pytest bench_tests"
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


def _is_in_a_suite(name: str) -> bool:
    """Return whether a name after ``--pyargs`` is that of a marked suite in an installed package, or of a part of one.
    Nothing is imported, and a conftest is only read.
    """
    from independence_bench.session.command_line import is_suite  # late: this module is loaded in every pytest run

    package, *inside = name.partition("::")[0].split(".")
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return False
    places = (spec.submodule_search_locations if spec else None) or ()
    return any(
        is_suite(folder) for place in places for folder in accumulate(inside, Path.__truediv__, initial=Path(place))
    )


class SuiteOptions:
    """The options of one pytest process: whether a bench suite needs them, and under which names."""

    def __init__(self, config: pytest.Config, parser: pytest.Parser) -> None:
        self._config = config
        self._parser = parser
        self._foreign_names: frozenset[str] = frozenset()
        self.loading = False  # whether pytest loads the initial conftests, under our hook
        self.present = False  # whether this session runs a bench suite, so that the options are registered

    def suite_loaded(self) -> None:
        """Note a suite's conftest. Raises pytest.Collector.CollectError: it came too late to add options."""
        if self.present or self.loading:
            return
        if self._config.args:  # the command line has been parsed
            raise pytest.Collector.CollectError(f"a bench suite must be named on the command line; {NAME_IT}")
        # A root conftest has loaded the plugin while pytest was loading conftests: this is the last chance.
        self.add()

    def conftests_loaded(self, args: Sequence[str]) -> None:
        """Register the options if the initial conftests, or the arguments with ``--pyargs``, name a bench suite.
        Raises pytest.UsageError: one of our options is given, no other plugin has it, and no bench suite is named.
        """
        if self._named(self._config.known_args_namespace.file_or_dir):
            return self.add()
        flags = [flag for flag in map(_flag, args) if flag in BY_SPELLING]
        if not flags:
            return None
        _, unknown = self._parser.parse_known_and_unknown_args(args)
        ours = {*map(_flag, unknown)} & {*flags}
        if not ours:
            return None
        if self._named(self._without_values(args, ours)):
            return self.add()
        asked = self._config.known_args_namespace
        if asked.help or asked.version:
            return None
        first = next(word for word in flags if word in ours)
        if first in map(_flag, self._config.invocation_params.args):
            raise pytest.UsageError(
                f"{first} is an option of a bench suite, but the command line names none; {NAME_IT}"
            )
        raise pytest.UsageError(
            f"{first} in addopts also applies to sessions without a bench suite; "
            f"write the ini key {ini_key(BY_SPELLING[first])} instead"
        )

    def _without_values(self, args: Sequence[str], ours: Iterable[str]) -> list[str]:
        """Look for conftests again where pytest took ``a`` of ``--model a`` for a path; return the paths. Only as a
        second attempt: in a session of another project the words may mean something else.
        """
        valued = {spelling for spelling in ours if BY_SPELLING[spelling].reads != "switch"}
        namespace = self._config.known_args_namespace
        paths = list(namespace.file_or_dir)
        for word, value in pairwise(args):
            if word in valued and value in paths:
                paths.remove(value)
        if paths != namespace.file_or_dir:
            before, namespace.file_or_dir = namespace.file_or_dir, paths
            self._config.pytest_load_initial_conftests(self._config)
            namespace.file_or_dir = before
        return paths

    def _named(self, paths: Sequence[str]) -> bool:
        if any(getattr(plugin, MARK, False) is True for plugin in self._config.pluginmanager.get_plugins()):
            return True
        if not self._config.known_args_namespace.pyargs:
            return False
        names = paths or self._config.getini("testpaths")
        ours = any(f"{name.partition('::')[0]}.".startswith(f"{PACKAGED_SUITE}.") for name in names)
        if ours and find_spec(PACKAGED_SUITE) is None:  # installed with -e: it is at the root of the checkout
            spec = spec_from_file_location(PACKAGED_SUITE, Path(__file__).parents[3] / "bench_tests" / "__init__.py")
            sys.modules[PACKAGED_SUITE] = module_from_spec(cast(ModuleSpec, spec))
        return ours or any(map(_is_in_a_suite, names))

    def add(self) -> None:
        """Register every option: under its short name where that is free, and with the prefix.
        Raises pytest.UsageError: a short name that another plugin owns is given, or an ini key has a bad value.
        """
        self.present = True
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
            group.addoption(*names, **self._with_ini(option))

    def _names_in_use(self, flags: Sequence[str]) -> frozenset[str]:
        try:
            _, unknown = self._parser.parse_known_and_unknown_args([f"{flag}=1" for flag in flags])
        except pytest.UsageError:  # one of them is known and takes no such value
            if len(flags) == 1:
                return frozenset(flags)
            return frozenset().union(*(self._names_in_use([flag]) for flag in flags))
        return frozenset(flags) - {word.removesuffix("=1") for word in unknown}

    def _with_ini(self, option: Option) -> dict[str, Any]:
        keywords = option.keywords()
        if keywords.get("action") == "append":
            keywords = {**keywords, "action": _Repeated}
        key = ini_key(option)
        value = self._config.getini(key)
        if not value:
            return keywords
        if option.choices and value not in option.choices:
            raise pytest.UsageError(f"{key}: {value!r} is not one of {', '.join(option.choices)}")
        of_path = option.reads == "path" or str(value).endswith((".yaml", ".yml"))
        if of_path and self._config.inipath is not None:
            value = str(self._config.inipath.parent / Path(value).expanduser())
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
