"""What every server on this machine does with browsers that hang up, and with its own end."""

import http.client
import socket
import struct
import threading
from functools import partial

import pytest
from cli_server import response_of, running

from independence_bench.cli.serving import LocalRequests, local_server, server_of

RESET = struct.pack("ii", 1, 0)
"""SO_LINGER: closing sends a reset at once."""


def hang_up(port: int, sent: bytes) -> None:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    connection.sendall(sent)
    connection.close()


def test_browsers_that_hang_up_leave_no_word_and_a_server_that_answers(tmp_path, capfd) -> None:
    (tmp_path / "page.html").write_text("x" * 1_000_000)
    with running(server_of(tmp_path, 0)) as port:
        for _ in range(50):
            hang_up(port, b"GET /page.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
            hang_up(port, b"GET /page.html HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            hang_up(port, b"GET /pa")
        assert response_of(port, "/page.html")[0] == 200
    assert capfd.readouterr() == ("", "")


class _Failing(LocalRequests):
    def __init__(self, *arguments: object, error: Exception) -> None:
        self._error = error
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        raise self._error


@pytest.mark.parametrize("error", [ConnectionResetError(), BrokenPipeError(), ConnectionAbortedError()], ids=repr)
def test_a_lost_connection_is_no_trouble(error: Exception, capfd) -> None:
    with running(local_server(partial(_Failing, error=error), 0)) as port:
        hang_up(port, b"GET / HTTP/1.0\r\n\r\n")
        with pytest.raises(http.client.RemoteDisconnected):
            response_of(port, "/page.html")
    assert capfd.readouterr() == ("", "")


def test_any_other_trouble_is_told_in_one_sentence(capfd) -> None:
    with (
        running(local_server(partial(_Failing, error=ValueError("no\nsuch \x1b[1mnumber")), 0)) as port,
        pytest.raises(http.client.RemoteDisconnected),
    ):
        response_of(port, "/page.html")
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("independence-bench: a request of the browser failed (ValueError: no")
    assert err.count("\n") == 1 and "\x1b" not in err


def test_its_end_waits_for_its_threads_and_for_no_browser(tmp_path) -> None:
    with server_of(tmp_path, 0) as server, socket.create_connection(server.server_address, timeout=10) as idle:
        idle.sendall(b"GET /pa")
        before = set(threading.enumerate())
        server.handle_request()
        (reading,) = set(threading.enumerate()) - before
        server.server_close()
        assert not reading.is_alive()
