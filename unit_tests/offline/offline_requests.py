"""Requests to the embedded endpoint, written as an outside client would write them."""

import asyncio
import json
from pathlib import Path

import httpx

from independence_bench.offline.completion import OfflineTransport

HERE = Path(__file__).parent
CONFIGS = HERE.parents[1] / "configs"
URL = "offline://embedded/v1"
FENCE = "0123456789abcdef0123456789abcdef"
TOOL = {
    "type": "function",
    "function": {
        "name": "speak",
        "parameters": {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]},
    },
}


def send(content: bytes) -> httpx.Response:
    """Send one body through the transport."""
    request = httpx.Request("POST", f"{URL}/chat/completions", content=content)
    return asyncio.run(OfflineTransport().handle_async_request(request))


def ask(body: dict) -> httpx.Response:
    return send(json.dumps(body).encode())


def answer_of(answer: httpx.Response) -> str:
    """Return what an answer says, by tool call or as plain content."""
    message = answer.json()["choices"][0]["message"]
    if message.get("tool_calls"):
        return next(iter(json.loads(message["tool_calls"][0]["function"]["arguments"]).values()))
    return message["content"]


def judge_body(material: object, properties: dict, before: str = "", after: str = "") -> dict:
    """Return the body of a judge request with this material between its marker lines."""
    text = (
        f"The rubric.\n{before}\n=== BEGIN TRANSCRIPT {FENCE} ===\n{json.dumps(material)}\n"
        f"=== END TRANSCRIPT {FENCE} ===\nReply with one JSON object.{after}"
    )
    return {
        "model": "offline/lexical",
        "temperature": 0,
        "messages": [{"role": "system", "content": "You are a judge."}, {"role": "user", "content": text}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "verdict",
                "strict": True,
                "schema": {"type": "object", "properties": {"reasoning": {"type": "string"}, **properties}},
            },
        },
    }


def integer(maximum: int = 10) -> dict:
    return {"type": "integer", "minimum": 0, "maximum": maximum}
