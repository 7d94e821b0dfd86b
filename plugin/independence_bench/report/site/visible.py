"""Foreign text as a page shows it: every sign that would hide, or turn the direction of what follows, is spelled out.

Escaping for HTML is not done here: templates escape all they are given, scripts write text nodes only.
"""

import re

from independence_bench.safe_text import without_surrogates

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Joiners (U+200C, U+200D) stay: scripts and emoji need them, and turn nothing. ``bench.js`` knows the same set."""


def visible(text: object) -> str:
    """Return text with control characters, direction marks and invisible letters as ``[U+202E]``."""
    return _HIDDEN.sub(lambda sign: f"[U+{ord(sign[0]):04X}]", without_surrogates(str(text)))
