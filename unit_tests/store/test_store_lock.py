"""The lock on a store: sessions together, whoever rearranges it alone, nothing stale after a kill. Real processes."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from independence_bench import drafts
from independence_bench.bad_input import BadInput
from independence_bench.store import lock
from independence_bench.store.lock import exclusive_lock, lock_file, shared_lock

_HOLDER = """
import sys
from pathlib import Path
from independence_bench.store.lock import exclusive_lock, shared_lock
hold = {"shared": shared_lock, "exclusive": exclusive_lock}[sys.argv[1]]
with hold(Path(sys.argv[2]), sys.argv[3]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def store(tmp_path):
    return tmp_path / "trials.sqlite"


@contextmanager
def another_process(kind: str, store: Path, doing: str = "a session"):
    """A process that holds the lock until the block ends."""
    command = [sys.executable, "-c", _HOLDER, kind, str(store), doing]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_two_sessions_hold_a_store_together(store):
    with another_process("shared", store) as other, shared_lock(store, patience_s=0):
        assert other.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theirs", "ours"), [("shared", exclusive_lock), ("exclusive", exclusive_lock), ("exclusive", shared_lock)]
)
def test_whoever_holds_a_store_alone_meets_nobody(store, theirs, ours):
    more = {"patience_s": 0} if ours is shared_lock else {}
    with another_process(theirs, store), pytest.raises(BadInput, match="in use"), ours(store, **more):
        pytest.fail("the store is held")


def test_a_refusal_names_who_holds_the_store_and_the_remedy(store):
    with another_process("shared", store, "a\x1b[31m session") as process, pytest.raises(BadInput) as refusal:  # noqa: SIM117
        with exclusive_lock(store):
            pass
    sentence = str(refusal.value)
    assert sentence.startswith(f"{store}: in use by a [31m session (pid {process.pid} on {os.uname().nodename}, since ")
    assert sentence.endswith("; wait until it has ended, or end it, and run the command again")


def test_a_refusal_counts_those_who_hold_the_store_together(store):
    with (
        another_process("shared", store),
        shared_lock(store, "mine"),
        pytest.raises(BadInput) as refusal,
        exclusive_lock(store),
    ):
        pass
    assert f"in use by mine (pid {os.getpid()} " in str(refusal.value)
    assert " and 1 more; wait" in str(refusal.value)


def test_whoever_has_let_go_is_not_named_any_more(store):
    with another_process("shared", store) as process:
        with shared_lock(store, "mine"):
            pass
        with pytest.raises(BadInput, match=f"in use by a session \\(pid {process.pid} "), exclusive_lock(store):
            pass


def test_a_session_waits_for_a_merge_to_end(store):
    entered = []
    with exclusive_lock(store, "a merge"):
        waiting = threading.Thread(target=lambda: entered.append(_enter(shared_lock(store, patience_s=20))))
        waiting.start()
        time.sleep(0.15)
        assert not entered
    waiting.join()
    assert entered == [True]


def test_waiting_is_told_to_a_log_that_nobody_hears_by_default(store, caplog, capfd):
    with (
        exclusive_lock(store, "a\x1b[31m merge"),
        pytest.raises(BadInput),
        shared_lock(store, "a session", patience_s=0.01),
    ):
        pass
    assert capfd.readouterr() == ("", "")
    caplog.set_level("DEBUG", "independence_bench.store")
    with (
        exclusive_lock(store, "a\x1b[31m merge"),
        pytest.raises(BadInput),
        shared_lock(store, "a session", patience_s=0.01),
    ):
        pass
    assert caplog.messages[0].startswith(f"trials.sqlite: a session waits for a [31m merge (pid {os.getpid()} ")


def _enter(held: AbstractContextManager[None]) -> bool:
    with held:
        return True


def test_the_lock_of_a_killed_process_holds_nobody_up(store):
    with another_process("exclusive", store) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert lock_file(store).exists()
        with exclusive_lock(store):
            pass


def test_those_who_were_killed_are_not_named(store):
    with another_process("shared", store) as killed:
        killed.kill()
        killed.wait()
    with another_process("shared", store) as alive, pytest.raises(BadInput) as refusal, exclusive_lock(store):
        pass
    assert f"pid {alive.pid} " in str(refusal.value)
    assert str(killed.pid) not in str(refusal.value)


def test_nothing_stays_beside_a_store_that_nobody_uses(store):
    with shared_lock(store):
        with shared_lock(store):
            pass
        assert lock_file(store).exists()
    assert not lock_file(store).exists()
    with exclusive_lock(store):
        pass
    assert not lock_file(store).exists()


def test_the_lock_is_let_go_when_the_block_fails(store):
    with pytest.raises(ZeroDivisionError), exclusive_lock(store):
        raise ZeroDivisionError
    with exclusive_lock(store):
        pass


def test_a_lock_file_that_is_removed_between_opening_and_locking_is_not_held(store, monkeypatch):
    taken = []

    def take(descriptor, *, alone):
        if not taken:
            lock_file(store).unlink()  # its last holder leaves just now
        taken.append(descriptor)
        return True

    monkeypatch.setattr(lock, "take", take)
    with shared_lock(store):
        assert len(taken) == 2
        assert lock_file(store).exists()


def test_the_text_of_the_lock_file_may_be_anything(store):
    with shared_lock(store):
        with lock_file(store).open("a") as file:
            file.write('half a li\n[]\n{"pid": "x", "host": 1}\n{"token": "t", "pid": 1e99, "host": "h"}\n')
        with pytest.raises(BadInput, match=f"in use by a session \\(pid {os.getpid()} "), exclusive_lock(store):
            pass
        lock_file(store).write_bytes(b"\xff\xfe")
        with pytest.raises(BadInput, match="in use by another process;"), exclusive_lock(store):
            pass


def test_a_holder_on_another_host_is_named_whether_or_not_a_process_of_that_number_lives_here(store):
    with shared_lock(store):
        line = {"token": "t", "pid": 2**22 + 1, "host": "far-away", "doing": "a session", "since": 0}
        with lock_file(store).open("a") as file:
            file.write(json.dumps(line) + "\n")
        with pytest.raises(BadInput, match=f"pid {2**22 + 1} on far-away, since 00:00:00 UTC"), exclusive_lock(store):
            pass


def test_a_process_of_another_user_lives(monkeypatch):
    def kill(pid, number):
        raise PermissionError

    monkeypatch.setattr(os, "kill", kill)
    assert drafts.lives(1)


def test_on_windows_no_process_is_sent_a_signal(monkeypatch):
    monkeypatch.setattr(drafts.os, "name", "nt")
    monkeypatch.setattr(os, "kill", lambda pid, number: pytest.fail("signal 0 is Ctrl-C there"))
    assert drafts.lives(1)


def test_a_store_that_cannot_be_locked_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match=r"trials.sqlite: cannot be locked \(.*name a store in a folder"):
        _enter(shared_lock(tmp_path / "file" / "trials.sqlite"))


def test_a_fault_of_the_file_system_leaves_no_open_file(store, monkeypatch):
    def take(descriptor, *, alone):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(lock, "take", take)
    before = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    with pytest.raises(BadInput, match="Operation not supported"):
        _enter(shared_lock(store))
    assert not before or len(list(Path("/proc/self/fd").iterdir())) == before
