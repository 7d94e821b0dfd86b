"""Whoever looks for a class or a module by its name finds one."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "plugin" / "independence_bench"
CLASSES_ALLOWED = frozenset(["Cell", "Comparison", "Fault", "Question"])
MODULES_ALLOWED = frozenset(["__init__", "asking", "design", "judge_check", "trial"])  # each kind has its own of two


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


@pytest.mark.parametrize(("kind", "allowed"), [(0, CLASSES_ALLOWED), (1, MODULES_ALLOWED)], ids=["class", "module"])
def test_no_name_is_given_twice(kind, allowed):
    twice = {name: places for name, places in defined()[kind].items() if len(places) > 1}

    assert {name: places for name, places in twice.items() if name not in allowed} == {}
