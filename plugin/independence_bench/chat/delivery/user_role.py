"""``user_role``: the human's texts are user messages, the model's answers plain assistant content. Knows no tools."""

from collections.abc import Mapping, Sequence

from independence_bench.chat.answer import content_of
from independence_bench.chat.delivery.turns import turns
from independence_bench.chat.request import Message
from independence_bench.digest import Json
from independence_bench.spec import Script, Tool
from independence_bench.trial import Exchange, Reply

_ROLES = {"human": "user", "model": "assistant"}


class UserRole:
    """Delivers human text as user messages; there is no greeting."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request that asks for the answer to ``human``."""
        row = turns(script, earlier, human, greeting=None)
        rendered: list[Message] = [{"role": "system", "content": script.system}] if script.system else []
        if row[0].speaker == "model":  # some providers refuse a conversation that an assistant opens
            rendered.append({"role": "user", "content": script.start})
        rendered += ({"role": _ROLES[turn.speaker], "content": turn.text} for turn in row)
        return rendered

    def tool(self, script: Script) -> Tool | None:
        """Offer no tool."""
        return None

    def read(self, message: Mapping[str, Json], tool: Tool | None) -> Reply:
        """Take the plain content for the answer."""
        text, reasoning = content_of(message)
        return Reply(answer=text, reasoning=reasoning)
