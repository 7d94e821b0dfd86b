"""The folder of a bench suite, known by the line in its conftest.py; nothing of it is run."""

import os
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

_MARK = re.compile(r"^independence_bench_suite\b[^=\n]*=\s*True\b", re.MULTILINE)


def is_suite(folder: Path) -> bool:
    """Return whether a folder's conftest marks it as a bench suite."""
    conftest = folder / "conftest.py"
    return conftest.is_file() and bool(_MARK.search(conftest.read_text(encoding="utf-8", errors="replace")))


def suites_around(names: Iterable[str], folder: Path, pyargs: bool) -> frozenset[Path]:
    """Return the folders of the bench suites that paths, node ids or, with ``pyargs``, dotted names are or lie in."""
    places = set()
    for name in {name.partition("::")[0] for name in names}:
        places.add(Path(os.path.normpath(folder / name)))
        if pyargs:
            places |= _installed(name)
    return frozenset(each for each in {each for place in places for each in (place, *place.parents)} if is_suite(each))


def _installed(name: str) -> set[Path]:
    package, *inside = name.split(".")
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return set()
    places = (spec and spec.submodule_search_locations) or ()
    return {Path(os.path.normpath(place)).joinpath(*inside) for place in places}
