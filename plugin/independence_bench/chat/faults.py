"""What a failed request means: its cause in one safe line, and whether a retry may help. Retries nothing itself."""

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from independence_bench.chat.remedies import STREAM, remedy_for, remedy_for_length, says, status_of
from independence_bench.chat.reply import Foreign, HttpAnswer, Malformed
from independence_bench.chat.secret import Secret, both_ends
from independence_bench.digest import Json, at
from independence_bench.replies.wait_request import WaitRequest, wait_request
from independence_bench.safe_text import safe_text
from independence_bench.spec import Endpoint
from independence_bench.trial import FailureKind, RequestChange, Usage
from independence_bench.utc import known_utc


@dataclass(frozen=True, slots=True)
class Fault:
    """One bad outcome of one request."""

    cause: str  # one safe line
    remedy: str = ""  # what to do if it stays so
    again: bool = True  # asking again may help
    permanent: bool = False  # no call to this model can succeed: key, credit, day's quota, address or model name
    kind: FailureKind = "endpoint"  # an unread answer is not requested again: that would choose among answers
    refused: bool = False  # nothing to judge because a content filter or refusal stopped it
    change: RequestChange | None = None  # the server may answer the same request with this change
    unreached: str = ""  # there was no connection: what to do if there never has been one
    not_found: bool = False  # there may be no chat server at this URL
    stray: bool = False  # a page of a gateway, or other JSON: of this request only if others were answered
    crowded: bool = False  # refused for too many calls at once
    wait: WaitRequest | None = None  # the server asks for it
    usage: Usage = field(default_factory=Usage)
    unbilled: bool = False  # rejected before doing any work; any other request may have cost something, reported or not
    failed: bool = False  # the server failed over the request (5xx, timeout, broken connection): it may be billed

    @property
    def answered(self) -> bool:
        """True where the model answered, if with nothing that can be judged."""
        return self.kind in ("empty", "unread")


_UNKNOWN_ISSUER = (18, 19, 20, 21)  # openSSL's codes for a certificate that no trusted authority has signed
_OWN_AUTHORITY = "if its authority is your own, name its certificate: SSL_CERT_FILE=/path/to/ca.pem"
_NOT_FOLLOWED = "redirects are not followed"
_SHOWN = 1000  # characters of an error from which its one line is made
_TIMED_OUT = 408
_AGAIN = {_TIMED_OUT, 409, 425, 429}
_REFUSING = {400, 403, 404, 405, 413, 415, 422, 451, 500, 501}  # the answers to a request that is not taken as it is
_PERMANENT = {401, 402, 403, 404, 405, 410}
_SHORT_WAIT_S = 60


def classify(
    outcome: Exception | HttpAnswer,
    endpoint: Endpoint,
    secret: Secret,
    sent: Mapping[str, Json] | None = None,
    proxy: str | None = None,
) -> Fault | None:
    """Return what an exception of the transport or of reading, or an answer that tells of an error, means; else None.
    ``sent``: the request's body, of which alone a fault speaks; ``proxy``: where there is one, it is not connected.
    None also for an exception that is no endpoint's fault.
    """
    match outcome:
        case HttpAnswer(status=status):
            of_proxy = status == 407  # one that reads what it passes on
            fault = _refused_by_proxy(status, endpoint) if of_proxy else _answered(outcome, secret, sent or {})
        case Malformed():
            fault, status = Fault(f"no usable answer: {outcome}", stray=isinstance(outcome, Foreign)), 200
        case _:  # as after a timeout, the server may have done its work
            fault, status = _transport(outcome, endpoint, secret, proxy), _TIMED_OUT
    if fault is None:
        return None
    if fault.not_found and not fault.remedy:
        versioned = endpoint.api_version or re.search(r"/v\d", endpoint.base_url)
        missing = "" if versioned else f"; most servers need /v1 at its end: {endpoint.base_url}/v1"
        fault = replace(fault, remedy=f"the URL asked is {endpoint.base_url}/chat/completions{missing}")
    # Shortened before white space is removed: where a long error lost its middle there may be half a key.
    cause = safe_text(secret.cut(fault.cause)[:_SHOWN])
    failed = status >= 500 or status == _TIMED_OUT
    rejected = status >= 400 and not failed
    return replace(fault, cause=cause, unbilled=fault.unbilled or rejected, failed=failed)


