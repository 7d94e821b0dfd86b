"""Requests to the embedded endpoint, written as an outside client would write them."""

import asyncio
import json
from pathlib import Path

from independence_bench.chat.transport import RawAnswer
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


def send(content: bytes) -> RawAnswer:
    """Send one body through the transport."""
    url = f"{URL}/chat/completions"
    return asyncio.run(OfflineTransport().send("POST", url, {}, content, connect_s=1.0, largest=1 << 20))


def ask(body: dict) -> RawAnswer:
    return send(json.dumps(body).encode())


def body_of(answer: RawAnswer) -> dict:
    return json.loads(answer.body)


def answer_of(answer: RawAnswer) -> str:
    """Return what an answer says, by tool call or as plain content."""
    message = body_of(answer)["choices"][0]["message"]
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
