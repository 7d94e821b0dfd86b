"""The folder of a bench suite, known by the line in its conftest.py; nothing of it is run."""

import os
import re
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import cast

PACKAGED_SUITE = f"{__package__}.bench_tests"  # the suite that came with the package: ``pytest --pyargs …``
_MARK = re.compile(r"^independence_bench_suite\b[^=\n]*=\s*True\b", re.MULTILINE)


def is_suite(folder: Path) -> bool:
    """Return whether a folder's conftest marks it as a bench suite."""
    conftest = folder / "conftest.py"
    return conftest.is_file() and bool(_MARK.search(conftest.read_text(encoding="utf-8", errors="replace")))


def suite_around(place: Path) -> Path | None:
    """Return the folder of the innermost bench suite that a place is or lies in."""
    return next((each for each in (place, *place.parents) if is_suite(each)), None)


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
    if package == __package__:
        return {_own_suite().parent.joinpath(*inside)}
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return set()
    places = (spec and spec.submodule_search_locations) or ()
    return {Path(os.path.normpath(place)).joinpath(*inside) for place in places}


def _own_suite() -> Path:
    """Return the folder of the suite that came with the package. Installed with -e, it is at the root of the checkout;
    then it gets the name that it has in the wheel, by which pytest looks for it.
    """
    if (spec := find_spec(PACKAGED_SUITE)) is None:
        file = Path(__file__).resolve().parents[2] / "bench_tests" / "__init__.py"
        spec = cast(ModuleSpec, spec_from_file_location(PACKAGED_SUITE, file))
        sys.modules[PACKAGED_SUITE] = module_from_spec(spec)
    return Path(str(spec.origin)).parent