def _answered(answer: HttpAnswer, secret: Secret, sent: Mapping[str, Json]) -> Fault | None:
    status = answer.status
    if 300 <= status < 400:
        where = answer.headers.get("location", "nowhere")
        return Fault(f"HTTP {status}: redirects to {where}", _NOT_FOLLOWED, again=False, permanent=True, stray=True)
    answered, content = 200 <= status < 300, answer.content
    if isinstance(content, Malformed):
        if answered and STREAM.match(answer.body):
            cause = "no usable answer: a stream of events instead of JSON"
            return Fault(cause, "turn streaming off in the gateway", stray=True)
        if answered:
            return Fault(f"no usable answer: {content}", stray=isinstance(content, Foreign))
        content = None
    error = _error_in(content, secret)
    if error is None and answered:
        choice = at(content, "choices", 0)
        stopped = None if isinstance(at(choice, "message"), dict) else at(choice, "finish_reason")
        blocked = at(content, "promptFeedback") or at(content, "prompt_feedback")  # Gemini's
        text = _as_text({"promptFeedback": blocked, "finish_reason": stopped}, secret) if blocked or stopped else ""
        remedy = text and remedy_for("filter", text)
        return Fault(f"no answer: {text}", remedy, again=False, refused=True) if remedy else None
    message, code = error or (_plain_text(answer, secret), None)
    if answered:
        status = code if isinstance(code, int) and 400 <= code < 600 else status_of(code, 500)
    if message.startswith("Unexpected endpoint"):  # LM Studio's, with 200
        status = 404
    fault = _judged(status, code, message, answer, sent)
    own_error = at(content, "error") if at(content, "path") is None else None  # frameworks of gateways name the path
    shaped = own_error or at(content, 0, "error") or at(content, "choices") or at(content, "object")
    page = isinstance(answer.content, Malformed) and 400 <= status < 500 and status != 429
    of_gateway = page or (status in _PERMANENT and fault.kind != "unsupported" and not says("hopeless", message))
    # A key that is refused in JSON is refused by whoever checks keys; elsewhere gateways say ``message`` or ``detail``.
    return replace(fault, stray=(answered or of_gateway) and not (error if status in (401, 402) else shaped))


