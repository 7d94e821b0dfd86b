"""A local HTTP server that misbehaves on demand: one behaviour per request, in a thread of its own.

Reusable by every test that needs an endpoint (fixture ``fault_server``). It enforces nothing and judges nothing:
it does to each request what it is told, and remembers what was asked.
"""

import asyncio
import json
import socket
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

Behaviour = Callable[[asyncio.StreamWriter], Awaitable[bool]]
"""Answers one request; returns whether the connection stays open."""


@dataclass
class Asked:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: Any
    at: float


@dataclass
class FaultServer:
    """``behave`` sets what happens; ``asked`` holds every request so far."""

    asked: list[Asked] = field(default_factory=list)
    in_flight: int = 0
    peak: int = 0
    answer: Callable[[Asked], Behaviour] | None = None
    """Chooses a behaviour by request; set it instead of calling ``behave``."""
    _test: int = 0
    _row: list[Behaviour] = field(default_factory=list)
    _ready: threading.Event = field(default_factory=threading.Event)

    def behave(self, *behaviours: Behaviour) -> None:
        """Answer the next requests so, one after the other; the last behaviour repeats for ever."""
        self._row = list(behaviours)
        self.asked.clear()

    def forget(self) -> None:
        """Reset for the next test."""
        self.answer, self._row, self.peak, self.in_flight = None, [], 0, 0
        self.asked.clear()
        self._test += 1

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def bodies(self) -> list[Any]:
        return [asked.body for asked in self.asked]

    def start(self) -> None:
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._request(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client is gone, or the server stops
        finally:
            writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        asked = Asked(head[0].split()[1], headers, json.loads(body) if body else None, time.monotonic())
        test = self._test
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        self.asked.append(asked)
        try:
            if self.answer is not None:
                behaviour = self.answer(asked)
            else:
                behaviour = self._row.pop(0) if len(self._row) > 1 else self._row[0]
            return await behaviour(writer)
        finally:
            if test == self._test:  # else the test that asked is over, and this connection was merely held
                self.in_flight -= 1


def http(
    status: int = 200,
    body: object = b"",
    headers: dict[str, str] | None = None,
    delay_s: float = 0.0,
    reason: str = "Status",
) -> Behaviour:
    """A well-formed HTTP answer; anything but bytes is sent as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = {"Content-Type": "application/json", "Content-Length": str(len(content)), **(headers or {})}
    head = f"HTTP/1.1 {status} {reason}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())

    async def behaviour(writer: asyncio.StreamWriter) -> bool:
        if delay_s:
            await asyncio.sleep(delay_s)
        writer.write(head.encode("latin-1") + b"\r\n" + content)
        await writer.drain()
        return True

    return behaviour


def error(status: int, message: str = "it broke", headers: dict[str, str] | None = None, **fields: object) -> Behaviour:
    """An error in the shape that OpenAI-compatible servers use."""
    return http(status, {"error": {"message": message, "code": status, **fields}}, headers)


def says(text: object = "Hello there.", **message: object) -> dict[str, Any]:
    """The body of a completion that answers in plain content; keyword arguments join the message."""
    return completion({"role": "assistant", "content": text, **message})


def calls(*arguments: object, content: object = None, name: str = "send_message_to_human") -> dict[str, Any]:
    """The body of a completion that makes one tool call per arguments."""
    row = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": given}}
        for number, given in enumerate(arguments)
    ]
    return completion({"role": "assistant", "content": content, "tool_calls": row}, "tool_calls")


def completion(message: object, finish_reason: object = "stop", **fields: object) -> dict[str, Any]:
    """The body of a chat completion around a message."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {"id": "1", "object": "chat.completion", "model": "served", "choices": [choice], "usage": usage, **fields}


def raw(data: bytes, then: str = "close") -> Behaviour:
    """Bytes as they are, then ``close``, ``reset`` or ``hold`` the connection."""

    async def behaviour(writer: asyncio.StreamWriter) -> bool:
        writer.write(data)
        await writer.drain()
        if then == "hold":
            await asyncio.sleep(30)
        elif then == "reset":
            connection = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    return behaviour


def drip(pieces: Iterable[bytes], interval_s: float) -> Behaviour:
    """Bytes in small pieces, one per interval."""
    row = list(pieces)

    async def behaviour(writer: asyncio.StreamWriter) -> bool:
        for piece in row:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(interval_s)
        return False

    return behaviour


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
