"""Whoever looks for a class or a module by its name finds one."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "plugin" / "independence_bench"
TWICE = (frozenset[str](), frozenset(["__init__", "design", "trial"]))
"""Class names, and module names, that occur more than once."""


@cache
def defined() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Where each class name and each module name occurs."""
    classes: dict[str, list[str]] = defaultdict(list)
    modules: dict[str, list[str]] = defaultdict(list)
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        modules[file.stem].append(name)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(name)
    return classes, modules


@pytest.mark.parametrize("kind", [0, 1], ids=["class", "module"])
def test_no_other_name_is_given_twice(kind):
    twice = {name: places for name, places in defined()[kind].items() if len(places) > 1}

    assert twice.keys() == TWICE[kind], twice
