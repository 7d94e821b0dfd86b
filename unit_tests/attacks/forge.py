"""A warm process whose forks are attacked: no attack waits for Python to start, and a shim breaks their system calls.

The shim (fault_shim.c) is compiled by the machine's C compiler and preloaded. Needs Linux.
"""

import ctypes
import errno
import importlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
SCALE = float(os.environ.get("INDEPENDENCE_BENCH_ATTACKS", "1"))
"""Share of the attacks of each front that is tried; 0 tries every one that there is."""
LIMIT_S = 300.0
"""Nothing that is attacked may take longer: a safety net, as what waits for ever takes longer."""
BESIDE_S = 150.0
"""The same for a command beside a process that stands still: SQLite itself tries for 10 s each time that it opens a store
whose log another process is just setting up."""

KINDS = range(7)
OPEN, WRITE, PWRITE, SYNC, TRUNCATE, RENAME, LOCK = KINDS
FAIL_ONCE, FAIL_ALWAYS, SHORT, SIGNAL, CLOCK = range(5)
MODULES = (
    "tabulate", "jinja2", "certifi", "_pytest.stepwise", "xdist", "pytest_rerunfailures", "scipy.stats", "aiohttp",
    "attacked_work",
)  # fmt: skip
PLUGINS = ("xdist", "rerunfailures", "independence_bench.pytest_plugin", "independence_bench.unnamed_suites")
PYTEST = ("-q", "--assert=plain", *(word for name in PLUGINS for word in ("-p", name)), "-p", "no:cacheprovider")


class Fault(NamedTuple):
    """What the shim does at the ``nth`` of certain calls on files below a folder; 0: it only counts."""

    calls: tuple[int, ...] = tuple(range(6))
    what: int = FAIL_ONCE
    value: int = 0
    """The error's number, the signal, or the seconds by which the clock moves."""
    nth: int = 0


ERRORS = {
    OPEN: [(FAIL_ONCE, errno.EMFILE), (FAIL_ALWAYS, errno.EMFILE), (FAIL_ONCE, errno.EIO), (FAIL_ONCE, errno.EINTR)],
    WRITE: [(FAIL_ALWAYS, errno.ENOSPC), (FAIL_ONCE, errno.EIO), (FAIL_ONCE, errno.EINTR), (SHORT, 0)],
    PWRITE: [
        *((FAIL_ONCE, each) for each in (errno.ENOSPC, errno.EIO, errno.EINTR)),
        *((FAIL_ALWAYS, each) for each in (errno.ENOSPC, errno.EIO)),
        (SHORT, 0),
    ],
    SYNC: [(FAIL_ONCE, errno.EIO), (FAIL_ALWAYS, errno.EIO)],
    TRUNCATE: [(FAIL_ONCE, errno.EIO), (FAIL_ALWAYS, errno.ENOSPC)],
    RENAME: [(FAIL_ONCE, errno.EIO), (FAIL_ALWAYS, errno.ENOSPC)],
}


@dataclass(frozen=True)
class Told:
    """How a process ended, and what it said. ``status``: below 0 a signal; None: it did not end."""

    status: int | None
    text: str
    counts: tuple[int, ...]
    """Calls on files below the folder, by kind."""
    all: int
    """Those of the kinds of the fault."""
    meanwhile: tuple["Told", ...] = ()


class Forge:
    """The warm process."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc")
        assert compiler is not None
        self.ended: Counter[tuple[str, str]] = Counter()
        """How the attacked processes of each test ended."""
        shim = folder / "fault_shim.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, HERE / "fault_shim.c", "-ldl"], check=True)
        environment = os.environ | {
            "LD_PRELOAD": str(shim),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "COLUMNS": "300",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        environment |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "forge.py"), str(folder / "output")],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self,
        folder: Path,
        words: Sequence[object],
        fault: Fault | None = None,
        *,
        below: Path | None = None,
        meanwhile: Sequence[Sequence[object]] = (),
        environment: dict[str, str | None] | None = None,
        memory_mb: int = 0,
    ) -> Told:
        """Carry out ``pytest WORDS``, ``independence-bench WORDS`` or ``module:function WORDS`` in a folder, and break
        calls on what is below it. ``meanwhile``: further commands, carried out while the first is stopped by a signal.
        ``memory_mb``: as much more than the warm process has may it take; 0: as much as it likes.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        fault = fault or Fault()
        kinds = sum(1 << each for each in fault.calls)
        job = {
            "folder": str(folder),
            "words": [str(word) for word in words],
            "fault": [kinds, fault.what, fault.value, fault.nth, str(below or folder)],
            "meanwhile": [[str(word) for word in each] for each in meanwhile],
            "environment": environment or {},
            "memory_mb": memory_mb,
        }
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        told = _told(json.loads(self._process.stdout.readline()))
        test = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].partition("[")[0].partition(" ")[0]
        met = "not met" if told.all < fault.nth else "well" if told.status == 0 else "with a sentence or by a signal"
        self.ended[test, met] += bool(fault.nth or memory_mb)
        return told

    def close(self) -> None:
        """End the warm process; it holds nothing that is worth the time of an orderly end."""
        self._process.kill()
        self._process.communicate()


