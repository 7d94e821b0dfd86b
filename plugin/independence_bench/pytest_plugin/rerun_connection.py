"""Two faults of pytest-rerunfailures under xdist, mended from outside; the one place that touches another's privates.

Its workers report to the controller over a socket: with Nagle's algorithm on, every item waits 44 ms for a delayed
acknowledgement; and the address is always 127.0.0.1, which a worker on another host cannot reach. Everything here is
guarded: where rerunfailures changes, nothing happens.
"""

import socket
import time

import pytest

START_S = 5.0
"""Seconds that a status server may take to listen."""


def before_connecting(config: pytest.Config) -> None:
    """In a worker that cannot reach the controller's status socket, put one of its own in its place.

    Crashes are then counted per worker, which is all that is known there. Called before rerunfailures is configured.
    """
    worker_input = getattr(config, "workerinput", None)
    plugin = config.pluginmanager.get_plugin("rerunfailures")
    server = getattr(plugin, "ServerStatusDB", None)
    if worker_input is None or server is None or "sock_port" not in worker_input:
        return
    if _answers(worker_input["sock_port"]):
        return
    own = server()
    # It begins to listen in a thread of its own, some time after it was made.
    until = time.monotonic() + START_S
    while not _answers(own.sock_port) and time.monotonic() < until:
        time.sleep(0.01)
    worker_input["sock_port"], worker_input["statusdb_token"] = own.sock_port, own.token


def _answers(port: int) -> bool:
    """Return whether somebody listens on this machine's port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return False
    return True


def without_delay(config: pytest.Config) -> None:
    """Send the worker's status lines at once."""
    connection = getattr(getattr(config, "failures_db", None), "sock", None)
    if isinstance(connection, socket.socket) and hasattr(config, "workerinput"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
