"""Requests by the httpx client that an installed package brings. Imported with the first of them."""

from collections.abc import Mapping

import httpx

from independence_bench.chat.transport import RawAnswer


class HttpTransport:
    """Sends requests by one client of httpx, whose transport, authentication and hooks apply."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.aclose = client.aclose

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> RawAnswer:
        """See ``transport.Transport``."""
        # Reading has no limit of its own: the call's deadline covers everything.
        limits = {"timeout": {"connect": connect_s, "read": None, "write": None, "pool": None}}
        request = httpx.Request(method, url, headers=headers, content=body, extensions=limits)
        response = await self._client.send(request, stream=True)
        try:
            content = bytearray()
            assert isinstance(response.stream, httpx.AsyncByteStream)  # aiter_raw() refuses what a test double has read
            async for chunk in response.stream:
                content += chunk
                if len(content) > largest:
                    break
        finally:
            await response.aclose()
        return RawAnswer(response.status_code, response.headers, bytes(content))