def _told(answer: dict[str, Any]) -> Told:
    further = tuple(_told(each) for each in answer.pop("meanwhile", ()))
    return Told(**answer | {"counts": tuple(answer["counts"]), "meanwhile": further})


def some(attacks: Sequence[Any], seed: int, number: int) -> list[Any]:
    """Return some of the attacks, as many as the scale allows."""
    wanted = len(attacks) if SCALE == 0 else min(len(attacks), max(1, round(number * SCALE)))
    return Random(seed).sample(list(attacks), wanted)


def each_fault(counted: Told) -> list[Fault]:
    """Return every fault of every call that a process made."""
    return [
        Fault((kind,), what, value, nth)
        for kind, errors in ERRORS.items()
        for nth in range(1, counted.counts[kind] + 1)
        for what, value in errors
    ]


# --- the warm process -------------------------------------------------------------------------------------------------


def _serve(output: Path) -> None:
    from pkgutil import walk_packages

    import independence_bench

    for module in walk_packages(independence_bench.__path__, "independence_bench."):
        if not module.name.endswith((".__main__", "_windows")):
            importlib.import_module(module.name)
    for name in MODULES:
        importlib.import_module(name)
    from independence_bench.chat.client import ChatClient
    from independence_bench.store import database, lock

    lock.PATIENCE_S, database.BUSY_S = 0.05, 0.3
    ChatClient.__init__.__kwdefaults__["backoff_s"] = 0.02
    shim = ctypes.CDLL(None)
    for line in sys.stdin:
        job = json.loads(line)
        kinds, what, value, nth, below = job["fault"]
        shim.fault_arm(kinds, what, value, ctypes.c_long(nth), below.encode())
        answer = _attacked(job, output, shim)
        print(json.dumps(answer), flush=True)


def _attacked(job: dict[str, Any], output: Path, shim: ctypes.CDLL) -> dict[str, Any]:
    child = os.fork()
    if child == 0:
        _carry_out(job, output)
    status, meanwhile = _awaited(child, job, output, shim)
    counts = [shim.fault_count(kind) for kind in KINDS]
    text = output.read_text(errors="replace")
    return {"status": status, "text": text, "counts": counts, "all": shim.fault_count(-1), "meanwhile": meanwhile}


def _awaited(
    child: int, job: dict[str, Any], output: Path, shim: ctypes.CDLL
) -> tuple[int | None, list[dict[str, Any]]]:
    until, told = time.monotonic() + job.get("limit_s", LIMIT_S), []
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(status):
            shim.fault_arm(0, 0, 0, ctypes.c_long(0), b"/nowhere")
            for number, words in enumerate(job["meanwhile"]):
                beside = output.with_name(f"meanwhile-{number}")
                told.append(_attacked({**job, "words": words, "meanwhile": [], "limit_s": BESIDE_S}, beside, shim))
            os.kill(child, signal.SIGCONT)
        elif ended:
            return os.waitstatus_to_exitcode(status), told
        else:
            time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None, told


def _carry_out(job: dict[str, Any], output: Path) -> None:
    status = 70
    try:
        os.setsid()
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        os.chdir(job["folder"])
        for name, value in job["environment"].items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        time.tzset()
        if job["memory_mb"]:
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (taken + (job["memory_mb"] << 20),) * 2)
        status = int(_function(job["words"][0])(job["words"][1:]))
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
        os._exit(status)


def _function(name: str) -> Callable[[list[str]], int]:
    if name == "pytest":
        import pytest

        return lambda words: int(pytest.main([*words, *PYTEST]))
    if name == "independence-bench":
        from independence_bench.cli import main

        return main
    module, function = name.split(":")
    carry_out: Callable[[list[str]], int] = getattr(importlib.import_module(module), function)
    return carry_out


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
