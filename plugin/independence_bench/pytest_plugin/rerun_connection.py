"""Two faults of pytest-rerunfailures under xdist, mended from outside; the one place that touches another's privates.

Its workers report to the controller over a socket: with Nagle's algorithm on, every item waits 44 ms for a delayed
acknowledgement; and the address is always 127.0.0.1, which a worker on another host cannot reach. Everything here is
guarded: where rerunfailures changes, nothing happens.
"""

import socket

import pytest


def before_connecting(config: pytest.Config) -> None:
    """In a worker that cannot reach the controller's status socket, put one of its own in its place.

    Crashes are then counted per worker, which is all that is known there. Called before rerunfailures is configured.
    """
    worker_input = getattr(config, "workerinput", None)
    plugin = config.pluginmanager.get_plugin("rerunfailures")
    server = getattr(plugin, "ServerStatusDB", None)
    if worker_input is None or server is None or "sock_port" not in worker_input:
        return
    try:
        socket.create_connection(("127.0.0.1", worker_input["sock_port"]), timeout=2).close()
    except OSError:
        own = server()
        worker_input["sock_port"], worker_input["statusdb_token"] = own.sock_port, own.token


def without_delay(config: pytest.Config) -> None:
    """Send the worker's status lines at once."""
    connection = getattr(getattr(config, "failures_db", None), "sock", None)
    if isinstance(connection, socket.socket) and hasattr(config, "workerinput"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
