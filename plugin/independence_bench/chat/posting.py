"""One POST: sends a body and returns the whole response, of bounded size, decompressed and without the key."""

import zlib
from collections.abc import Mapping

from independence_bench.chat.faults import HttpAnswer
from independence_bench.chat.off_loop import off_loop
from independence_bench.chat.reply import Malformed
from independence_bench.chat.secret import Secret, both_ends
from independence_bench.chat.transport import Transport
from independence_bench.spec import Endpoint
from independence_bench.version import __version__

LARGEST_ANSWER = 2 * 1024 * 1024  # bytes of one answer, decompressed

_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "User-Agent": f"independence-bench/{__version__}",
}


async def post(endpoint: Endpoint, secret: Secret, transport: Transport, body: bytes) -> HttpAnswer:
    """Send one request and return the whole answer, whatever its status; the key is cut out of it.

    Of a long error only both ends are kept.

    Raises:
        Malformed: it is too large, or its compression broken or unknown.
        Exception: what the transport raises; ``faults.classify`` knows it.
    """
    url = f"{endpoint.base_url}/chat/completions"
    status, headers, content = await transport.send(
        "POST", url, {**secret.headers, **_HEADERS}, body, connect_s=endpoint.connect_s, largest=LARGEST_ANSWER
    )
    compressed = headers.get("content-encoding", "identity").strip().lower() not in ("identity", "")
    # Little that is compressed may be much.
    return await off_loop(len(content) * (32 if compressed else 1), _answer, status, headers, content, secret)


def _answer(status: int, headers: Mapping[str, str], content: bytes, secret: Secret) -> HttpAnswer:
    content = decompressed(content, headers.get("content-encoding", "identity"), LARGEST_ANSWER)
    answered = 200 <= status < 300
    if not answered:
        content = both_ends(content)
    cut = secret.cut_bytes(content, in_answer=answered)
    return HttpAnswer(status, headers, cut, key_cut=cut is not content)


def decompressed(content: bytes, encoding: str, largest: int) -> bytes:
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
