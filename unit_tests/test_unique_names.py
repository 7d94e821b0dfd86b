"""Whoever looks for a class or a module by its name finds one."""

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "plugin" / "independence_bench"
TWICE = (frozenset[str](), frozenset(["__init__", "design", "trial"]))
"""Class names, and module names, that occur more than once."""


def defined() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Where each class name and each module name occurs."""
    classes: dict[str, list[str]] = defaultdict(list)
    modules: dict[str, list[str]] = defaultdict(list)
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        modules[file.stem].append(name)
        for found in re.findall(r"^ *class (\w+)[(\[:]", file.read_text(encoding="utf-8"), re.MULTILINE):
            classes[found].append(name)
    return classes, modules


def test_no_other_name_is_given_twice():
    for names, allowed in zip(defined(), TWICE, strict=True):
        twice = {name: places for name, places in names.items() if len(places) > 1}

        assert len(names) > 100
        assert twice.keys() == allowed, twice


def test_few_public_functions_share_a_name():
    names = Counter(
        node.name
        for file in PACKAGE.rglob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    )
    twice = sorted(name for name, times in names.items() if times > 1)

    assert len(names) > 500
    assert len(twice) <= 10, twice
