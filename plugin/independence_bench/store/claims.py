"""What running sessions are about to ask: of two whose work overlaps, the later one is refused before it asks anything.

Each session has a file beside the store with its work in it, and holds an operating-system lock on that file: a claim
ends with its process. Files of dead sessions are removed by the next one. The command ``stop`` adds a line to the file
of its session, which no later session can take for its own. Knows no table and no trial.
"""

import json
import os
import platform
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from independence_bench.bad_input import BadInput
from independence_bench.safe_text import safe_text
from independence_bench.store.lock import open_locked, take

NAMED = 16  # digits of a digest that name it in a claim

_STANDING = "standing"  # last line of a claim whose session has met no other: a later session is refused
_STOP = "stop"  # last line of a claim whose session is to stop
_BEGINNING_S = 2.0  # seconds that a claim may take to be written


class Claimant(NamedTuple):
    """A session; of two that begin at once the smaller one goes on."""

    since: float  # Unix time
    token: str
    pid: int
    host: str

    def __str__(self) -> str:
        since = time.strftime("%H:%M:%S UTC", time.gmtime(self.since))
        return safe_text(f"pid {self.pid} on {self.host}, since {since}")


@contextmanager
def claimed(store: Path, work: Collection[str]) -> Iterator[Callable[[], bool]]:
    """Claim work, any strings, until the block ends; yields a function that returns whether the session is to stop.
    Raises BadInput: a running session has claimed a part of it, or no claim can be written.
    """
    if not work:
        running_sessions(store)  # removes the claims of dead sessions, of which the last may have finished the work
        yield lambda: False
        return
    own = store.with_name(f"{store.name}.claim-{uuid4().hex[:12]}")
    about = Claimant(time.time(), own.name, os.getpid(), platform.node())
    with BadInput.instead_of(OSError, store, "cannot be claimed for this session ({}); name another with --store"):
        while (descriptor := open_locked(own, alone=True)) is None:
            pass  # for a moment another session takes it for that of a dead one
        try:
            lines = "\n".join([json.dumps(about), *work])
            _write(descriptor, f"{lines}\n\n")
            _refuse_overlap(store, own, about, frozenset(work))
            _write(descriptor, f"{_STANDING}\n")
        except BaseException:
            _let_go(own, descriptor)
            raise
    try:
        yield lambda: _ends_with(descriptor, f"{_STOP}\n".encode())
    finally:
        _let_go(own, descriptor)


def claimed_by(store: Path, pid: int, host: str) -> frozenset[str]:
    """Return the work that a running process has claimed, done or not; empty where it has claimed none."""
    with suppress(OSError):
        for file in _claims(store):
            if (found := _read(file)) is not None and (found[0].pid, found[0].host) == (pid, host):
                return found[1]
    return frozenset()


def running_sessions(store: Path) -> dict[Path, Claimant]:
    """Return the sessions that are measuring something for a store, by their claims, oldest first."""
    found = {file: claim for file in _claims(store) if (claim := _read(file)) is not None}
    alive = {file: claimant for file, (claimant, _, standing) in found.items() if standing}
    return dict(sorted(alive.items(), key=lambda each: each[1]))


def ask_to_stop(claim: Path) -> None:
    """Tell the session of a claim to stop; it looks every second. Raises OSError if it cannot be told."""
    with claim.open("r+b") as file:  # never makes a file: the session may have ended
        file.seek(0, os.SEEK_END)
        file.write(f"{_STOP}\n".encode())


def _ends_with(descriptor: int, line: bytes) -> bool:
    with suppress(OSError):
        os.lseek(descriptor, -len(line), os.SEEK_END)
        return os.read(descriptor, len(line)) == line
    return False


def _claims(store: Path) -> list[Path]:
    with suppress(FileNotFoundError):
        return [each for each in store.parent.iterdir() if each.name.startswith(f"{store.name}.claim-")]
    return []


def _write(descriptor: int, text: str) -> None:
    content = memoryview(text.encode("ascii"))
    while content:
        content = content[os.write(descriptor, content) :]


def _let_go(file: Path, descriptor: int) -> None:
    with suppress(OSError):
        file.unlink()
    os.close(descriptor)
    file.unlink(missing_ok=True)  # Windows removes no open file


def _refuse_overlap(store: Path, own: Path, about: Claimant, work: frozenset[str]) -> None:
    for file in [each for each in _claims(store) if each != own]:
        if (found := _read(file)) is None:
            continue
        theirs, claimed_work, standing = found
        if not standing and theirs > about:
            continue  # it begins now, and will meet this claim
        if common := len(work & claimed_work):
            raise BadInput(
                f"{store}: another session ({theirs}) is measuring {common} of the {len(work)} conversations and "
                "verdicts that are left here; wait until it has ended, or ask other models or runs"
            )


def _read(file: Path) -> tuple[Claimant, frozenset[str], bool] | None:
    """Return who claims what, and whether the claim stands; None if its session has ended. Then the file is removed."""
    until = time.monotonic() + _BEGINNING_S
    while True:
        try:
            claim = file.open("r+b")
        except OSError:
            return None
        with claim:
            if take(claim.fileno(), alone=True):
                with suppress(OSError):
                    file.unlink()
                return None
            with suppress(ValueError, TypeError, OSError):
                head, _, rest = claim.read().decode("ascii").partition("\n")
                work, whole, state = rest.partition("\n\n")
                if whole:
                    return Claimant(*json.loads(head)), frozenset(work.split("\n")), state.startswith(_STANDING)
        if time.monotonic() >= until:
            return None
        time.sleep(0.02)
