"""The commands ``site`` and ``view``: what they write, whom they serve, what they refuse."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from cli_server import response_of, running

from independence_bench.cli import main
from independence_bench.cli.serving import server_of


def test_site_writes_pages_and_says_where(folder, store, tell) -> None:
    told = tell("site")

    assert (told.status, told.out.strip(), told.err) == (0, str(Path("reports/site/index.html")), "")
    text = (folder / "reports/site/index.html").read_text("utf-8")
    assert "some/model" in text and "other/model" in text
    assert "v1.1" in (folder / "reports/site/method.html").read_text("utf-8")
    assert tell("site", "--store=reports/trials.sqlite", "--reports=public").status == 0
    assert (folder / "public/site/index.html").is_file()


def test_view_serves_the_site_on_this_machine_alone_until_interrupted(folder, store, monkeypatch, capfd) -> None:
    opened, asked = [], []

    def read_and_interrupt(server, *_: object) -> None:
        asked.append(server.server_address)
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", read_and_interrupt)

    assert main(["view"]) == 130
    (address,) = asked
    assert address[0] == "127.0.0.1" and opened == [f"http://127.0.0.1:{address[1]}/"]
    assert opened[0] in capfd.readouterr().out
    assert main(["view", "--no-browser"]) == 130
    assert len(opened) == 1


def test_view_names_a_port_that_cannot_be_used(folder, store, tell) -> None:
    with server_of(folder, 0) as other:
        told = tell("view", "--no-browser", f"--port={other.server_address[1]}")
    assert told.status == 2 and f"--port={other.server_address[1]}: it cannot be used" in told.err
    assert "--port=70000: it cannot be used" in tell("view", "--no-browser", "--port=70000").err


def test_more_connections_than_a_browser_opens_at_once_wait_in_line(folder) -> None:
    with server_of(folder, 0) as server, ExitStack() as open_ones:
        # One that does not fit is not refused: it would be tried again a second later, past this time.
        connect = partial(socket.create_connection, server.server_address, timeout=0.5)
        connected = [open_ones.enter_context(connect()) for _ in range(24)]
        assert {each.getpeername() for each in connected} == {server.server_address}


@pytest.fixture
def served(folder, store, tell) -> Iterator[int]:
    tell("site")
    with running(server_of(folder / "reports" / "site", 0)) as port:
        yield port


def test_pages_are_given_out_and_never_kept(served: int) -> None:
    status, headers, body = response_of(served, "/")
    assert status == 200 and "Who stays themselves" in body
    assert headers["Cache-Control"] == "no-cache" and headers["X-Content-Type-Options"] == "nosniff"


def test_an_unknown_address_gets_the_page_that_says_so(served: int) -> None:
    for path in ("/nothing.html", "/data/nothing.js", "/../../trials.sqlite", "/%2e%2e/trials.sqlite", "/data"):
        status, headers, body = response_of(served, path)
        while status in (301, 302):
            status, headers, body = response_of(served, headers["Location"])

        assert "There is no such page" in body or status == 404, path
        assert "SQLite" not in body, path
    assert response_of(served, "/nothing.html", "HEAD")[2] == ""


def test_a_page_elsewhere_cannot_read_along_by_a_name_of_its_own(served: int) -> None:
    tricks = (
        "127.0.0.1:1@evil.example",
        "127.0.0.1.evil.example",
        "localhost:80:90",
        "127.0.0.1:",
        "[::1]",
        "127.0.0.1:x",
    )
    for host in ("evil.example", "evil.example:80", "", *tricks):
        status, _, body = response_of(served, "/index.html", Host=host)
        assert status == 403 and "some/model" not in body
        assert response_of(served, "/index.html", "HEAD", Host=host)[0] == 403
    assert response_of(served, "/index.html", Host="localhost:1")[0] == 200


def test_an_address_that_is_no_file_name_is_answered_quietly(served: int, capfd) -> None:
    for path in ("/%00", "/index.html%00.js", "/data/%00/x", "/%ff%fe", f"/{'a' * 5000}", "/%2e%2e%00"):
        status, _, body = response_of(served, path)
        assert status == 404 and "some/model" not in body, path
    assert response_of(served, "/")[0] == 200
    assert capfd.readouterr().err == ""


def test_two_names_of_the_host_are_one_too_many(served: int) -> None:
    with socket.create_connection(("127.0.0.1", served), timeout=10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert connection.recv(100).split()[1] == b"403"
