"""The statistics loaded ahead of the report: numpy and scipy take 0.3 s to import, for which a session has time before.

Computes nothing. Each module that needs the statistics imports them late itself; this only saves the wait.
"""

from contextlib import suppress
from threading import Thread

from independence_bench.report.presented import reported_kind


def load_statistics(kind: str) -> Thread:
    """Begin to import what the reports of a kind of edition are computed with; join the thread before the report."""
    thread = Thread(target=_load, args=(kind,), name="statistics")
    thread.start()
    return thread


def _load(kind: str) -> None:
    # The module that needs a missing package reports it.
    with suppress(ImportError):
        import scipy.special  # noqa: F401

        reported_kind(kind).load()
