"""Serves the files of one folder to this machine only, and only under this machine's own name."""

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import SHUT_RDWR, socket
from typing import Any
from weakref import WeakSet

from independence_bench.bad_input import BadInput
from independence_bench.cli.terminal import complain, flush, say

LOOPBACK = "127.0.0.1"
HTML = "text/html; charset=utf-8"
_OURS = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?", re.IGNORECASE)


class LocalRequests(BaseHTTPRequestHandler):
    """What every server on this machine does: it logs nothing, is not cached, and answers to its own name only."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its name in the standard library
        """Log nothing: the terminal is the user's."""

    def end_headers(self) -> None:
        """Forbid caching: a site may be written again while it is served."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def send_content(self, kind: str, content: bytes, status: HTTPStatus = HTTPStatus.OK) -> None:
        """Send a whole answer."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    @property
    def by_own_name(self) -> bool:
        """Whether it was asked by this machine's name: another site could let its own name resolve to this machine."""
        hosts = self.headers.get_all("Host", [])
        return len(hosts) == 1 and _OURS.fullmatch(hosts[0]) is not None


class SitePages(LocalRequests, SimpleHTTPRequestHandler):
    """Serves a site; a missing file gets the site's own 404 page."""

    def send_head(self) -> Any:
        """Refuse foreign names, which could read the pages."""
        if not self.by_own_name:
            return self.send_error(HTTPStatus.FORBIDDEN)
        try:
            return super().send_head()
        except ValueError:  # no file's name, such as one with a null byte
            return self.send_error(HTTPStatus.NOT_FOUND)

    def list_directory(self, path: str) -> None:  # type: ignore[override]  # a folder without index.html is no page
        """List no folder."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send the site's 404 page, as any static host does; its links work from any address."""
        if code != HTTPStatus.NOT_FOUND:
            super().send_error(code, message, explain)
            return
        page = Path(self.directory) / "404.html"
        self.send_content(HTML, page.read_bytes() if page.exists() else b"", HTTPStatus.NOT_FOUND)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # connections that may wait; beyond the usual 5 they are retried after a second
    daemon_threads = False

    def __init__(self, *arguments: Any) -> None:
        self._connected: WeakSet[socket] = WeakSet()
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread."""
        self._connected.add(request)
        super().process_request(request, client_address)

    def server_close(self) -> None:
        """Hang up, since a browser keeps connections on which it asks nothing, and wait for all threads."""
        for request in [*self._connected]:
            with suppress(OSError):  # it is over
                request.shutdown(SHUT_RDWR)
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report in one sentence what is not the browser's own hanging up."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            complain(f"a request of the browser failed ({type(error).__name__}: {error}); load the page again")


def server_of(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a local server of this folder; port 0: any free one. Raises BadInput: the port is taken."""
    return local_server(partial(SitePages, directory=str(folder)), port)


def local_server(requests: Callable[..., LocalRequests], port: int) -> ThreadingHTTPServer:
    """Return a server on the loopback interface; port 0: any free one. Raises BadInput: the port is taken."""
    try:
        return _Server((LOOPBACK, port), requests)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"--port={port}: it cannot be used ({why}); name another, or leave it out") from None


def serve(server: ThreadingHTTPServer, no_browser: bool) -> None:
    """Print the server's address, open a browser unless ``no_browser``, and serve until Ctrl-C."""
    import webbrowser

    address = f"http://{LOOPBACK}:{server.server_address[1]}/"
    say(f"{address}  (Ctrl-C ends it)")
    flush()
    if not no_browser:
        webbrowser.open(address)
    server.serve_forever()
