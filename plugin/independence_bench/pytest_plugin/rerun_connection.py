"""Works around faults of pytest-rerunfailures; the only module that uses another package's internals.

It leaves five dicts on every case that has run. Under xdist its workers report to the controller over a socket: with
Nagle's algorithm on, every item waits 44 ms for a delayed acknowledgement; and the address is always 127.0.0.1, which a
worker on another host cannot reach. Everything here is guarded: with a changed rerunfailures this module does nothing.
"""

import socket
import time
from collections.abc import Mapping
from typing import Any

import pytest

START_S = 5.0  # seconds that a status server may take to listen
ANSWER_S = 2.0  # seconds that a status server may take to answer

_PHASES = (
    "_test_failed_statuses",
    "_terminal_errors",
    "_test_xfailed",
    "_rerun_condition_excinfos",
    "_rerun_condition_results",
)


def before_connecting(config: pytest.Config) -> None:
    """In a worker that cannot reach the controller's status socket, start one, before rerunfailures is configured.
    Crashes are then counted per worker.
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
    except Exception:  # rerunfailures has changed: leave it alone
        return
    # The server starts to listen in its own thread, some time after it was created.
    until = time.monotonic() + START_S
    while not _answers(plugin, own_input) and time.monotonic() < until:
        time.sleep(0.01)
    worker_input.update(own_input)


def forget_phases(item: pytest.Item) -> None:
    """Take from a case that is over what it has noted of its setup, call and teardown: 0.9 KB for each case."""
    for name in _PHASES:
        item.__dict__.pop(name, None)


def _answers(plugin: Any, worker_input: Mapping[str, Any]) -> bool:
    names = ("sock_port", "statusdb_token")
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(ANSWER_S)  # another program may listen there and never answer
    try:
        client = plugin.ClientStatusDB(*(worker_input[name] for name in names if name in worker_input))
    except Exception:  # its protocol may fail in any way
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
