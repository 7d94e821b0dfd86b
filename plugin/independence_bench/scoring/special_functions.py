"""Distribution functions, from scipy. A session starts without them: what it starts with imports this module late.

``scipy.stats`` has them all, but its import alone takes most of a second.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType

_THREADS = "OPENBLAS_NUM_THREADS"
_PACKAGES = ("scipy.special", "scipy.linalg")  # those on the way to the compiled functions
_LOCK = RLock()


class _RunLater(ModuleType):
    """A package of scipy until somebody asks it for a name. Only then does it load, wrap and document its functions,
    which takes at least ten times as long as loading the compiled ones, which are in separate modules.

    ``importlib.util.LazyLoader`` would run it for those modules, too.
    """

    _running = False

    def __getattr__(self, name: str) -> object:
        with _LOCK:  # other threads wait until it has every name
            if type(self) is _RunLater and not self._running:
                assert self.__spec__ is not None and self.__spec__.loader is not None  # as find_spec gave it
                self._running = True
                try:
                    self.__spec__.loader.exec_module(self)
                    self.__class__ = ModuleType  # type: ignore[assignment]  # nothing is left to run
                finally:
                    del self._running
        if name in vars(self):
            return vars(self)[name]
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)


@contextmanager
def _light_imports() -> Iterator[None]:
    """Import without what no distribution needs.

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
        yield
    finally:
        if setting is None:
            del os.environ[_THREADS]


with _light_imports():
    from scipy.special._ufuncs import betaincinv as betaincinv
    from scipy.special._ufuncs import fdtrc as fdtrc
    from scipy.special._ufuncs import gammaincinv as gammaincinv
    from scipy.special._ufuncs import ndtr as ndtr
    from scipy.special._ufuncs import ndtri as ndtri
    from scipy.special._ufuncs import stdtr as stdtr
    from scipy.special._ufuncs import stdtrit as stdtrit
