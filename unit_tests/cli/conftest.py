"""A folder to give commands in, with or without a store."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli_samples import fill, measured
from cli_server import Server, serving

from independence_bench.cli import main


@dataclass
class Told:
    """What a command came to."""

    status: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder of the command; no terminal limits its width."""
    monkeypatch.chdir(tmp_path)
    for variable in ("COLUMNS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.fixture
def path(folder) -> Path:
    """Where the default store is made."""
    return folder / "reports" / "trials.sqlite"


@pytest.fixture
def store(path) -> Path:
    """The default store, with two models measured once."""
    return fill(path, *measured("some/model"), *measured("other/model"))


@pytest.fixture
def tell(folder, capfd) -> Callable[..., Told]:
    """Give a command in the folder."""

    def told(*argv: object) -> Told:
        capfd.readouterr()
        status = main([str(each) for each in argv])
        out, err = capfd.readouterr()
        return Told(status, out, err)

    return told


@pytest.fixture
def server() -> Iterator[Server]:
    """A server on this machine."""
    with serving() as state:
        yield state
