"""Request bodies in the OpenAI-compatible wire format, and the sender that returns the whole response.

Knows the endpoints' dialects. A response is of bounded size, decompressed and without the key; long texts are read in a
thread, so that no server's text can hold the loop that all calls share.
"""

import asyncio
import json
import logging
import zlib
from collections.abc import AsyncIterable, Callable, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from pydantic_core import PydanticSerializationError, to_json

from independence_bench.chat.delivery import tool_schema
from independence_bench.chat.reply import HttpAnswer, Malformed
from independence_bench.chat.request import ChatRequest, Message
from independence_bench.chat.secret import Secret, both_ends
from independence_bench.digest import Json
from independence_bench.spec import Endpoint, Model, Tool
from independence_bench.trial import RequestChange
from independence_bench.version import __version__

if TYPE_CHECKING:
    import httpx

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

LARGE = 1 << 16  # bytes or characters; reading fewer takes at most some 30 ms, far less than a thread costs


async def off_loop(
    size: int, read: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Return what a pure function makes of a text of this size, in a thread if it is long."""
    if size <= LARGE:
        return read(*arguments, **named)
    return await asyncio.to_thread(read, *arguments, **named)


TOP_TOKENS = 20  # tokens whose log-probability is asked for: the most that OpenAI and vLLM give


def request_body(request: ChatRequest, changes: Set[RequestChange] = frozenset()) -> dict[str, Json]:
    """Build the body of a chat request, changed where its server refuses the usual one."""
    model = request.model
    endpoint = model.endpoint
    messages = request.messages
    if "empty content instead of null" in changes:
        messages = [{**each, "content": ""} if each["content"] is None else each for each in request.messages]
    body: dict[str, Json] = {"model": model.served_id}
    body |= conversation_fields(messages, None if "tools left out" in changes else request.tool)
    body |= option_fields(model)
    if "tool_choice left out" in changes:
        body.pop("tool_choice", None)  # it asks for the default anyway
    elif "tool_choice" in body and "tool_choice none" in changes:
        # It keeps the prompt as it is: the server only stops looking for calls in what the model writes.
        body["tool_choice"] = "none"
    if endpoint.sends_run_as_seed:
        body["seed"] = request.run
    if request.first_token:
        body |= {"logprobs": True, "top_logprobs": TOP_TOKENS}
    if endpoint.response_format and request.response_format and "response_format left out" not in changes:
        body["response_format"] = request.response_format
    return body


def conversation_fields(messages: Sequence[Message], tool: Tool | None) -> dict[str, Json]:
    """Return messages and tool of a request, independent of who is asked."""
    if tool is None:
        return {"messages": [*messages]}
    return {"messages": [*messages], "tools": [tool_schema(tool)], "tool_choice": "auto"}


def option_fields(model: Model) -> dict[str, Json]:
    """Return the part of a request that says who is asked and how, independent of what is said."""
    fields: dict[str, Json] = {"model": model.served_id, model.endpoint.max_tokens_field: model.max_tokens}
    if model.sent_temperature is not None:
        fields["temperature"] = model.sent_temperature
    return fields | _dialect(model)


def changes_made(request: ChatRequest, wanted: Set[RequestChange]) -> tuple[RequestChange, ...]:
    """Return which of the changes make a difference to a request."""
    usual = request_body(request) if wanted else {}
    return tuple(change for change in sorted(wanted) if request_body(request, {change}) != usual)


def _dialect(model: Model) -> dict[str, Json]:
    """Reasoning effort, provider pin and cost accounting, as the endpoint wants to be asked.

    ``off`` sends no field. ``none`` is a separate value in both APIs: OpenRouter's ``reasoning.effort`` documents it
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


LARGEST_ANSWER = 2 * 1024 * 1024  # bytes of one answer, decompressed

_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "User-Agent": f"independence-bench/{__version__}",
}


class Sender:
    """Sends the requests to one endpoint."""

    def __init__(self, endpoint: Endpoint, secret: Secret, client: "httpx.AsyncClient") -> None:
        self._endpoint = endpoint
        self._secret = secret
        self._client = client
        for library in ("httpx", "httpcore"):  # what they log of an answer is as it came, and may hold the key
            logging.getLogger(library).setLevel(logging.WARNING)

    async def post(self, body: bytes, read: Callable[[HttpAnswer], Result]) -> Result:
        """Send one request and return what ``read`` makes of the whole answer, whatever its status, without the key; of
        a long error both ends. Raises Malformed: it is too large or badly compressed. Raises Exception: the client's,
        see ``faults.classify``, and what ``read`` raises.
        """
        import httpx

        like = self._request
        request = httpx.Request("POST", like.url, headers=like.headers, content=body, extensions=like.extensions)
        response = await self._client.send(request, stream=True, follow_redirects=False)
        try:
            content = bytearray()
            # Not aiter_raw(), which refuses what a test double has read.
            async for chunk in cast(AsyncIterable[bytes], response.stream):
                content += chunk
                if len(content) > LARGEST_ANSWER:
                    break
        finally:
            await response.aclose()
        # Little that is compressed may be much.
        most = len(content) * (32 if "content-encoding" in response.headers else 1)
        status, headers = response.status_code, response.headers
        return await off_loop(most, lambda: read(_answer(status, headers, bytes(content), self._secret)))

    @cached_property
    def _request(self) -> "httpx.Request":
        """The request without its body, as the client builds it; once, as that takes 50 µs. Cookies that come later,
        and would tie one trial to another, are in none.
        """
        endpoint = self._endpoint
        version = f"?api-version={endpoint.api_version}" if endpoint.api_version else ""
        url = f"{endpoint.base_url}/chat/completions{version}"
        # Reading has no limit of its own: the call's deadline covers everything.
        timeout = (endpoint.connect_s, None, None, None)
        request = self._client.build_request("POST", url, headers={**_HEADERS, **self._secret.headers}, timeout=timeout)
        del request.headers["Content-Length"]
        return request


def _answer(status: int, headers: Mapping[str, str], content: bytes, secret: Secret) -> HttpAnswer:
    content = _decompressed(content, headers.get("content-encoding", "identity"), LARGEST_ANSWER)
    answered = 200 <= status < 300
    if not answered:
        content = both_ends(content)
    cut = secret.cut_bytes(content, in_answer=answered)
    return HttpAnswer.of(status, headers, cut, key_cut=cut is not content)


def _decompressed(content: bytes, encoding: str, largest: int) -> bytes:
    """Return a body as it was before it was compressed for transfer.
    Raises Malformed: it has more than ``largest`` bytes, or its compression is broken or unknown.
    """
    if len(content) > largest:
        raise Malformed(f"more than {largest >> 20} MB")
    encoding = encoding.strip().lower()
    if encoding in ("identity", ""):
        return content
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise Malformed(f"content encoding {encoding}, which was not asked for")
    stream = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # 32: detects gzip and zlib headers
    try:
        content = stream.decompress(content, largest + 1)
    except zlib.error:
        raise Malformed("broken compression") from None
    if len(content) > largest:
        raise Malformed(f"more than {largest >> 20} MB when decompressed")
    if not stream.eof:
        raise Malformed("compression that ends midway")
    return content
