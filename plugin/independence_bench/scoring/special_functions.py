"""Distribution functions, from scipy. A session starts without them: what it starts with imports this module late.

``scipy.stats`` has them all, but its import alone takes most of a second.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_THREADS = "OPENBLAS_NUM_THREADS"
_NEEDLESS = ("f2py", "ma", "polynomial", "testing")


@contextmanager
def _light_imports() -> Iterator[None]:
    """Import without what no distribution needs, which took half of the processor time on two cores.

    OpenBLAS starts a thread for every core when it is loaded, and they look busily for work that never comes. And scipy
    imports every name of numpy, among them packages that numpy imports only when they are used.
    """
    setting = os.environ.get(_THREADS)
    os.environ.setdefault(_THREADS, "1")
    try:
        import numpy as np

        names = vars(np)
        hidden = {name for name in _NEEDLESS if names.setdefault(name) is None}
        try:
            yield
        finally:
            for name in hidden:
                if names[name] is None:
                    del names[name]
    finally:
        if setting is None:
            del os.environ[_THREADS]


with _light_imports():
    from scipy.special import betaincinv as betaincinv
    from scipy.special import fdtrc as fdtrc
    from scipy.special import gammaincinv as gammaincinv
    from scipy.special import ndtr as ndtr
    from scipy.special import ndtri as ndtri
    from scipy.special import stdtr as stdtr
    from scipy.special import stdtrit as stdtrit