def _judged(status: int, code: int | str | None, message: str, answer: HttpAnswer, sent: Mapping[str, Json]) -> Fault:
    cause = f"HTTP {status}: {message}" if message else f"HTTP {status}"
    tools, refusing = "tools" in sent and status != 429, status in _REFUSING
    if tools and says("unread_call", f"{message} code:{code}"):
        return Fault(cause, change=other_form(sent))
    if refusing and not says("hopeless", message) and (remedy := remedy_for("filter", f"{message} code:{code}")):
        return Fault(cause, remedy, again=False, refused=True)
    # What is said of a field that was sent is about that field, whatever else the words say of tools.
    if status in (400, 422, 500) and says("null_content", message) and _has_null_content(sent):
        return Fault(cause, again=False, change="empty content instead of null")
    if refusing and "tool_choice" in sent and says("tool_choice", message):
        return Fault(cause, again=False, change="tool_choice left out")
    if status in (400, 404, 415, 422, 500, 501) and "response_format" in sent and says("response_format", message):
        return Fault(cause, again=False, change="response_format left out")
    if refusing and status < 500 and (remedy := remedy_for("fields", message)):
        return Fault(cause, remedy, again=False, permanent=True)
    if tools and says("no_tools", message):  # believed of a request that is as plain as it can be with tools
        change: RequestChange | None = "empty content instead of null" if _has_null_content(sent) else None
        change = "tool_choice left out" if "tool_choice" in sent else change
        return Fault(cause, again=False, permanent=True, kind="unsupported", change=change)
    by_server = status < 500 or isinstance(answer.content, dict)  # a gateway's page speaks of templates, too
    if refusing and by_server and (remedy := remedy_for("templates", message)):
        return Fault(cause, remedy, again=False, permanent=True)
    if refusing and (remedy := remedy_for_length(message, code, sent)):
        return Fault(cause, remedy, again=False)
    if status == 429 and (status_of(code) == 402 or says("hopeless", message)):  # money ran out, not a rate
        return Fault(cause, again=False, permanent=True)
    if status == 400 and says("crashed", message):  # LM Studio's
        return Fault(cause)
    if status in _AGAIN or status >= 500 or status == 403:
        wait = wait_request(answer.headers, answer.content, message)
        if wait and "reset" in wait.source and status >= 500:  # of a limit, which has nothing to do with the error
            wait = None
        details = str(answer.content) if answer.status >= 300 else ""  # where Google names the limit
        named = f"{message} {wait and wait.source} {details}"
        per_hour, per_day = says("per_hour", named), says("per_day", named)
        kept = wait and wait.seconds <= _SHORT_WAIT_S and "PerDay" not in details
        if status in (403, 429) and per_day and not per_hour and not kept:
            end = f"resets at {known_utc(wait.until)} ({wait.source})" if wait else "the server does not say until when"
            remedy = f"the daily (or longer) quota is used up ({end}): the same command then measures the rest"
            return Fault(cause, remedy, again=False, permanent=True)
        other = wait or per_hour or per_day or "upstream" in message.lower()
        crowded = status == 429 and (says("too_many_at_once", message) or not other)
        if status != 403:
            return Fault(cause, crowded=crowded, wait=wait)
    hopeless = says("hopeless", message)
    not_found = status == 404 and (isinstance(answer.content, Malformed) or not says("of_model", message))
    return Fault(cause, again=False, permanent=status in _PERMANENT or hopeless, not_found=not_found)


def other_form(sent: Mapping[str, Json]) -> RequestChange:
    """Return the change of a request whose call the server could not read."""
    return "tool_choice none" if sent.get("tool_choice") == "auto" else "tools left out"


def _has_null_content(sent: Mapping[str, Json]) -> bool:
    messages = cast(list[Mapping[str, Json]], sent.get("messages", []))
    return any(each.get("content", "") is None for each in messages)


def _error_in(body: Json, secret: Secret) -> tuple[str, int | str | None] | None:
    if isinstance(body, list) and body:  # Google's errors are a list of one
        body = body[0]
    if not isinstance(body, dict):
        return None
    if status := at(body, "base_resp", "status_code"):  # MiniMax's errors come with 200
        return _as_text(at(body, "base_resp", "status_msg") or status, secret), cast(int, status)
    error = body.get("error") or at(body, "choices", 0, "error")
    if isinstance(error, dict):
        upstream = at(error, "metadata", "raw")  # of the provider behind the server
        words = [both_ends(part) for part in (error.get("message"), upstream) if isinstance(part, str) and part]
        return ": ".join(words) or _as_text(error, secret), _code(error)
    if not isinstance(error, str):
        error = None if "choices" in body else body.get("message") or body.get("detail")
    return (_as_text(error, secret), None) if error else None


def _as_text(value: Json, secret: Secret) -> str:
    return both_ends(value) if isinstance(value, str) else safe_text(secret.cut(both_ends(str(value))))


def _code(error: Mapping[str, Json]) -> int | str | None:
    for name in ("code", "type", "status"):
        value = error.get(name)
        if isinstance(value, str) and value.isdecimal() and len(value) < 6:
            return int(value)
        if (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, str) and status_of(value)):
            return value
    return None


def _plain_text(answer: HttpAnswer, secret: Secret) -> str:
    text = secret.cut(answer.body.decode("utf-8", errors="replace"))[:4000]
    title = re.search(r"<title>([^<]*)", text, re.IGNORECASE)
    return safe_text(title[1] if title else re.sub(r"<[^<>]*>", " ", text), 200)


