"""The lock of systems without flock, against a stand-in that locks bytes as Windows does."""

import importlib.util
import os
import sys
import types

import pytest


class LockedBytes(types.ModuleType):
    """Stands in for ``msvcrt``: byte ranges of a file, each held by one descriptor."""

    LK_NBLCK = 2

    def __init__(self):
        super().__init__("msvcrt")
        self.held: dict[int, int] = {}

    def locking(self, descriptor: int, mode: int, length: int) -> None:
        assert mode == self.LK_NBLCK
        start = os.lseek(descriptor, 0, os.SEEK_CUR)
        wanted = range(start, start + length)
        if any(byte in self.held for byte in wanted):
            raise OSError(36, "Resource deadlock avoided")
        self.held |= dict.fromkeys(wanted, descriptor)

    def close(self, descriptor: int) -> None:
        self.held = {byte: holder for byte, holder in self.held.items() if holder != descriptor}


@pytest.fixture
def locked(monkeypatch):
    stand_in = LockedBytes()
    monkeypatch.setitem(sys.modules, "msvcrt", stand_in)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    return stand_in


@pytest.fixture
def windows(locked):
    """The module as a system without flock loads it; ours stays as it is."""
    found = importlib.util.find_spec("independence_bench.store.lock")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def descriptors(tmp_path):
    opened = [os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(3)]
    yield opened
    for descriptor in opened:
        os.close(descriptor)


def test_several_hold_it_together_and_nobody_alone_beside_them(windows, locked, descriptors):
    one, two, three = descriptors
    assert windows.take(one, alone=False)
    assert windows.take(two, alone=False)
    assert not windows.take(three, alone=True)
    locked.close(one)
    assert not windows.take(three, alone=True)
    locked.close(two)
    assert windows.take(three, alone=True)
    assert not windows.take(one, alone=False)


def test_there_are_places_for_many_but_not_for_any_number(windows, descriptors):
    assert all(windows.take(descriptors[0], alone=False) for _ in range(windows.PLACES))
    assert not windows.take(descriptors[1], alone=False)


def test_the_text_in_the_file_stays_readable(windows, locked, descriptors):
    assert windows.take(descriptors[0], alone=True)
    assert min(locked.held) >= 1 << 20
