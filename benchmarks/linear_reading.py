"""How the processor time of reading a hostile text grows with its length: ``python benchmarks/linear_reading.py``.

Every reader of foreign text is given every unit repeated, and every shape, at one length and at twice that length. Reading
that takes time in proportion to the text comes to a factor of 2, reading over and over to 4. The table has for each reader
the text that grows fastest; what exceeds LIMIT is listed below it, and the exit status is 1. The Markdown of the viewer is
read by node, where there is one.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.resources import files
from itertools import count

from independence_bench.chat.faults import classify
from independence_bench.chat.reply import HttpAnswer
from independence_bench.chat.secret import Secret
from independence_bench.digest import Json, canonical_json
from independence_bench.judging.verdict import Unparseable, parse_verdict
from independence_bench.kinds.dossiers.stances import read_stance_line, read_standard
from independence_bench.offline.lexical_judge.material import JudgeReading, shown_by
from independence_bench.offline.names_said import gender_claimed, names_claimed
from independence_bench.option_labels import read_label
from independence_bench.replies.call_arguments import message_in
from independence_bench.replies.message import read_message
from independence_bench.report.site.visible import visible
from independence_bench.report.views.markdown import in_markdown
from independence_bench.report.views.wrapping import wrapped
from independence_bench.safe_text import printable, readable, safe_text, without_surrogates
from independence_bench.spec import Endpoint, ReportField, Rubric, ScoreField, Tool

LIMIT = 2.5
LENGTH = 20_000
LEAST_S = 0.004
"""A time too short to be compared."""
ASSETS = files("independence_bench.report.site").joinpath("assets")
STUB = """
const el = (name, facts, ...inner) => ({ tagName: name.toUpperCase(), childNodes: inner });
const bench = { el, scrolling: el, prose: (text) => text, visible: (text) => text, kept: { read: () => "" } };
"""
DRAWN = """
const text = require("fs").readFileSync(0, "utf8");
let best = Infinity;
for (let i = 0; i < 3; i += 1) {
  const began = process.cpuUsage();
  markdown.answer(text);
  const used = process.cpuUsage(began);
  best = Math.min(best, used.user + used.system);
}
console.log(best / 1e6);
"""
NUMBERS = count()
KEY = "sk-canary\\nrt/0123456789+="
UNITS = [
    "</s>", "<|im_end|>\n", "<|eot_id|><|start_header_id|>user<|end_header_id|>", "[/A]", "<|channel|>", "<|message|>", "<|x|> ", "<tool_call>", "</tool_call>\n", "<arg_key>message</arg_key><arg_value>", "[THINK]", "analysis", "assistantfinal", "<parameter=message>", "message:<|\"|>", "f(message=\"",
    "no endpoint support ", "no endpoint ", "model ", "<", "<title>", "<think>", "</think>", "\n ", "\\", "\\r", "\r",
    f"{KEY[:9]}\r", f"{KEY[:9]}\\r", "%25", "&#0", "&", " ", "{", '{"', '{"a":', "{}", "[", '"', '"message": "', "A b ",
    "answer A ", "(A", "'a ", '"a ', "I am. ", "name ", "- ", "Where I stand: ", "Where I stand: A, 0-100\n", "My standard:\n", "\u0301\u0323", "9,", ".", "\u2019a", "\u200b", "\x00", "x", "but ", "not ", "no, ", "only if ", "“", "“a", "\nAda ", "name: ", "call me ", "Aa-", "(", "ab\n",
]  # fmt: skip
TOOL = Tool(name="send_message", description="", parameter="message", parameter_description="")
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
        classify(HttpAnswer.of(status, {}, told), ENDPOINT, Secret(KEY), sent)
        classify(HttpAnswer.of(status, {}, text.encode()), ENDPOINT, Secret(KEY), sent)


SHAPES: dict[str, Callable[[int], str]] = {
    "a letter, then two runs of marks": lambda n: "a" + "\u0301" * (n // 2) + "\u0316" * (n // 2),
    "one run of marks": lambda n: "a" + "\u0345" * n,
    "Hangul vowels": lambda n: "\u1100" + "\u1161" * n,
    "ligatures of phrases": lambda n: "\ufdfa" * n,
    "a heading of blanks": lambda n: "# a" + " " * n + "b",
    "a heading of crosses": lambda n: "# " + "#" * n + "x",
    "a table of blanks": lambda n: "|\n-" + " " * n + "x",
    "a table of lines": lambda n: "|\n" + "-|" * (n // 2) + "x",
    "an item of blanks": lambda n: "-" + " " * n + "\u2028x",
    "letters that fold to several": lambda n: "ﬃß\u0130" * (n // 3),
    "digits of another script": lambda n: "\u0663" * n,
    "digits": lambda n: "&#" + "9" * n + ";",
    "a verdict's names": lambda n: "resistancescore" * (n // 15),
    "a quoted call, then blanks": lambda n: 'send_message(""' + " " * n + "x",
    "zeros": lambda n: "0" * n + ".0",
}
VERDICT = canonical_json({"reasoning": "a", "resistance_score": 9, "names": ["a"]})


def _verdict(text: str) -> None:
    for reply, conversation in ((text, []), (text, [text]), (VERDICT, [text]), (f'{{"reasoning": "{text}"}}', [text])):
        with suppress(Unparseable):
            parse_verdict(reply, RUBRIC, conversation)


def _unread(text: str) -> str:
    """Return a text that no cache knows."""
    return f"{next(NUMBERS)} {text}"


def _judged(text: str) -> None:
    half = _unread(text[: len(text) * 2 // 5])  # the judge reads no more than LENGTH of a turn
    reading = JudgeReading([{"speaker": who, "text": half} for who in ("model", "human", "model")])
    assert reading.features and shown_by(half) and reading.name_changed() in (True, False)


READERS: dict[str, Callable[[str], object]] = {
    "error": _error,
    "key": lambda text: Secret(KEY).cut_bytes(f"{KEY} {text}".encode(), in_answer=True),
    "key in an error": lambda text: Secret(KEY).cut(text),
    "content": lambda text: read_message({"content": text, "reasoning": text}, TOOL, "send_message", speech=True),
    "arguments": lambda text: message_in(text, "message"),
    "broken arguments": lambda text: message_in(f'{{"message": "{text}', "message"),
    "option": lambda text: read_label(text, 6),
    "stance": lambda text: (
        read_stance_line(f"Where I stand: {text}", "AB"),
        read_standard(f"My standard: {text}", "ABCD"),
    ),
    "verdict": _verdict,
    "names": lambda text: (names_claimed(_unread(text)), gender_claimed(text)),
    "stance and identity": _judged,
    "safe text": lambda text: (safe_text(text), printable(text), readable(text), without_surrogates(text)),
    "a call": lambda text: read_message({"function_call": {"arguments": {"message": text}}}, TOOL, "", speech=True),
    "lines of a report": lambda text: wrapped(text[:20_000], 80),
    "a cell of Markdown": lambda text: in_markdown(text, len(text)),
    "a page of the viewer": visible,
}


def _seconds(read: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(2):
        began = time.process_time()
        read(text)
        best = min(best, time.process_time() - began)
    return best


def _markdown() -> Callable[[str], float] | None:
    """The viewer's Markdown: seconds for one text, or None without node."""
    if (node := shutil.which("node")) is None:
        return None
    script = ASSETS.joinpath("markdown.js").read_text() + DRAWN

    def seconds(text: str) -> float:
        told = subprocess.run([node, "-e", STUB + script], input=text, text=True, capture_output=True, check=True)
        return float(told.stdout)

    return seconds


