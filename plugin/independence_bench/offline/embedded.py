"""A transport that answers for ``offline://embedded/v1`` in process: no socket, no key, no clock to wait for."""

import json
from collections.abc import Mapping

from independence_bench.chat.transport import RawAnswer
from independence_bench.offline.completion import completion


class OfflineTransport:
    """Answers chat completions as an OpenAI-compatible server would."""

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> RawAnswer:
        """Return the answer; every mistake in the request becomes a JSON error with status 400 or 404."""
        status, answer = completion(body)
        return RawAnswer(status, {}, json.dumps(answer).encode("ascii"))

    async def aclose(self) -> None:
        """Close nothing."""
