"""What rerunfailures does wrong under xdist is mended from outside, and nothing happens where it has changed."""

import socket
from types import SimpleNamespace

from independence_bench.pytest_plugin.rerun_connection import without_delay


def test_status_lines_are_sent_at_once() -> None:
    with socket.socket() as connection:
        without_delay(SimpleNamespace(workerinput={}, failures_db=SimpleNamespace(sock=connection)))  # type: ignore[arg-type]
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_without_rerunfailures_nothing_happens() -> None:
    without_delay(SimpleNamespace(workerinput={}))  # type: ignore[arg-type]
