"""Distribution functions, from scipy. A session starts without them: what it starts with imports this module late.

``scipy.stats`` has them all, but its import alone takes most of a second.
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType

_PACKAGES = ("scipy.special", "scipy.linalg")  # those on the way to the compiled functions
_THREADS = "OPENBLAS_NUM_THREADS"
_LOCK = RLock()


class _RunLater(ModuleType):
    """A package of scipy until somebody asks it for a name. Only then does it load, wrap and document its functions,
    which takes at least ten times as long as loading the compiled ones, which are in separate modules.

    ``importlib.util.LazyLoader`` would run it for those modules, too.
    """

    def __getattr__(self, name: str) -> object:
        with _LOCK:  # other threads wait until it has every name
            if type(self) is _RunLater and "_running" not in vars(self):
                self._running = True
                try:
                    self.__spec__.loader.exec_module(self)  # type: ignore[union-attr]  # as find_spec gave them
                    self.__class__ = ModuleType  # type: ignore[assignment]  # nothing is left to run
                finally:
                    del self._running
        return ModuleType.__getattribute__(self, name)


def _compiled() -> ModuleType:
    """Import the compiled functions without what none of them needs.

    OpenBLAS starts a thread for every core when it is loaded, and they look busily for work that never comes: half of
    the processor time on two cores.
    """
    setting = os.environ.get(_THREADS)
    os.environ.setdefault(_THREADS, "1")
    try:
        for name in _PACKAGES:
            if name not in sys.modules and (spec := find_spec(name)):
                package = module_from_spec(spec)
                package.__class__ = _RunLater
                sys.modules.setdefault(name, package)
        # That name is scipy's own business: a release without such a module still has the functions in the package.
        return import_module(next(filter(find_spec, ["scipy.special._ufuncs"]), "scipy.special"))
    finally:
        if setting is None:
            del os.environ[_THREADS]


_functions = _compiled()
betaincinv = _functions.betaincinv
fdtrc = _functions.fdtrc
gammaincinv = _functions.gammaincinv
ndtr = _functions.ndtr
ndtri = _functions.ndtri
stdtr = _functions.stdtr
stdtrit = _functions.stdtrit
