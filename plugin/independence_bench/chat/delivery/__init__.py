"""Delivery: how a conversation is put before a model and how its answer is read. One file per mode."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from independence_bench.chat.delivery.tool_role import ToolRole
from independence_bench.chat.delivery.user_role import UserRole
from independence_bench.chat.request import ChatRequest, Message, Reading
from independence_bench.digest import Json
from independence_bench.spec import Model, Script, Tool
from independence_bench.trial import Exchange, Reply

__all__ = ["Delivery", "delivery_for", "turn_request"]


class Delivery(Protocol):
    """One way to deliver human text; pure, without state."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request for the answer to ``human``, given the exchanges that it continues, oldest first."""

    def tool(self, script: Script) -> Tool | None:
        """Return the tool that is offered, or None."""

    def read(self, message: Mapping[str, Json], tool: Tool | None) -> Reply:
        """Find the answer in a reply's message; it is empty where there is nothing to judge."""


_DELIVERIES: dict[str, Delivery] = {"user_role": UserRole(), "tool_role": ToolRole(), "judge": UserRole()}
"""Every delivery mode by name, and how a judge's reply is read."""


def delivery_for(mode: Reading) -> Delivery:
    """Return the delivery of a mode; a judge's reply is plain content."""
    return _DELIVERIES[mode]


def turn_request(model: Model, script: Script, earlier: Sequence[Exchange], human: str, run: int) -> ChatRequest:
    """Return the request for the answer to ``human``; it is sent, and the trial's key is made of it."""
    delivery = delivery_for(script.delivery_mode)
    return ChatRequest(
        model=model,
        messages=delivery.messages(script, earlier, human),
        tool=delivery.tool(script),
        run=run,
        delivery=script.delivery_mode,
    )
