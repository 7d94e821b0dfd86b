"""The lock on a store: one process at a time, nothing stale after a kill. Real processes."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from independence_bench import drafts
from independence_bench.bad_input import BadInput
from independence_bench.store.lock import Holder, holder_of, locked, request_stop

_HOLDER = """
import sys
from pathlib import Path
from independence_bench.store.lock import locked
with locked(Path(sys.argv[1]), sys.argv[2]) as lock:
    lock.note_work(3)
    print("locked", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "trials.sqlite"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("independence_bench.store.lock.PATIENCE_S", 0)


@contextmanager
def another_process(store: Path, doing: str = "a session") -> "Iterator[subprocess.Popen[str]]":
    """A process that holds the lock until the block ends."""
    command = [sys.executable, "-c", _HOLDER, str(store), doing]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "locked\n"
            yield process
        finally:
            process.kill()


def refusal(store: Path, doing: str = "a session") -> str:
    with pytest.raises(BadInput) as error, locked(store, doing):
        pytest.fail("the store is locked twice")
    return str(error.value)


def test_a_second_process_is_refused_and_told_who_holds_the_store_since_when_and_the_remedy(store: Path) -> None:
    with another_process(store, "a\x1b[31m session") as process:
        sentence = refusal(store)
        assert sentence.startswith(
            f"{store}: in use by a [31m session (pid {process.pid} on {os.uname().nodename}, since "
        )
        assert sentence.endswith(
            " UTC); wait until it has ended (`independence-bench stop` ends a session), or measure into another --store "
            "and `merge` both later"
        )
        assert refusal(store, "a merge").endswith("(`independence-bench stop` ends a session)")
        assert process.poll() is None


def test_a_link_to_a_store_is_the_store(store: Path) -> None:
    link = store.with_name("link.sqlite")
    link.symlink_to(store)
    with another_process(store) as process:
        assert f"in use by a session (pid {process.pid} " in refusal(link)
        assert (holder := holder_of(link)) is not None and holder.pid == process.pid


def test_the_lock_of_a_killed_process_holds_nobody_up_and_it_is_not_named(store: Path) -> None:
    with another_process(store) as process:
        process.kill()
        process.wait()
        assert holder_of(store) is None
        with locked(store, "a session"):
            assert (holder := holder_of(store)) is not None and (holder.pid, holder.work) == (os.getpid(), None)


def test_the_lock_is_released_when_the_block_fails_and_names_nobody_afterwards(store: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(store, "a session"):
        raise ZeroDivisionError
    assert [*store.parent.iterdir()] == []
    with locked(store, "a session"):
        pass


def test_a_session_whose_folder_was_moved_leaves_the_lock_of_the_next_one_alone(tmp_path: Path) -> None:
    store = tmp_path / "reports" / "trials.sqlite"
    with locked(store, "a session"):
        store.parent.rename(tmp_path / "elsewhere")
        store.parent.mkdir()
        next_one = locked(store, "a session")
        next_one.__enter__()
    assert "in use by a session (pid " in refusal(store)
    next_one.__exit__(None, None, None)


def test_a_process_that_is_just_ending_is_waited_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("independence_bench.store.lock.PATIENCE_S", 60)
    with another_process(store) as process:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        with locked(store, "a session"):
            assert holder_of(store) is not None


def test_a_request_to_stop_reaches_the_holder_and_not_the_next_one(store: Path) -> None:
    with locked(store, "a session") as lock:
        lock.note_work(12)
        assert not lock.stop_requested()
        request_stop(store)
        assert lock.stop_requested()
        assert (holder := holder_of(store)) is not None and holder.work == 12
    with pytest.raises(FileNotFoundError):
        request_stop(store)
    with locked(store, "a session") as later:
        assert not later.stop_requested()


def test_the_request_to_a_killed_process_does_not_reach_the_next_one(store: Path) -> None:
    with another_process(store) as process:
        request_stop(store)
        process.kill()
        process.wait()
    with locked(store, "a session") as later:
        assert not later.stop_requested()


@pytest.mark.parametrize("text", ["", "half a li", "[]\n", '{"pid": "x"}\n', '{"pid": 1e99}\n', "\xff"])
def test_a_holder_whose_file_says_nothing_is_another_process(store: Path, text: str) -> None:
    with locked(store, "a session"):
        store.with_name("trials.sqlite.holder").write_bytes(text.encode("latin-1"))
        assert "in use by another process; " in refusal(store)


def test_a_holder_on_another_host_is_named_while_the_lock_is_held_and_not_after_it_was_killed(store: Path) -> None:
    far = Holder(pid=2**22 + 1, host="far-away", doing="a session", since=0)
    store.with_name("trials.sqlite.holder").write_text(far.model_dump_json())
    with FileLock(store.with_name("trials.sqlite.lock")):
        assert str(holder_of(store)) == f"a session (pid {2**22 + 1} on far-away, since 00:00:00 UTC)"
    store.with_name("trials.sqlite.lock").touch()
    assert holder_of(store) is None


def test_a_process_of_another_user_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(pid: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", kill)
    assert drafts.lives(1)


def test_on_windows_no_process_is_sent_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts.os, "name", "nt")
    monkeypatch.setattr(os, "kill", lambda pid, number: pytest.fail("signal 0 is Ctrl-C there"))
    assert drafts.lives(1)


def test_a_store_that_cannot_be_locked_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match=r"trials.sqlite: cannot be locked \(.*name a store in a folder"):
        locked(tmp_path / "file" / "trials.sqlite", "a session").__enter__()


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK])
@pytest.mark.skipif(sys.platform == "win32", reason="flock is of Unix")
def test_a_file_system_without_locks_is_refused(store: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    import fcntl

    def flock(descriptor: int, operation: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(BadInput, match=rf"cannot be locked \(.*{os.strerror(number)}"):
        locked(store, "a session").__enter__()
