"""The answer in a reply's message: its text and thinking, in whatever shape they came. Knows no tools, no HTTP."""

import re
from collections.abc import Mapping

from independence_bench.call_arguments import visible_text
from independence_bench.digest import Json

_THOUGHT = re.compile(r"(?:\A|\n|(?<=</think>))[^\S\n]*<think>(.*?)(?:</think>|\Z)", re.DOTALL)
"""Opens only at the start of a line: a model may well write about the tag in the middle of a sentence."""


def part_thinking(text: str) -> tuple[str, str]:
    """Split text into the answer and the thinking in ``<think>`` tags, which open at the start of a line. A closing tag
    alone ends thinking that began with the text; a block that is never closed runs to the end.
    """
    if "think>" not in text:
        return text, ""
    thoughts: list[str] = []
    if "</think>" in text and "<think>" not in text.partition("</think>")[0]:
        thought, _, text = text.partition("</think>")
        thoughts.append(thought)
    thoughts += _THOUGHT.findall(text)
    text = _THOUGHT.sub("\n", text)
    return text.strip(), "\n\n".join(thought.strip() for thought in thoughts if thought.strip())


def content_of(message: Mapping[str, Json]) -> tuple[str, str | None]:
    """Return a message's visible content and its thinking, which may come as ``reasoning``, ``reasoning_content``, as
    separate parts, or in ``<think>`` tags; what the server itself separated comes first.
    """
    content = message.get("content")
    thoughts: list[str] = []
    if isinstance(content, list):
        content = "".join(_part(part, thoughts) for part in content)
    visible, tagged = part_thinking(content) if isinstance(content, str) else ("", "")
    for name in ("reasoning", "reasoning_content"):
        value = message.get(name)
        if isinstance(value, str) and value.strip() and value not in thoughts:
            thoughts.insert(0, value)
    if tagged:
        thoughts.append(tagged)
    return visible_text(visible), "\n\n".join(thoughts) or None


def _part(part: Json, thoughts: list[str]) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    thinking = part.get("thinking")
    if isinstance(thinking, list):
        thinking = "".join(_part(inner, thoughts) for inner in thinking)
    if isinstance(thinking, str):
        thoughts.append(thinking)
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""
