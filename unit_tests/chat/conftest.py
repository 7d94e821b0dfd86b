"""The fault server, one for the whole session: it forgets everything between two tests."""

from collections.abc import Iterator

import pytest
from fault_server import FaultServer


@pytest.fixture(scope="session")
def _fault_server() -> Iterator[FaultServer]:
    server = FaultServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def fault_server(_fault_server: FaultServer) -> FaultServer:
    """A local HTTP server that does what the test tells it to."""
    _fault_server.forget()
    return _fault_server
