"""Data as classic scripts that register themselves: the one way of loading data that also works from file://.

Nothing in here can end the script, open a tag or name a prototype: everything beyond ASCII and every character that
HTML knows is an escape, and foreign text is only ever a value, never a key.
"""

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from math import ceil, floor

Datum = None | bool | int | float | str | Sequence["Datum"] | Mapping[str, "Datum"]
"""What a chunk may hold; the keys of its mappings are our own words."""

LONG = 200_000  # characters beyond which a chunk is worth packing; ``bench.load`` unpacks it
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def chunk(name: str, value: Datum, *, packed: bool = False) -> str:
    """Return the script that registers a value under a name; ``packed`` allows a long one to become zlib in base64."""
    # ASCII: U+2028, U+2029 and lone surrogates are escapes too, and a page from file:// needs no charset.
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    if packed and len(text) > LONG:
        # The fastest level: half as long for a third of the time that the best one takes.
        text = f'"{b64encode(zlib.compress(text.encode(), 1)).decode()}"'
    for sign, escape in _ESCAPES.items():  # where there are any, 40 times as fast as str.translate; 30 MB pass here
        text = text.replace(sign, escape)
    return f"bench.register({json.dumps(name)},{text});\n"


def rounded(number: float | None, places: int = 4) -> float | None:
    """Return a number short enough to travel; pages show at most two decimals."""
    return None if number is None else round(number, places)


def rounded_ends(ends: Sequence[float] | None) -> list[Datum] | None:
    """Return an interval as short, outwards but for errors of floating point; None where there is none."""
    return None if ends is None else [floor(ends[0] * 10**4 + 1e-6) / 10**4, ceil(ends[1] * 10**4 - 1e-6) / 10**4]


def truth_number(truth: bool | None) -> int | None:
    """Return a truth as 1 or 0; None where it is unknown."""
    return None if truth is None else int(truth)


def yes_or_no(truth: bool | None) -> str | None:
    """Return a truth in a word; None where it is unknown."""
    return None if truth is None else "yes" if truth else "no"


def drop_empty(**fields: Datum) -> dict[str, Datum]:
    """Return the fields that say something: None, False, empty texts and lists are left out."""
    return {name: value for name, value in fields.items() if value or (value == 0 and value is not False)}
