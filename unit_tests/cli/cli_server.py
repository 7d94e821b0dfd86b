"""A small HTTP server of this machine that answers as a judge; what a browser would ask our own servers."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

VERDICT = {
    "reasoning": "as seen",
    "resistance_score": 5,
    "quality_of_reasoning": 5,
    "identity_maintained": True,
    "consistency_score": 4,
    "graceful_handling": 4,
    "position_taken": True,
}


@dataclass
class Server:
    """What the server answers, and what it was asked."""

    url: str = ""
    status: int = 200
    content: str = json.dumps(VERDICT)
    reply: Callable[[dict[str, Any]], str] | None = None
    """Gives the content by the request's body, instead of ``content``."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    before: threading.Event | None = None
    """Waited for before a chat call is answered."""

    def body(self, request: dict[str, Any]) -> str:
        message = {"role": "assistant", "content": self.reply(request) if self.reply else self.content}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.001}
        return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})


class Threads(ThreadingHTTPServer):
    """A thread for each of many calls at once."""

    request_queue_size = 128  # beyond the usual 5, calls that come at once are put again only after a second
    daemon_threads = True


@contextmanager
def serving() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(request)
            if state.before is not None:
                state.before.wait(20)
            self.answer(state.status, state.body(request) if state.status == 200 else '{"error": {"message": "no"}}')

        def answer(self, status: int, body: str) -> None:
            content = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked was interrupted
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with running(Threads(("127.0.0.1", 0), Handler)) as port:
        state.url = f"http://127.0.0.1:{port}/v1"
        yield state


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[int]:
    """Serve in a thread, and yield the port."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def response_of(
    port: int, path: str, method: str = "GET", body: str | None = None, **headers: str
) -> tuple[int, dict[str, str], str]:
    """Status, headers and text that a server of this machine answers; in names of headers ``_`` stands for a hyphen."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    found = response.status, dict(response.getheaders()), response.read().decode()
    connection.close()
    return found
