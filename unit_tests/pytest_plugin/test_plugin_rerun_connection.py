"""What rerunfailures does wrong under xdist is mended from outside, and nothing happens where it has changed."""

import socket
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_rerunfailures
from fault_server import free_port

from independence_bench.pytest_plugin.rerun_connection import _answers, before_connecting, without_delay

# rerunfailures closes neither its status server nor a client that could not connect.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


def config(plugin: object, **attributes: object) -> pytest.Config:
    manager = SimpleNamespace(get_plugin=lambda name: plugin if name == "rerunfailures" else None)
    return SimpleNamespace(pluginmanager=manager, **attributes)  # type: ignore[return-value]


def test_a_worker_that_cannot_reach_the_controller_gets_a_status_server_of_its_own() -> None:
    worker_input: dict[str, object] = {"sock_port": free_port(), "statusdb_token": "controller's"}
    before_connecting(config(pytest_rerunfailures, workerinput=worker_input))
    client = pytest_rerunfailures.ClientStatusDB(worker_input["sock_port"], worker_input["statusdb_token"])
    client.set_test_reruns("a::b", 2)
    assert client.get_test_reruns("a::b") == 2
    client.sock.close()


def test_a_worker_that_reaches_the_controller_keeps_its_address() -> None:
    server = pytest_rerunfailures.ServerStatusDB()
    worker_input = {"sock_port": server.sock_port, "statusdb_token": server.token}
    while not _answers(pytest_rerunfailures, worker_input):
        time.sleep(0.01)
    before_connecting(config(pytest_rerunfailures, workerinput=dict(worker_input)))
    assert worker_input == {"sock_port": server.sock_port, "statusdb_token": server.token}


@pytest.mark.parametrize("says", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", None], ids=["words", "nothing", "silence"])
def test_a_stranger_behind_the_controllers_port_is_not_taken_for_its_status_server(
    says: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("independence_bench.pytest_plugin.rerun_connection.ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as stranger:

        def serve() -> None:
            connection, _ = stranger.accept()
            with connection:
                if says is None:
                    time.sleep(0.5)
                else:
                    connection.sendall(says)

        threading.Thread(target=serve, daemon=True).start()
        worker_input: dict[str, Any] = {"sock_port": stranger.getsockname()[1], "statusdb_token": "controller's"}
        before_connecting(config(pytest_rerunfailures, workerinput=worker_input))
        assert worker_input["sock_port"] != stranger.getsockname()[1]
    assert _answers(pytest_rerunfailures, worker_input)
    assert socket.getdefaulttimeout() is None


@pytest.mark.parametrize(
    "plugin",
    [
        None,
        SimpleNamespace(),
        SimpleNamespace(ServerStatusDB=object),
        SimpleNamespace(ServerStatusDB=lambda port: port),
    ],
)
def test_without_rerunfailures_or_with_another_inside_nothing_happens(plugin: object) -> None:
    worker_input = {"sock_port": 1}
    before_connecting(config(plugin, workerinput=worker_input))
    assert worker_input == {"sock_port": 1}
    before_connecting(config(plugin))
    without_delay(config(plugin, workerinput={}))


def test_status_lines_are_sent_at_once() -> None:
    with socket.socket() as connection:
        without_delay(config(None, workerinput={}, failures_db=SimpleNamespace(sock=connection)))
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
