"""The statistics loaded ahead of the report: numpy and scipy take 0.3 s to import, for which a session has time before.

Computes nothing. Whatever needs the statistics imports them late by itself: this only saves the wait.
"""

from contextlib import suppress
from threading import Thread


def load_statistics(*, roles: bool = False) -> Thread:
    """Begin to import what intervals are made with, and return the thread that does; join it before the report.

    ``roles``: what role stability is computed with, too.
    """
    thread = Thread(target=_load, args=(roles,), name="statistics")
    thread.start()
    return thread


def _load(roles: bool) -> None:
    # Whoever needs what is missing says so.
    with suppress(ImportError):
        import scipy.special  # noqa: F401

        import independence_bench.scoring.uncertainty

        if roles:
            import independence_bench.report.roles.present_roles  # noqa: F401
