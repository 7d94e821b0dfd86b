"""Tells which cases ask something else than the plan, because one of our fixtures is overridden. Knows no trial.

pytest has no public interface for the definition of a fixture that an item will use, so this reads ``_fixtureinfo``. An
item without it counts as not overridden, until its fixtures return.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import unwrap
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from independence_bench.session.overriding import FIXTURES, where
from independence_bench.suite_folder import suite_around

_OUR_MODULES = (f"{__package__}.fixtures", "_pytest.python")  # of our fixtures and of parameters

_OF_A_CASE = frozenset((*FIXTURES, "spec", "trial", "_case", "request"))  # where a test asks for nothing else

_MADE = ("trial", "chat")  # what only our fixtures can make

_NODES: Mapping[str, type[pytest.Collector]] = {
    "class": pytest.Class,
    "module": pytest.Module,
    "package": pytest.Package,
    "session": pytest.Session,
}
"""Scope of a fixture that several cases share → the node within which it returns one value."""


@dataclass(frozen=True)
class FixtureOverrides:
    """Fixtures of one case that others provide."""

    names: tuple[str, ...]
    values: Mapping[str, object] | None  # what they return, where parameters say it at once; None until the case runs
    shared_by: Hashable | None  # equal for cases whose fixtures return the same; None where each has its own
    places: Mapping[str, str]  # where each is defined, for messages
    application: Hashable = None  # equal for cases whose fixture ``endpoint`` is made of the same


class OverriddenFixtures:
    """Looks at each test function once: a suite has few, and thousands of cases."""

    def __init__(self) -> None:
        self._of_function: dict[int, tuple[dict[str, Any], bool]] = {}

    def of(self, item: pytest.Item) -> FixtureOverrides | None:
        """Return the fixtures of a case that others provide, None where all are ours."""
        definitions, _ = self._definitions(item)
        params: Mapping[str, object] = getattr(getattr(item, "callspec", None), "params", {})
        if not definitions and params.keys() <= {"spec"}:
            return None
        params = {name: value for name, value in params.items() if name != "spec"}
        names = tuple(name for name in FIXTURES if name in definitions or name in params)
        if not names:
            return None
        places = {name: _place(item, definitions.get(name)) for name in names}
        foreign = [definitions[name] for name in names if name in definitions]
        if not foreign:
            return FixtureOverrides(names, {name: params[name] for name in names}, None, places)
        application = _application(item, params) if "endpoint" in definitions else None
        nodes = [item.getparent(_NODES[each.scope]) for each in foreign if each.scope in _NODES]
        if len(nodes) < len(foreign):
            return FixtureOverrides(names, None, None, places, application)
        arguments = tuple((name, id(value)) for name, value in params.items())
        shared_by = (tuple(map(id, foreign)), tuple(map(id, nodes)), arguments)
        return FixtureOverrides(names, None, shared_by, places, application)

    def only_ours(self, item: pytest.Item) -> bool:
        """Return whether no fixture takes part in a case but ours, all of them as planned."""
        return self._definitions(item)[1] and self.of(item) is None

    def _definitions(self, item: pytest.Item) -> tuple[dict[str, Any], bool]:
        """Return the definitions of our fixtures by others, and whether the function uses no fixture but ours."""
        info = getattr(item, "_fixtureinfo", None)
        if id(info) not in self._of_function:
            effective = {name: definitions[-1] for name, definitions in _all_definitions(item).items() if definitions}
            foreign = {name: each for name, each in effective.items() if each.func.__module__ not in _OUR_MODULES}
            names: Sequence[str] = getattr(info, "names_closure", ())
            ours = {*effective} - {*foreign} | {"request"}
            alone = bool(names) and _OF_A_CASE.issuperset(names) and ours.issuperset(names)
            self._of_function[id(info)] = {name: foreign[name] for name in FIXTURES if name in foreign}, alone
        return self._of_function[id(info)]


def _all_definitions(item: pytest.Item) -> Mapping[str, Sequence[Any]]:
    return getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})


def _application(item: pytest.Item, params: Mapping[str, object]) -> Hashable:
    """Return the function of the fixture ``endpoint``, and the parameters of a case that it takes, also by others."""
    definitions_of = _all_definitions(item)
    taken, names = set[str](), ["endpoint"]
    while names:
        if (name := names.pop()) not in taken:
            taken.add(name)
            names += (argument for each in definitions_of.get(name, ()) for argument in each.argnames)
    arguments = tuple((name, id(value)) for name, value in params.items() if name in taken)
    return definitions_of["endpoint"][-1].func, arguments


def misfit(test: pytest.Item) -> str | None:
    """Return why a fixture of others, by its arguments alone, cannot take the place of ours; None where each can."""
    definitions_of = _all_definitions(test)
    parameters = (re.findall(r"\w+", str(mark.args[:1])) for mark in test.iter_markers("parametrize"))
    known = {*definitions_of, "request", *chain(*parameters)}
    for name in (name for name in (*FIXTURES, *_MADE) if name in definitions_of):
        *hidden, definition = definitions_of[name]
        own, arguments = definition.func.__module__ in _OUR_MODULES, {*definition.argnames}
        said = where([name], {name: _place(test, definition)})
        if own and (foreign := [each for each in hidden if each.func.__module__ not in _OUR_MODULES]):
            takes = "takes no part in the suite, being a plugin's; if it should, define it in the suite's conftest.py"
            test.warn(pytest.PytestWarning(f"fixture {name}, {_place(test, foreign[-1])}, {takes}"))
        if not own and (unknown := arguments - known):
            return f"{said}: there is no fixture {min(unknown)}; the fixture judge returns a function that judges"
        if not own and name in _MADE and arguments.isdisjoint(_MADE):
            return f"{said}: it makes no trial; give it another name, or return what it gets as the argument `trial`"
    return None


def _place(item: pytest.Item, definition: Any) -> str:
    """Return where a fixture is defined, or a parameter given (no definition), as messages name it."""
    code = definition and getattr(unwrap(definition.func), "__code__", None)
    file, root = Path(code.co_filename) if code else item.path, item.config.rootpath
    place = file.relative_to(root) if file.is_relative_to(root) else file
    if code is None:
        return f"a parameter in {place}"
    suite = _suite_around(item.path.parent) or root
    ours = "" if file.is_relative_to(suite) else " (define it beside your tests, if it is not meant for the suite)"
    return f"overridden in {place}:{code.co_firstlineno}{ours}"


_suite_around = cache(suite_around)  # of a folder; a suite has thousands of cases
