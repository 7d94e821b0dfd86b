"""No circle of imports, whether they run at the start, late, or only while types are checked."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "plugin" / "independence_bench"


def names_in(source: bytes) -> Iterator[tuple[str, str]]:
    """Yield every imported module with the name that is taken from it; empty without one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)


def imports_of(root: Path) -> dict[str, set[str]]:
    """Return what each module of a package imports of it."""
    paths = {".".join(path.relative_to(root.parent).with_suffix("").parts): path for path in root.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path.read_bytes() for name, path in paths.items()}
    found = {name: {(f"{of}.{each}", of) for of, each in names_in(source)} for name, source in modules.items()}
    return {name: {one if one in modules else of for one, of in pairs} - {name} for name, pairs in found.items()}


def test_no_module_imports_itself_by_way_of_others() -> None:
    TopologicalSorter(imports_of(PACKAGE)).prepare()


@pytest.mark.parametrize("late", ["def f():\n    from pack import one", "if TYPE_CHECKING:\n    import pack.one"])
def test_a_late_import_closes_a_circle(tmp_path: Path, late: str) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "one.py").write_text("from pack.two import name")
    (tmp_path / "pack" / "two.py").write_text(late)
    with pytest.raises(CycleError, match="one"):
        TopologicalSorter(imports_of(tmp_path / "pack")).prepare()