def _transport(error: Exception, endpoint: Endpoint, secret: Secret, proxy: str | None) -> Fault | None:
    chain = [*_causes(error)]
    senders = {_package(link) for link in chain} & {"aiohttp", "httpx", "httpcore"}
    if not senders and not any(isinstance(link, OSError) for link in chain):
        return None
    if "aiohttp" in senders:  # httpx calls every broken connection of aiohttp's a timeout
        chain = [link for link in chain if _package(link) != "httpx"]
    where = endpoint.base_url
    # Only the proxy is ever connected to where there is one: it connects to the endpoint.
    goal = f"the proxy {proxy} on the way to {where}" if proxy else where
    whose = "" if endpoint.ad_hoc else f", that of {endpoint.name} in endpoints.yaml,"
    start = f"no answer so far. Is the server running, and is its URL{whose} right (--endpoint, --judge-endpoint)?"
    correct = f"the proxy has never answered: start it, or correct {_proxy_variable(endpoint)}" if proxy else start
    names = {type(link).__name__ for link in chain}
    root = f"{type(chain[-1]).__name__} {safe_text(secret.cut(str(chain[-1])), 120)}"
    if tls := [link for link in chain if isinstance(link, ssl.SSLError)]:  # the last is Python's own, which says more
        bad = isinstance(tls[-1], ssl.SSLCertVerificationError)
        remedy = _OWN_AUTHORITY if getattr(tls[-1], "verify_code", 0) in _UNKNOWN_ISSUER else ""
        cause = f"no secure connection to {where}: {safe_text(secret.cut(str(tls[-1])), 120)}"
        return Fault(cause, remedy, again=not bad, permanent=bad, unbilled=bad)
    for link in chain:
        if isinstance(link, socket.gaierror):
            return Fault(f"no connection to {goal}: the host name is not known", unreached=correct, unbilled=True)
        if isinstance(link, ConnectionRefusedError):
            return Fault(f"no connection to {goal}: refused", unreached=correct, unbilled=True)
        if isinstance(link, ConnectionResetError | BrokenPipeError):
            return Fault(f"connection to {where} was reset")
        if isinstance(link, TimeoutError) and link.errno is not None:  # the system's; ours come without a number
            return Fault(f"connection to {where} was lost")
        if type(link).__name__ == "ClientHttpProxyError":  # the proxy opened no tunnel
            return _refused_by_proxy(getattr(link, "status", 0), endpoint)
    if names & {"ClientPayloadError", "ReadError"}:
        return Fault(f"the answer of {where} broke off midway")
    if "ServerDisconnectedError" in names or "disconnected without sending" in root:
        return Fault(f"{where} closed the connection without an answer")
    if names & {"HttpProcessingError", "ClientResponseError", "RemoteProtocolError"}:
        return Fault(f"{where} sent no valid HTTP answer: {root}")
    if names & {"InvalidURL", "InvalidUrlClientError", "NonHttpUrlClientError", "UnsupportedProtocol"}:
        return Fault(f"{where} is not an address that can be called", again=False, permanent=True)
    # Reads have no timeout of their own, so every other timeout here is one of connecting.
    if any(name.endswith(("Timeout", "TimeoutError")) for name in names):
        return Fault(f"no connection to {goal} within {endpoint.connect_s:g} s", unreached=correct, unbilled=True)
    return Fault(f"no connection to {goal}: {root}")


def _refused_by_proxy(status: int, endpoint: Endpoint) -> Fault:
    cause = f"the proxy on the way to {endpoint.base_url} answered HTTP {status}"
    if status not in (401, 407):
        return Fault(cause, again=status != 403, unbilled=True)
    remedy = f"it refuses or lacks the user name and password: write them in {_proxy_variable(endpoint)}, as in "
    return Fault(cause, f"{remedy}http://USER:PASSWORD@HOST:3128", again=False, permanent=True, unbilled=True)


def _proxy_variable(endpoint: Endpoint) -> str:
    return f"{endpoint.base_url.partition(':')[0].upper()}_PROXY (or ALL_PROXY)"


def _package(error: BaseException) -> str:
    return type(error).__module__.partition(".")[0]


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
