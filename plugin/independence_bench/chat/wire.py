"""Request bodies in the OpenAI-compatible wire format. Knows the endpoints' dialects; sends nothing."""

import json

from pydantic_core import PydanticSerializationError, to_json

from independence_bench.chat.delivery.tool_role import tool_schema
from independence_bench.chat.request import ChatRequest
from independence_bench.digest import Json
from independence_bench.spec import Model


def request_body(request: ChatRequest, with_response_format: bool = True) -> dict[str, Json]:
    """Build the body of a chat request; ``with_response_format`` is False where the endpoint turned it down before."""
    model = request.model
    endpoint = model.endpoint
    body: dict[str, Json] = {"model": model.served_id, "messages": [*request.messages]}
    if request.tool is not None:
        body["tools"] = [tool_schema(request.tool)]
        body["tool_choice"] = "auto"
    body[endpoint.max_tokens_field] = model.max_tokens
    if model.sent_temperature is not None:
        body["temperature"] = model.sent_temperature
    if endpoint.sends_run_as_seed:
        body["seed"] = request.run
    body |= _dialect(model)
    if request.response_format is not None and endpoint.response_format and with_response_format:
        body["response_format"] = request.response_format
    return body


def _dialect(model: Model) -> dict[str, Json]:
    """Reasoning effort, provider pin and cost accounting, as the endpoint wants to be asked.

    ``off`` sends no field. ``none`` is a value of its own in both APIs: OpenRouter's ``reasoning.effort`` documents it
    as disabling reasoning entirely, OpenAI's ``reasoning_effort`` likewise.
    """
    fields: dict[str, Json] = {}
    effort = model.reasoning_effort
    if model.endpoint.dialect == "openrouter":
        if effort != "off":
            fields["reasoning"] = {"effort": effort}
        if model.provider is not None:
            fields["provider"] = {"order": [model.provider], "allow_fallbacks": False}
        fields["usage"] = {"include": True}
    elif effort != "off":
        fields["reasoning_effort"] = effort
    return fields


def encoded(body: dict[str, Json]) -> bytes:
    """Return a body as JSON; a lone surrogate in a replayed answer goes out as the escape it came in as."""
    try:
        return to_json(body)  # 10 instead of 37 µs for 5 KB
    except PydanticSerializationError:  # UTF-8 has no lone surrogates
        return json.dumps(body, separators=(",", ":")).encode("ascii")
