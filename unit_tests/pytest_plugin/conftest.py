"""What the plugin's tests share: the model server, and a scratch project that holds the real bench suite."""

import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_rerunfailures
from _pytest.assertion.rewrite import AssertionRewritingHook
from bench_project import NO_FOREIGN_PLUGINS, BenchProject
from model_server import ModelServer
from pytest_rerunfailures import ServerStatusDB


@pytest.fixture(scope="session")
def _server() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.stop()


@pytest.fixture
def server(_server: ModelServer) -> ModelServer:
    """A local model and judge that do what the test tells them to."""
    _server.forget()
    return _server


@pytest.fixture
def pytester(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.Pytester]:
    """A folder for sessions of pytest that load no plugin but ours and those that we need.

    The tests' own pytest does not rewrite the asserts of each copy of the suite, which takes a fortieth of a session.
    """
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(NO_FOREIGN_PLUGINS))
    finders = [finder for finder in sys.meta_path if not isinstance(finder, AssertionRewritingHook)]
    monkeypatch.setattr(sys, "meta_path", finders)
    servers: list[ServerStatusDB] = []

    class Closed(ServerStatusDB):
        def __init__(self) -> None:
            super().__init__()
            servers.append(self)

        def run_server(self) -> None:
            with suppress(OSError):
                super().run_server()

    monkeypatch.setattr(pytest_rerunfailures, "ServerStatusDB", Closed)
    yield pytester
    # Each session of this process has left one open, and after a thousand tests select() knows no further files.
    for server in servers:
        with suppress(OSError):
            server.sock.shutdown(socket.SHUT_RDWR)
        server.sock.close()


class NoRecord:
    """Stands in for pytester's record of every hook of a session: it takes a twentieth of the session, and no test of a
    project reads it.
    """

    ret: int | None = None

    def getcalls(self, names: str) -> list[Any]:
        return []

    def finish_recording(self) -> None:
        pass


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> BenchProject:
    """An empty project with the checkout's bench_tests/ in it, and nobody's keys."""
    for variable in (
        "OPENROUTER_API_KEY",
        "OPENAI_API_KEY",
        "NVIDIA_API_KEY",
        "CI",
        "BUILD_NUMBER",
        "GITHUB_STEP_SUMMARY",
    ):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pytester, "make_hook_recorder", lambda manager: NoRecord())
    monkeypatch.setenv("COLUMNS", "300")  # or pytest cuts the reasons off its summary lines
    return BenchProject.make(pytester, server)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that run whole sessions in a scratch project as slow."""
    for item in items:
        if "project" in getattr(item, "fixturenames", ()) and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)
