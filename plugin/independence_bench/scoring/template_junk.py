"""Chat-template tokens that a server let slip into an answer: counted and shown, never cleaned away. Pure."""

import re

MARKERS = ("<|", "<tool_call", "/tool_call", "TOOL_CALL", "<function=", "_of_turn>", "INST]", "think>")
"""One of these stands in every answer with template junk; written without quotes, so that a search in JSON finds it."""

_JUNK = re.compile(
    r"<\|"  # <|im_end|>, <|channel|> and their kin
    r"|</?tool_calls?\b|\[/?TOOL_CALLS?\]|<function="
    r"|</?(?:start|end)_of_turn>|\[/?INST\]"
    r"|</?think>"
)


def has_template_junk(answer: str) -> bool:
    """Return whether an answer carries tokens of a chat template that were never meant for a reader."""
    return _JUNK.search(answer) is not None
