"""Claims of sessions on what they will ask: real processes, nothing stale after a kill."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.store import claims, lock
from independence_bench.store.claims import claimed

_HOLDER = """
import sys
from pathlib import Path
from independence_bench.store.claims import claimed
with claimed(Path(sys.argv[1]), sys.argv[2:]):
    print("claimed", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "trials.sqlite"


@contextmanager
def another_session(store: Path, *work: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-c", _HOLDER, str(store), *work]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "claimed\n"
            yield process
        finally:
            process.kill()


def test_overlapping_work_is_refused_with_pid_and_time_disjoint_work_and_none_are_not(store: Path) -> None:
    with another_session(store, "a", "b") as other:
        told = rf"another session \(pid {other.pid} on .*, since \d\d:\d\d:\d\d UTC\) is measuring 1 of the 2 conversations"
        with pytest.raises(BadInput, match=told), claimed(store, {"b", "c"}):
            pytest.fail("the work is claimed")
        with claimed(store, {"c", "d"}), claimed(store, set()):
            assert other.poll() is None
        assert len([*store.parent.iterdir()]) == 1  # neither a refused nor an ended claim stays


def test_a_claim_that_another_session_looks_at_before_it_is_locked_is_locked_after_that(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, refused = lock.take, list[int]()

    def taken(descriptor: int, *, alone: bool) -> bool:
        if refused:
            return take(descriptor, alone=alone)
        refused.append(descriptor)
        return False

    monkeypatch.setattr(lock, "take", taken)
    with claimed(store, {"a"}):
        (claim,) = store.parent.iterdir()
        assert refused and claim in claims.running_sessions(store)


def test_a_dead_sessions_claim_ends_with_its_lock_and_its_file_is_removed(store: Path) -> None:
    with another_session(store, "a") as other:
        other.kill()
        other.wait()
        assert len([*store.parent.iterdir()]) == 1
        with claimed(store, {"a"}):
            assert len([*store.parent.iterdir()]) == 1
    assert not [*store.parent.iterdir()]


def test_of_two_that_begin_at_once_one_goes_on(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse, went_on = claims._refuse_overlap, list[str]()

    def second_begins_first(*given: object) -> None:
        monkeypatch.setattr(claims, "_refuse_overlap", refuse)
        with suppress(BadInput), claimed(store, {"a"}):
            went_on.append("second")
        refuse(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(claims, "_refuse_overlap", second_begins_first)
    with claimed(store, {"a"}):
        went_on.append("first")
    assert went_on == ["first"]


def test_a_folder_that_takes_no_claim_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be claimed"), claimed(tmp_path / "missing" / "t.sqlite", {"a"}):
        pytest.fail("there is no such folder")


def test_a_session_is_told_to_stop_through_its_own_claim_and_the_next_one_is_not(store: Path) -> None:
    with claimed(store, {"a"}) as first, claimed(store, {"b"}) as second:
        claim, other = claims.running_sessions(store)
        assert [each.pid for each in claims.running_sessions(store).values()] == [os.getpid()] * 2
        claims.ask_to_stop(claim)
        assert (first(), second()) == (True, False)
        assert {*claims.running_sessions(store)} == {claim, other}
        with pytest.raises(BadInput, match="another session"), claimed(store, {"a"}):
            pytest.fail("a session that is stopping still measures what it has claimed")
    assert claims.running_sessions(store) == {}
    with claimed(store, {"a"}) as later:
        assert not later()
    with pytest.raises(FileNotFoundError):
        claims.ask_to_stop(claim)


def test_the_request_of_a_dead_session_goes_with_its_claim(store: Path) -> None:
    with another_session(store, "a") as other:
        (claim,) = claims.running_sessions(store)
        claims.ask_to_stop(claim)
        other.kill()
        other.wait()
        assert claims.running_sessions(store) == {}
        with claimed(store, {"a"}) as told:
            assert not told()


def test_a_session_without_work_removes_the_claim_of_a_dead_one(tmp_path) -> None:
    store = tmp_path / "trials.sqlite"
    left = store.with_name(f"{store.name}.claim-0123456789ab")
    left.write_text('[1.0, "x", 1, "host"]\nwork\n\nstanding\n')
    with claimed(store, ()):
        assert not left.exists()
