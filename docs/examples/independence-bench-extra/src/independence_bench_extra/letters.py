"""A delivery mode: the person's words come as letters. The text for it is in configs/prompts/delivery_modes.yaml."""

from collections.abc import Sequence

from independence_bench.chat.delivery.user_role import UserRole
from independence_bench.chat.request import Message
from independence_bench.spec import Script
from independence_bench.trial import Exchange


class Letters(UserRole):
    """Delivers the person's words as user messages, each under a line that says that a letter has come."""

    version = "1"
    """Part of every trial's key: raise it when requests or their reading change."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request that asks for the answer to ``human``."""
        rendered = super().messages(script, earlier, human)
        for message in rendered:
            if message["role"] == "user":
                message["content"] = f"A letter has come:\n\n{message['content']}"
        return rendered
