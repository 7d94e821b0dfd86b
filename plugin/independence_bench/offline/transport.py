"""An httpx transport that answers for ``offline://embedded/v1`` in process: no socket, no key, no clock to wait for.

Mount it in a client, ``mounts={"offline://": OfflineTransport()}``; it speaks HTTP, ``completion.py`` the rest.
"""

import json

import httpx

from independence_bench.offline.completion import completion, error, model_list


class OfflineTransport(httpx.AsyncBaseTransport):
    """Answers POST …/chat/completions and GET …/models as an OpenAI-compatible server would."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer; every mistake in the request becomes a JSON error with status 400, 404 or 405."""
        path = request.url.path.rstrip("/")
        if path.endswith("/chat/completions"):
            if request.method == "POST":
                status, body = completion(await request.aread())
            else:
                status, body = error(405, "chat/completions takes POST")
        elif path.endswith("/models"):
            status, body = (200, model_list()) if request.method == "GET" else error(405, "models takes GET")
        else:
            status, body = error(404, f"nothing is served under {path!r}")
        # json.dumps escapes lone surrogates, which httpx's own encoder cannot send
        return httpx.Response(status, content=json.dumps(body), headers={"content-type": "application/json"})
