"""When a server asks us to come back, wherever it says so: in a header, in a field of its error, or in its words."""

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from independence_bench.digest import Json, fields_in
from independence_bench.packaged_yaml import packaged_yaml

_UNIX_S = 1e9  # from here on a number is no wait but a time, in milliseconds from 1e12 on
_FIELDS = {re.compile(sign): unit for sign, unit in packaged_yaml(__package__, "signs.yaml")["waits"].items()}
"""Names of fields, the most explicit first, and the unit of a plain number in each, seconds."""
_WORDS = re.compile(
    r"(?i)\b(?:again|retry|come back|wait|available|resets?|resume)\b[^\d.]{0,40}"
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?"
    r"|(?<=after[ :])\s?\d{1,9}(?![\w.]?\w)"
    r"|\d{1,9}(?:\.\d{1,12})?\s{0,3}[smhd][\w ,]{0,40}(?:\.\d{1,12}s)?)"
)
_PART = re.compile(
    r"(?i)(\d{1,9}(?:\.\d{1,12})?)\s{0,3}(ms|mil|[smhd])(li\w{1,9}|ecs?|econds?|ins?|inutes?|rs?|ours?|ays?)?(?![a-z])"
)
"""One number of a span such as ``7m12s`` or ``1 minute and 30 seconds``, with its unit."""
_UNITS = {"mil": 0.001, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class WaitRequest(NamedTuple):
    """A server's wish not to be asked for a while."""

    seconds: float
    source: str  # the name of the header or field that says so, or ``its message``
    until: float  # Unix time at which it ends


def wait_request(headers: Mapping[str, str], body: object, text: str, now: float | None = None) -> WaitRequest | None:
    """Return what an error asks for, or None; ``text`` is its message. Times are read against the server's ``Date``,
    else ``now`` (Unix time; our clock if not given). A limit that has something left resets nothing.
    """
    with suppress(ValueError, OverflowError):
        now = parsedate_to_datetime(headers.get("date", "")).timestamp()
    now = time.time() if now is None else now
    words = _WORDS.search(text)
    fields: dict[str, Json] = {"its message": words[1] if words else None}
    for name, value in (*headers.items(), *fields_in(body, 6)):  # Google's delay: list, error, details
        fields.setdefault(name.lower().replace("_", "-"), value)
    rest = {name: str(value).strip("0. ") for name, value in fields.items() if "remaining" in name}
    for names, unit in _FIELDS.items():
        named = [name for name in fields if names.fullmatch(name) and not rest.get(name.replace("reset", "remaining"))]
        waits = [(seconds, name) for name in named if 0 <= (seconds := _seconds(fields[name], unit, now)) < 1e10]
        if waits:
            return WaitRequest(*max(waits), now + max(waits)[0])
    return None


def _seconds(value: Json, unit: float, now: float) -> float:
    text = str(value).strip() if isinstance(value, str | int | float) else ""
    text = text.partition(";t=")[2].partition(";")[0] or text
    number = _number(text)
    if number is None:
        parts = _PART.findall(text)
        return sum(float(number) * _UNITS[name.lower()] for number, name, _ in parts) if parts else -1.0
    then = number / (1000 if number >= 1000 * _UNIX_S else 1)
    return number * unit if number * unit < _UNIX_S else max(then - now, 0.0)


def _number(text: str) -> float | None:
    """Return a number as it is, and a date as Unix time."""
    for read in (float, datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError, OverflowError):  # a zone of very many hours
            at = read(text)
            return at if isinstance(at, float) else (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    return None
