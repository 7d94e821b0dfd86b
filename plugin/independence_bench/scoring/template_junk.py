"""Chat-template tokens that a server let slip into an answer: counted and shown, never cleaned away. Pure."""

import re

MARKERS = ("<", "INST]", "TOOL_CALL")
"""One of these stands in every answer with template junk; few others hold one, and JSON leaves them as they are."""

_JUNK = re.compile(
    r"<\|"  # <|im_end|>, <|channel|> and their kin
    r"|</?tool_calls?\b|\[/?TOOL_CALLS?\]|<function="
    r"|</?(?:start|end)_of_turn>|\[/?INST\]"
    r"|</?think>"
)


def has_template_junk(answer: str) -> bool:
    """Return whether an answer carries tokens of a chat template that were never meant for a reader."""
    return _JUNK.search(answer) is not None