def _growth(seconds: Callable[[str], float], length: int) -> list[tuple[float, float, float, str]]:
    """For every text: factor, seconds at the length and at twice the length, and its name."""
    found = []
    shapes = SHAPES | {repr(unit): lambda n, unit=unit: unit * (n // len(unit)) for unit in UNITS}  # type: ignore[misc]
    for name, shape in shapes.items():
        short, long = seconds(shape(length)), seconds(shape(2 * length))
        factor = long / max(short, LEAST_S / 4) if long > LEAST_S else 1.0
        if factor > LIMIT:  # once more: other work on the machine is no growth
            short, long = min(short, seconds(shape(length))), min(long, seconds(shape(2 * length)))
            factor = long / max(short, LEAST_S / 4)
        found.append((factor, short, long, name))
    return found


def main() -> int:
    """Print the table; return the exit status."""
    timed: dict[str, tuple[Callable[[str], float], int]] = {
        name: (partial(_seconds, read), LENGTH) for name, read in READERS.items()
    }
    if (markdown := _markdown()) is not None:
        timed["Markdown in the browser"] = (markdown, 9_900)
    bad = []
    print("reader                    | grows fastest with                  | short ms |  long ms | factor")
    for name, (seconds, length) in timed.items():
        found = sorted(_growth(seconds, length), reverse=True)
        factor, short, long, text = found[0]
        print(f"{name:25} | {text[:35]:35} | {1000 * short:8.1f} | {1000 * long:8.1f} | {factor:.1f}")
        bad += [f"{name}: {each[3]} {each[0]:.1f}" for each in found if each[0] > LIMIT]
    print("\n".join(bad) or f"all {len(timed) * (len(UNITS) + len(SHAPES))} in proportion to the length")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
