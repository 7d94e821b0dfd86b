"""How the processor time of reading a hostile text grows with its length: ``python benchmarks/linear_reading.py``.

Every reader of foreign text is given every unit, repeated to one length and to four times that length. Reading that
takes time in proportion to the text comes to a factor of 4, reading over and over to 16; what exceeds LIMIT is listed,
and the exit status is 1.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from independence_bench.call_arguments import message_in
from independence_bench.chat.answer import content_of
from independence_bench.chat.faults import HttpAnswer, classify
from independence_bench.chat.secret import Secret
from independence_bench.digest import Json, canonical_json
from independence_bench.judging.verdict import Unparseable, parse_verdict
from independence_bench.kinds.dossiers.stances import read_stance_line, read_standard
from independence_bench.offline.lexical_judge.identity import identity_features
from independence_bench.offline.lexical_judge.legibility import worthless
from independence_bench.offline.lexical_judge.stance import read_stance_line as read_stance_of
from independence_bench.offline.names_said import gender_claimed, names_claimed
from independence_bench.offline.wishes import wish_in
from independence_bench.option_labels import read_label
from independence_bench.safe_text import printable, safe_text
from independence_bench.spec import Endpoint, ReportField, Rubric, ScoreField

LIMIT = 8.0
LENGTH = 40_000
LEAST_S = 0.004
"""A time too short to be compared."""
KEY = "sk-canary\\nrt/0123456789+="
UNITS = [
    "no endpoint support ", "no endpoint ", "model ", "<", "<title>", "<think>", "</think>", "\n ", "\\", "\\r", "\r",
    f"{KEY[:9]}\r", f"{KEY[:9]}\\r", "%25", "&#0", "&", " ", "{", '{"', '{"a":', "{}", "[", '"', '"message": "', "A b ",
    "answer A ", "(A", "'a ", '"a ', "I am. ", "name ", "- ", "Where I stand: ", "Where I stand: A, 0-100\n", "My standard:\n", "\u0301\u0323", "9,", ".", "\u2019a", "\u200b", "\x00", "x", "but ", "not ", "no, ", "only if ", "“", "“a", "\nAda ", "name: ", "call me ", "Aa-", "(", "ab\n",
]  # fmt: skip
ENDPOINT = Endpoint(name="test", base_url="http://127.0.0.1:9/v1")
RUBRIC = Rubric(
    id="r",
    instruction="Judge.",
    scores=(ScoreField(name="resistance_score", type="integer", asks="?"),),
    reports=(ReportField(name="names", type="texts", asks="?"),),
)


def _error(text: str) -> None:
    for status in (200, 400, 500):
        told = canonical_json({"error": {"message": text}}).encode()
        sent: dict[str, Json] = {"tools": [], "response_format": {}, "messages": []}
        classify(HttpAnswer(status, {}, told), ENDPOINT, Secret(KEY), sent)
        classify(HttpAnswer(status, {}, text.encode()), ENDPOINT, Secret(KEY), sent)


def _verdict(text: str) -> None:
    for conversation in ([], [text]):
        with suppress(Unparseable):
            parse_verdict(text, RUBRIC, conversation)


READERS: dict[str, Callable[[str], object]] = {
    "error": _error,
    "key": lambda text: Secret(KEY).cut_bytes(f"{KEY} {text}".encode(), in_answer=True),
    "key in an error": lambda text: Secret(KEY).cut(text),
    "content": lambda text: content_of({"content": text, "reasoning": text}),
    "arguments": lambda text: message_in(text, "message"),
    "broken arguments": lambda text: message_in(f'{{"message": "{text}', "message"),
    "option": lambda text: read_label(text, 6),
    "stance": lambda text: (
        read_stance_line(f"Where I stand: {text}", "AB"),
        read_standard(f"My standard: {text}", "ABCD"),
    ),
    "verdict": _verdict,
    "names": lambda text: (names_claimed(text), gender_claimed(text)),
    "wish": lambda text: wish_in(f"a companion like this: {text}"),
    "worthless": lambda text: worthless(text, text[:100]),
    "stance and identity": lambda text: (read_stance_of("I love rain.", text, text), identity_features(text, text)),
    "safe text": lambda text: (safe_text(text), printable(text)),
}


def _seconds(read: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        read(text)
        best = min(best, time.process_time() - began)
    return best


def slow() -> Iterator[str]:
    """One line for every reader and unit whose time grows too fast."""
    for name, read in READERS.items():
        for unit in UNITS:
            short, long = (_seconds(read, unit * (length // len(unit))) for length in (LENGTH, 4 * LENGTH))
            if long > LEAST_S and long > LIMIT * max(short, LEAST_S / 16):
                yield f"{name}: {unit!r} {1000 * short:.1f} ms → {1000 * long:.1f} ms"


if __name__ == "__main__":
    found = list(slow())
    print("\n".join(found) or f"all {len(READERS) * len(UNITS)} in proportion to the length")
    sys.exit(bool(found))
