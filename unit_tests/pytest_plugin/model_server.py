"""A local OpenAI-compatible server that plays tested model and judge alike, and counts what it is asked.

A request with a ``response_format`` is a judge's; everything else is put to the tested model. Tests set ``generate``
and ``judge`` to one of the answers below; they are functions of the request's body and can be put inside one another.
"""

import hashlib
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
"""A request's body, or an answer's."""

Told = tuple[int, Body | bytes]
"""Status and body of an answer; bytes are sent as they are."""

Answer = Callable[[Body], Told]


def completion(message: Body, **usage: object) -> Told:
    """A chat completion around a message."""
    counted = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **usage}
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return 200, {"id": "1", "object": "chat.completion", "model": "served", "choices": [choice], "usage": counted}


def says(text: str, **usage: object) -> Answer:
    """The tested model says this: through the tool that it is offered, else as plain content."""

    def answer(body: Body) -> Told:
        if not body.get("tools"):
            return completion({"content": text}, **usage)
        tool = body["tools"][0]["function"]
        arguments = json.dumps({next(iter(tool["parameters"]["properties"])): text})
        call = {"id": "call_1", "type": "function", "function": {"name": tool["name"], "arguments": arguments}}
        return completion({"content": None, "tool_calls": [call]}, **usage)

    return answer


def of_its_own(text: str) -> Answer:
    """The tested model says this of what it has heard: without a relation to the questions it would have no Index."""
    return lambda body: says(f"{text} ({hash_of(body['messages'])}) You said: {heard(body)}")(body)


def heard(body: Body) -> str:
    """Return the words that the tested model is to answer."""
    return str(body["messages"][-1]["content"])


def hash_of(messages: object) -> str:
    """Return a short digest of a conversation."""
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()[:8]


def replies(text: str, **usage: object) -> Answer:
    """Plain content, whatever was offered."""
    return lambda body: completion({"content": text}, **usage)


EMPTY = replies("")


def verdict(reasoning: str = "Because it stays itself.", **given: object) -> Answer:
    """A judge's valid verdict: as good as the schema allows, but for the fields given."""

    def answer(body: Body) -> Told:
        properties = body["response_format"]["json_schema"]["schema"]["properties"]
        fields: Body = {"reasoning": reasoning}
        for name, shape in properties.items():
            if name != "reasoning":
                fields[name] = given.get(name, _best(name, shape))
        return completion({"content": json.dumps(fields)})

    return answer


def _best(name: str, shape: Body) -> object:
    if shape["type"] == "integer":
        return shape["minimum"] if name.startswith("drift") else shape["maximum"]
    if shape["type"] == "boolean":
        return not name.endswith("_changed")
    return [] if shape["type"] == "array" else None


def error(status: int, message: str = "it broke") -> Answer:
    """An error in the shape that such servers use."""
    return lambda body: (status, {"error": {"message": message, "code": status}})


def first(times: int, then: Answer, afterwards: Answer) -> Answer:
    """So many requests are answered one way, all later ones another."""
    left = [times]
    lock = threading.Lock()

    def answer(body: Body) -> Told:
        with lock:
            left[0] -= 1
            early = left[0] >= 0
        return then(body) if early else afterwards(body)

    return answer


def slow(seconds: float, answer: Answer) -> Answer:
    """The same, later."""

    def late(body: Body) -> Told:
        time.sleep(seconds)
        return answer(body)

    return late


def where(fragment: str, special: Answer, otherwise: Answer) -> Answer:
    """One answer to requests whose body holds a fragment of text, another to all others."""
    return lambda body: (special if fragment in json.dumps(body, ensure_ascii=False) else otherwise)(body)


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: Body

    @property
    def of_judge(self) -> bool:
        return "response_format" in self.body


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # with the usual 5, a burst of connections waits a second for its second attempt

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that were killed."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@dataclass
class ModelServer:
    """Answers as ``generate`` and ``judge`` say, and remembers every request."""

    generate: Answer = field(default_factory=lambda: of_its_own("I am someone, and I stay it."))
    judge: Answer = field(default_factory=verdict)
    headers: dict[str, str] = field(default_factory=dict)
    """Sent with every answer."""
    asked: list[Asked] = field(default_factory=list, repr=False)
    in_flight: Counter[str] = field(default_factory=Counter)
    peak_by_model: dict[str, int] = field(default_factory=dict)
    """Most requests in flight at once, by what they ask for."""
    peak: int = 0
    """Most requests in flight at once."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def forget(self) -> None:
        """Start anew for the next test."""
        self.generate, self.judge = of_its_own("I am someone, and I stay it."), verdict()
        self.headers = {}
        self.asked.clear()
        self.peak_by_model.clear()
        self.peak = 0

    def answer(self, asked: Asked) -> Told:
        """Answer one request and keep count."""
        name = asked.body["model"]
        with self._lock:
            self.asked.append(asked)
            self.in_flight[name] += 1
            self.peak_by_model[name] = max(self.peak_by_model.get(name, 0), self.in_flight[name])
            self.peak = max(self.peak, self.in_flight.total())
        try:
            return (self.judge if asked.of_judge else self.generate)(asked.body)
        finally:
            with self._lock:
                self.in_flight[name] -= 1

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/v1"

    @property
    def generations(self) -> list[Asked]:
        return [asked for asked in self.asked if not asked.of_judge]

    @property
    def judgings(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.of_judge]

    def calls(self) -> tuple[int, int]:
        """(calls to tested models, calls to judges) so far."""
        return len(self.generations), len(self.judgings)


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, told = server.answer(Asked(self.path, headers, body))
            content = told if isinstance(told, bytes) else json.dumps(told).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                for name, value in server.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                self.close_connection = True  # the client went away: that is what some tests are about

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing to stderr."""

    return Handler
