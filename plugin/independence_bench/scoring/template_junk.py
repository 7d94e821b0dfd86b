"""Chat-template tokens that a server left in an answer: counted and shown, never removed. Pure."""

import re

MARKERS = ("<", "INST]", "TOOL_CALL")
"""Every answer with template junk contains one of these; few others do, and JSON does not escape them."""

_JUNK = re.compile(
    r"<\|"  # <|im_end|>, <|channel|> and their kin
    r"|</?tool_calls?\b|\[/?TOOL_CALLS?\]|<function="
    r"|</?(?:start|end)_of_turn>|\[/?INST\]"
    r"|</?think>"
)


def has_template_junk(answer: str) -> bool:
    """Return whether an answer carries tokens of a chat template that are not part of the text."""
    return _JUNK.search(answer) is not None
