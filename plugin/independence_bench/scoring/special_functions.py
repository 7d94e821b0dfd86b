"""Distribution functions, from scipy. A session starts without them: what it starts with imports this module late.

``scipy.stats`` has them all, but its import alone takes most of a second.
"""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

__all__ = ("bdtr", "betaincinv", "fdtrc", "gammaincinv", "ndtr", "ndtri", "stdtr", "stdtrit")

_PACKAGE = "scipy.special"
_THREADS = "OPENBLAS_NUM_THREADS"


@contextmanager
def _light_imports() -> Iterator[None]:
    """Import without what no distribution needs, which took a quarter of a second of processor time on two cores.

    OpenBLAS starts a thread for every core when it is loaded, and they look busily for work that never comes. And scipy
    imports every name of numpy, among them its Fortran compiler's front end, which numpy imports only when it is used.
    """
    said = os.environ.get(_THREADS)
    os.environ.setdefault(_THREADS, "1")
    try:
        import numpy as np

        names = vars(np)
        names.setdefault("f2py", None)
        try:
            yield
        finally:
            if names["f2py"] is None:
                del names["f2py"]
    finally:
        if said is None:
            del os.environ[_THREADS]


def _compiled() -> ModuleType:
    """Return scipy's special functions, without what its package puts around them for other libraries' arrays.

    That would be half of the import: for it scipy imports all of numpy, too. The module without it is scipy's own and
    old, but no promise; where it is missing or other, the package is imported.
    """
    if _PACKAGE not in sys.modules:
        import scipy

        bare = ModuleType(_PACKAGE)
        bare.__path__ = [str(Path(path) / "special") for path in scipy.__path__]
        sys.modules[_PACKAGE] = bare
        try:
            found = importlib.import_module(f"{_PACKAGE}._ufuncs")
            if all(hasattr(found, name) for name in __all__):
                return found
        except ImportError:
            pass
        finally:
            del sys.modules[_PACKAGE]  # whoever imports it later gets all of it
    return importlib.import_module(_PACKAGE)


with _light_imports():
    _functions = _compiled()

bdtr, betaincinv, fdtrc, gammaincinv, ndtr, ndtri, stdtr, stdtrit = (getattr(_functions, name) for name in __all__)
