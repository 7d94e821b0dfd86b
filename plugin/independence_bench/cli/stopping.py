"""The command ``stop``: tells a running session to end, and waits until it has."""

import time
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.cli.terminal import say
from independence_bench.store.claims import ask_to_stop, running, stands

LOOK_EVERY_S = 0.1


def stop_session(store: Path, pid: int | None) -> int:
    """Stop the only session that measures for a store, or that of a process; return the exit status.

    Raises:
        BadInput: there is no such session, or there are several and none is named.
    """
    found = running(store)
    chosen = {file: one for file, one in found.items() if pid in (None, one.pid)}
    sessions = "; ".join(map(str, found.values()))
    if not found:
        raise BadInput(f"{store}: no session is measuring anything for it; there is nothing to stop")
    if not chosen:
        raise BadInput(f"--pid: no session of process {pid} uses {store}; running: {sessions}")
    if len(chosen) > 1:
        raise BadInput(f"--pid: several sessions use {store} ({sessions}); name the one to stop by its pid")
    ((claim, session),) = chosen.items()
    try:
        ask_to_stop(claim)
    except FileNotFoundError:
        pass  # it has just ended
    else:
        say(f"The session ({session}) ends what it has begun; it stops even if you do not wait here.")
    while stands(claim):
        time.sleep(LOOK_EVERY_S)
    say("It has ended; the command that started it continues it.")
    return 0
