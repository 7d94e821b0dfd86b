"""Two faults of pytest-rerunfailures under xdist, mended from outside; the one place that touches another's privates.

Its workers report to the controller over a socket: with Nagle's algorithm on, every item waits 44 ms for a delayed
acknowledgement; and the address is always 127.0.0.1, which a worker on another host cannot reach. Everything here is
guarded: where rerunfailures changes, nothing happens.
"""

import socket
import time
from collections.abc import Mapping
from typing import Any

import pytest

START_S = 5.0
"""Seconds that a status server may take to listen."""
ANSWER_S = 2.0
"""Seconds that it may take to answer."""


def before_connecting(config: pytest.Config) -> None:
    """In a worker that cannot reach the controller's status socket, put one of its own in its place.

    Crashes are then counted per worker, which is all that is known there. Called before rerunfailures is configured.
    """
    worker_input = getattr(config, "workerinput", {})
    plugin = config.pluginmanager.get_plugin("rerunfailures")
    if plugin is None or "sock_port" not in worker_input or _answers(plugin, worker_input):
        return
    try:
        own = plugin.ServerStatusDB()
        own_input = {"sock_port": own.sock_port}
        if hasattr(own, "token"):
            own_input["statusdb_token"] = own.token
    except Exception:  # it has changed: what it does then is its own business
        return
    # It begins to listen in a thread of its own, some time after it was made.
    until = time.monotonic() + START_S
    while not _answers(plugin, own_input) and time.monotonic() < until:
        time.sleep(0.01)
    worker_input.update(own_input)


def _answers(plugin: Any, worker_input: Mapping[str, Any]) -> bool:
    """Return whether the session's own status server is behind this machine's port: on another host anybody may be."""
    names = ("sock_port", "statusdb_token")
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(ANSWER_S)  # somebody else may listen there and never say a word
    try:
        client = plugin.ClientStatusDB(*(worker_input[name] for name in names if name in worker_input))
    except Exception:  # its protocol is its own business, so is the way in which it fails
        return False
    finally:
        socket.setdefaulttimeout(before)
    client.sock.close()
    return True


def without_delay(config: pytest.Config) -> None:
    """Send the worker's status lines at once."""
    connection = getattr(getattr(config, "failures_db", None), "sock", None)
    if isinstance(connection, socket.socket) and hasattr(config, "workerinput"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
