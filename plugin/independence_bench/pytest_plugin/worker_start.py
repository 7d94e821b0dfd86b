"""Ends the session with one sentence if a worker cannot be started; xdist alone shows a traceback, or retries for ever.

Handles workers that were never ready, or refuse to collect; the distribution handles workers that die later.
"""

import re
from collections.abc import Generator

import pytest

from independence_bench.pytest_plugin.bench import REFUSED
from independence_bench.pytest_plugin.slot_scheduling import Node
from independence_bench.safe_text import safe_text
from independence_bench.suite_folder import PACKAGED_SUITE

RESTARTS_PER_WORKER = 4  # xdist's own default under -n; with --tx it knows no limit

_RAISED = re.compile(r"^[\w.]*(?:Error|Exception|Exit|NotFound)\b:? ?(.*)", re.MULTILINE | re.DOTALL)
_ELSEWHERE = re.compile(r"arg (.*) not relative to an rsync root", re.DOTALL)


def limit_restarts(config: pytest.Config) -> None:
    """Let workers given by ``--tx`` be replaced as often as those of ``-n``; called before xdist is configured."""
    from xdist.workermanage import parse_tx_spec_config

    option = config.option
    if option.maxworkerrestart is None and not option.numprocesses:
        option.maxworkerrestart = str(RESTARTS_PER_WORKER * len(parse_tx_spec_config(config)))


class WorkerStart:
    """Watches the start of a session's workers, in xdist's controller."""

    def __init__(self) -> None:
        self._ready: set[Node] = set()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionstart(self) -> Generator[None, object, object]:
        """Report in one sentence why a gateway to a worker cannot be opened."""
        from execnet import HostNotFound, RemoteError

        try:
            return (yield)
        except (HostNotFound, RemoteError, EOFError, OSError) as error:
            cause = safe_text(str(error)) or type(error).__name__
            raise pytest.UsageError(
                f"--tx: a worker's Python cannot be started ({cause}); check host, port and the path after python="
            ) from None
        except ValueError as error:
            path = _ELSEWHERE.fullmatch(str(error))
            if path is None:
                raise
            raise pytest.UsageError(
                f"{path[1]}: workers on other hosts lack this path; install the package's wheel on every host, this "
                f"one too, name the suite as --pyargs {PACKAGED_SUITE}, and write options as --name=value"
            ) from None

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Node) -> None:
        """A worker has read its options and configs."""
        self._ready.add(node)

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_testnodedown(self, node: Node, error: object | None) -> None:
        """End the session if a worker refuses to start: its replacement would refuse as well."""
        raised = startup_error(error) if node not in self._ready else None
        if raised is not None:
            raise pytest.UsageError(f"{node.gateway.id} ({_place(node)}) could not start: {raised}")
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


def _place(node: Node) -> str:
    spec = node.gateway.spec
    return safe_text(str(spec.ssh or spec.socket or spec.chdir or "this machine"), 100)
