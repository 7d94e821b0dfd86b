"""The content of one call: the rendered messages and how to read the reply. Knows no HTTP."""

from dataclasses import dataclass

from independence_bench.digest import Json
from independence_bench.spec import Model, Tool

Message = dict[str, Json]  # one message of a chat request, in the wire's own shape


@dataclass(frozen=True, slots=True)
class TrialTime:
    """The time of the trial that a call belongs to; waiting for a slot is not counted."""

    total_s: float
    left_s: float  # may be negative: then the call is not begun


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call, before the wire."""

    model: Model
    messages: list[Message]
    tool: Tool | None = None  # the function the model may call (``tool_role``)
    response_format: Json | None = None  # sent while the endpoint takes it; see ``Endpoint.response_format``
    run: int = 1  # sent as ``seed`` where the endpoint asks for it
    speech: bool = False  # the answer is what a model says to a person; a judge's is a verdict
    first_token: bool = False  # ask for its log-probabilities; a server that gives none is not asked again
    time: TrialTime | None = None  # ends the call before its own deadline where the trial's is nearer
