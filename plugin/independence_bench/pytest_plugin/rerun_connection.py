"""Works around faults of pytest-rerunfailures; the only module that uses another package's internals.

It leaves five dicts on every case that has run. Under xdist its workers report to the controller over a socket: with
Nagle's algorithm on, every item waits 44 ms for a delayed acknowledgement. With a changed rerunfailures this module
does nothing.
"""

import socket

import pytest

_PHASES = (
    "_test_failed_statuses",
    "_terminal_errors",
    "_test_xfailed",
    "_rerun_condition_excinfos",
    "_rerun_condition_results",
)


def forget_phases(item: pytest.Item) -> None:
    """Take from a case that is over what it has noted of its setup, call and teardown: 0.9 KB for each case."""
    for name in _PHASES:
        item.__dict__.pop(name, None)


def without_delay(config: pytest.Config) -> None:
    """Send the worker's status lines at once."""
    connection = getattr(getattr(config, "failures_db", None), "sock", None)
    if isinstance(connection, socket.socket) and hasattr(config, "workerinput"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
