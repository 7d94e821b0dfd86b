"""Records as JSON strings: what travels between processes and into the store. Knows no store and no transport.

ASCII only, so that a lone surrogate in a model's text stays an escape: unescaped it kills an xdist session, and
pydantic's own ``model_dump_json`` cannot write it.
"""

import json

from independence_bench.spec import Frozen
from independence_bench.trial import TrialRecord

_ENCODER = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))


def value_to_json(value: Frozen) -> str:
    """Return any of our frozen models as one line of ASCII JSON; lone surrogates stay escapes."""
    return _ENCODER.encode(value.model_dump(mode="python"))


def record_to_json(record: TrialRecord) -> str:
    """Return the record as one line of ASCII JSON (about 1 ms for 200 KB)."""
    return value_to_json(record)


def record_from_json(text: str) -> TrialRecord:
    """Return the record that :func:`record_to_json` wrote. Raises ValueError where it is none."""
    return TrialRecord.model_validate(json.loads(text))
