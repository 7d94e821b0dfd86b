"""What the plugin's tests share: the model server, and a scratch project that holds the real bench suite."""

from collections.abc import Iterator

import pytest
from bench_project import BenchProject
from model_server import ModelServer


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
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> BenchProject:
    """An empty project with the checkout's bench_tests/ in it, and nobody's keys."""
    for variable in ("OPENROUTER_API_KEY", "OPENAI_API_KEY", "NVIDIA_API_KEY", "CI", "BUILD_NUMBER"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("COLUMNS", "300")  # or pytest cuts the reasons off its summary lines
    return BenchProject.make(pytester, server)
