"""One POST: a body goes out, a complete answer of bounded size comes back, decompressed and without the key."""

import zlib
from http import HTTPStatus

from independence_bench import __version__
from independence_bench.chat.carriers import Carrier
from independence_bench.chat.faults import HttpAnswer
from independence_bench.chat.reply import Malformed
from independence_bench.chat.secret import Secret, both_ends
from independence_bench.spec import Endpoint

LARGEST_ANSWER = 16 * 1024 * 1024
"""Bytes of one answer, decompressed."""


class Address:
    """Where and how one endpoint is posted to."""

    def __init__(self, endpoint: Endpoint, secret: Secret, carrier: Carrier) -> None:
        """Prepare all that is equal in every request."""
        self._url = f"{endpoint.base_url}/chat/completions"
        self._connect_s = endpoint.connect_s
        self._carrier = carrier
        self._secret = secret
        self._headers = {
            **secret.headers,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "User-Agent": f"independence-bench/{__version__}",
        }

    async def post(self, body: bytes) -> HttpAnswer:
        """Send one request and return the whole answer, whatever its status; the key is cut out of it.

        Of a long error only both ends are kept.

        Raises:
            Malformed: it is too large, or its compression broken or unknown.
            Exception: what the carrier raises; ``faults.classify`` knows it.
        """
        status, headers, content = await self._carrier.post(
            self._url, self._headers, body, connect_s=self._connect_s, largest=LARGEST_ANSWER
        )
        if len(content) > LARGEST_ANSWER:
            raise Malformed(f"more than {LARGEST_ANSWER >> 20} MB")
        content = _decompressed(content, headers.get("content-encoding", "identity"))
        if not 200 <= status < 300:
            content = both_ends(content)
        cut = self._secret.cut_bytes(content, in_answer=status == HTTPStatus.OK)
        return HttpAnswer(status, headers, cut, key_cut=cut is not content)


def _decompressed(content: bytes, encoding: str) -> bytes:
    encoding = encoding.strip().lower()
    if encoding in ("identity", ""):
        return content
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise Malformed(f"content encoding {encoding}, which was not asked for")
    stream = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # 32: gzip and zlib headers are told apart
    try:
        content = stream.decompress(content, LARGEST_ANSWER + 1)
    except zlib.error:
        raise Malformed("broken compression") from None
    if len(content) > LARGEST_ANSWER:
        raise Malformed(f"more than {LARGEST_ANSWER >> 20} MB when decompressed")
    if not stream.eof:
        raise Malformed("compression that ends midway")
    return content
