"""A session of the suite from a script or a notebook: pytest in a separate process, with the suite's guarantees.

The process is what ``pytest bench_tests`` is: the same plan, store, limits, gate and exit status. It has its own event
loop and signal handlers, so that a notebook's running loop and the session do not meet.
"""

import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from independence_bench.api.results import Results
from independence_bench.api.results import open as open_results
from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.catalogue import packaged_folder
from independence_bench.option_table import GATE_OPTIONS, OPTIONS
from independence_bench.store.damage import size_and_time

_TOLD = 40
"""Last lines of the session's output that an exception quotes."""


class SessionFailed(Exception):
    """A session that did not do all that was asked; what it measured is stored, and the next session continues.

    ``status`` is pytest's exit status, ``output`` are the last lines that the session printed.
    """

    def __init__(self, why: str, status: int, output: str) -> None:
        super().__init__(f"{why} (exit status {status})\n{output}")
        self.status = status
        self.output = output


class SessionIncomplete(SessionFailed):
    """Something that was planned could not be measured."""


class GateFailed(SessionFailed):
    """The gate failed."""


class GateInconclusive(SessionFailed):
    """The gate could not decide, or something that was planned is not measured."""


_FAILURES: dict[int, tuple[type[SessionFailed], str]] = {
    1: (SessionIncomplete, "something could not be measured"),
    10: (GateFailed, "the gate failed"),
    11: (GateInconclusive, "the gate is inconclusive, or a planned trial is not measured"),
}


@dataclass(frozen=True)
class MeasuredSession:
    """What a session came to."""

    status: int
    """The exit status of pytest: 0, and with ``check=False`` also 1, 10 or 11."""
    store: Path
    """The file that holds what was measured."""
    session: dict[str, Any] | None
    """What ``session.json`` says; None where the session wrote none."""
    gate: dict[str, Any] | None
    """What ``gate.json`` says; None without a gate."""
    output: str
    """The last lines that the session printed."""

    def __repr__(self) -> str:
        return f"<session with exit status {self.status} in {self.store}>"

    def results(self) -> Results:
        """Open the results of the store."""
        return open_results(self.store)


def measure(
    *,
    models: str | Sequence[str],
    folder: str | Path = ".",
    judge: str | Sequence[str] | None = None,
    suite: str | Path | Sequence[str | Path] | None = None,
    workers: int = 0,
    progress: bool = True,
    check: bool = True,
    **options: object,
) -> MeasuredSession:
    """Measure models as ``pytest bench_tests`` does, and return once the session has ended.

    ``options`` are those of the suite with underscores: ``edition="v2"``, ``runs=5``, ``max_cost=2.0``,
    ``min_index=70``; True is a switch, a list is a repeated option. ``folder`` is the root: its ``configs/``, ``.env``
    and ``reports/`` are used, its pytest settings are not. ``suite`` is a suite of your own, or several: with scenarios
    in Python, ``suite=[ib.packaged_suite(), "own"]``. ``workers`` are xdist's.
    ``progress`` prints what the session prints. Keys come from the environment or from ``.env``, as ever.

    It works while an event loop is running, and blocks it; ``await asyncio.to_thread(ib.measure, …)`` does not.
    An interrupt ends the session as Ctrl-C ends pytest: what is measured is kept.

    Raises:
        BadInput: an option or a file is wrong; nothing was asked.
        SessionIncomplete: something could not be measured.
        GateFailed: the gate failed.
        GateInconclusive: the gate could not decide.
        SessionFailed: pytest ended otherwise.
        TypeError: the suite has no such option.
    """
    root = Path(folder).resolve()
    reports = root / Path(str(options.get("reports", "reports")))
    store = root / Path(str(options.get("store", reports / "trials.sqlite")))
    options = {**options, "model": models, "judge": judge, "reports": str(reports), "store": str(store)}
    suites = [suite or packaged_suite()] if suite is None or isinstance(suite, str | Path) else suite
    words = [sys.executable, "-m", "pytest", *map(str, suites), f"--rootdir={root}", f"-c{os.devnull}"]
    words += ["-p", "no:cacheprovider", *([f"-n{workers}"] if workers else []), *_words(options)]
    written = {name: size_and_time(reports / name) for name in ("session.json", "gate.json")}
    status, output = _run(words, root, progress)
    found = {name: _json(reports / name) for name, at in written.items() if size_and_time(reports / name) != at}
    if status == 4:
        raise BadInput(_refusal(output))
    if check and status:
        failed, why = _FAILURES.get(status, (SessionFailed, "the session ended early"))
        raise failed(why, status, output)
    return MeasuredSession(status, store, found.get("session.json"), found.get("gate.json"), output)


def packaged_suite() -> Path:
    """Return the bench_tests/ that came with this package: inside the wheel, or at the root of a checkout."""
    return packaged_folder("bench_tests")


def _words(options: dict[str, object]) -> Iterator[str]:
    known = {option.name.replace("-", "_"): option.name for option in (*OPTIONS, *GATE_OPTIONS)}
    for name, value in options.items():
        if name not in known:
            raise TypeError(f"measure() has no option {name!r}; {near_matches(name, sorted(known))}")
        if value is None or value is False:
            continue
        flag = f"--bench-{known[name]}"
        values = [value] if isinstance(value, str | int | float | Path) else value
        if not isinstance(values, Sequence):
            raise TypeError(f"{name}: give a text, a number, True, or a list of them")
        yield from (flag if each is True else f"{flag}={each}" for each in values)


def _run(words: Sequence[str], root: Path, progress: bool) -> tuple[int, str]:
    """Run a session and return its exit status and last lines; an interrupt is passed on once, and then raised."""
    last: deque[str] = deque(maxlen=_TOLD)
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    # A group of its own: the terminal's Ctrl-C reaches us alone, and we pass it on once.
    child = subprocess.Popen(  # noqa: S603 -- our own words, no shell
        words, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, text=True, encoding="utf-8", errors="replace", start_new_session=True,
    )  # fmt: skip
    assert child.stdout is not None
    interrupted = False
    with child:
        while True:
            try:
                for line in child.stdout:
                    if line.startswith("configfile: ") and Path(line.rstrip()).name == Path(os.devnull).name:
                        continue  # says only that no file is read
                    last.append(line)
                    if progress:
                        print(line, end="")
                break
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                child.send_signal(signal.SIGINT)
    if interrupted:
        raise KeyboardInterrupt
    return child.returncode, "".join(last)


def _refusal(output: str) -> str:
    told = [line for line in output.splitlines() if line.startswith("ERROR: ") and not line.startswith("ERROR: usage:")]
    told += [line.partition(": error: ")[2] for line in output.splitlines() if ": error: " in line]
    return told[-1].removeprefix("ERROR: ") if told else output


def _json(file: Path) -> dict[str, Any] | None:
    found = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None
    return found if isinstance(found, dict) else None
