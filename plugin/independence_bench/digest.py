"""JSON values: a value inside a foreign one, and content digests, by which equal content has one name.

Digests make the keys of trials, verdicts and texts.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]  # any JSON value; also of wire bodies

canonical_json = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode
"""Return the one JSON text of a value: sorted keys, no spaces, ASCII only (lone surrogates survive as escapes)."""


def at(value: Json, *place: str | int) -> Json:
    """Return what a foreign value holds at a place, keys and indices from the outermost on; None: nothing is there."""
    for step in place:
        if isinstance(step, str):
            if not isinstance(value, dict):
                return None
            value = value.get(step)
        elif isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


_SPEECH = ("choices", "message", "output", "candidates")


def fields_in(value: object, depth: int) -> Iterator[tuple[str, Json]]:
    """Yield the name and value of every field of a reply, the outer ones first, through so many objects and lists; none
    from within what a model said.
    """
    fields = value if isinstance(value, dict) else {}
    yield from fields.items()
    if depth > 1:
        for each in value if isinstance(value, list) else [fields[name] for name in fields if name not in _SPEECH]:
            yield from fields_in(each, depth - 1)


class EncodedJson(str):
    """The canonical JSON of a value, so that what many values have in common is encoded once."""


def encoded_object(fields: Mapping[str, Json | EncodedJson]) -> EncodedJson:
    """Return the canonical JSON of an object; its values may be encoded already."""
    parts = [
        (name, value if isinstance(value, EncodedJson) else canonical_json(value)) for name, value in fields.items()
    ]
    return EncodedJson("{" + ",".join([f"{canonical_json(name)}:{value}" for name, value in sorted(parts)]) + "}")


def digest(value: Json | EncodedJson) -> str:
    """Return 32 hexadecimal digits (128 bits of SHA-256) of the canonical JSON of a value."""
    text = value if isinstance(value, EncodedJson) else canonical_json(value)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]
