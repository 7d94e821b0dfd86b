"""Ends the session with one sentence if a worker cannot be started; xdist alone shows a traceback, or retries for ever.

Handles workers that were never ready, or refuse to collect; the distribution handles workers that die later.
"""

import re

import pytest

from independence_bench.pytest_plugin.bench import REFUSED
from independence_bench.pytest_plugin.slot_scheduling import Node
from independence_bench.safe_text import safe_text

_RAISED = re.compile(r"^[\w.]*(?:Error|Exception|Exit|NotFound)\b:? ?(.*)", re.MULTILINE | re.DOTALL)


class WorkerStart:
    """Watches the start of a session's workers, in xdist's controller."""

    def __init__(self) -> None:
        self._ready: set[Node] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Node) -> None:
        """A worker has read its options and configs."""
        self._ready.add(node)

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_testnodedown(self, node: Node, error: object | None) -> None:
        """End the session if a worker refuses to start: its replacement would refuse as well."""
        raised = startup_error(error) if node not in self._ready else None
        if raised is not None:
            raise pytest.UsageError(f"{node.gateway.id} could not start: {raised}")
        refused = (getattr(node, "workeroutput", None) or {}).get(REFUSED)
        if refused is not None:
            raise pytest.UsageError(safe_text(refused))


def startup_error(error: object | None) -> str | None:
    """Return what a worker raised; None if it was killed or ended normally: its replacement may start."""
    last = re.split(r"^\S*(?=UsageError)", str(error or ""), flags=re.MULTILINE)[-1]
    error_line = _RAISED.search(last) if "Traceback" in str(error) or last.startswith("UsageError") else None
    if error_line is None:
        return None
    lines = last.rstrip().splitlines()
    return safe_text(error_line[1] if last.startswith("UsageError") else lines[-1])
