"""Models, scripts and calls for the tests of ``chat``: small, complete, overridable field by field."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx

from independence_bench.chat.client import ChatClient
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.throttle import Limits, Priority
from independence_bench.spec import Endpoint, Model, Script, Tool
from independence_bench.trial import Exchange, Reply

TOOL = Tool(
    name="send_message_to_human", description="Speak.", parameter="message", parameter_description="What you say."
)
USER: list[dict[str, Any]] = [{"role": "user", "content": "Who are you?"}]


def endpoint(url: str = "http://127.0.0.1:9/v1", **fields: Any) -> Endpoint:
    return Endpoint(**{"name": "test", "base_url": url, **fields})


def model(url: str = "http://127.0.0.1:9/v1", served: str = "m", **fields: Any) -> Model:
    own = {name: fields.pop(name) for name in list(fields) if name in Model.model_fields}
    return Model(**{"label": served, "id": served, "served_id": served, "endpoint": endpoint(url, **fields), **own})


def script(mode: str = "tool_role", **fields: Any) -> Script:
    tool = mode == "tool_role"
    given = {
        "delivery_mode": mode,
        "system": "Be yourself.",
        "start": "[start]",
        "greeting": "Hello!" if tool else None,
        "tool": TOOL if tool else None,
        "opening": (),
        "turns": ("Who are you?", "Really?"),
        **fields,
    }
    return Script(**given)


def exchange(asked: str, answer: str, **reply: Any) -> Exchange:
    return Exchange(after=None, asked=asked, reply=Reply(answer=answer, **reply))


def tool_request(url: str, **fields: Any) -> ChatRequest:
    return ChatRequest(model(url, **fields), USER, tool=TOOL, speech=True)


def plain_request(url: str, **fields: Any) -> ChatRequest:
    return ChatRequest(model(url, **fields), USER, speech=True)


def judge_request(url: str, **fields: Any) -> ChatRequest:
    return ChatRequest(model(url, **fields), USER, response_format={"type": "json_schema"})


def client(limits: Limits | None = None, environment: dict[str, str] | None = None, **given: Any) -> ChatClient:
    return ChatClient(limits or Limits(), environment=environment or {}, backoff_s=0.002, **given)


def answering(answer: Callable[[httpx.Request], httpx.Response]) -> Callable[[], httpx.AsyncClient]:
    """What makes an httpx client whose server is a function."""
    return lambda: httpx.AsyncClient(transport=httpx.MockTransport(answer))


def ask(*requests: ChatRequest, using: ChatClient | None = None, **given: Any) -> list[Any]:
    """Ask all at once, each as a trial of its own; what failed stands in the list as its exception."""

    async def all_of_them() -> list[Any]:
        asking = using or client(**given)

        async def one(order: int, request: ChatRequest) -> Reply:
            with Priority(order) as place:
                return await asking.ask(request, place)

        try:
            rows = [one(order, request) for order, request in enumerate(requests)]
            return await asyncio.gather(*rows, return_exceptions=True)
        finally:
            await asking.aclose()

    return asyncio.run(all_of_them())
