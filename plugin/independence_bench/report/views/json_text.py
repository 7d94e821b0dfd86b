"""A report as JSON: ASCII, one line per field and per row, so that two versions can be compared line by line."""

import json
from collections.abc import Iterator, Sequence

from independence_bench.report.report_data import ReportData


def json_text(value: ReportData, rows: str | None = None) -> str:
    """Return a report as ASCII JSON with one line per field, and one per item of its long list ``rows``, if any."""
    return "".join(_parts(value, rows))  # joined once: a board of a million trials is 135 MB


def _parts(value: ReportData, rows: str | None) -> Iterator[str]:
    data = value.model_dump(mode="python", by_alias=True, exclude={rows} if rows else None)
    separator = "{\n"
    for name, item in data.items():
        yield f"{separator}{_json(name)}: {_json(item)}"
        separator = ",\n"
    if rows:
        yield f"{separator}{_json(rows)}: "
        yield from _rows(getattr(value, rows))
    yield "\n}\n"


def _rows(items: Sequence[ReportData]) -> Iterator[str]:
    # Item by item: 13,000 cases as dictionaries at once are 40 MB.
    separator = "[\n "
    for item in items:
        yield separator
        yield _json(item.model_dump(mode="python", by_alias=True))
        separator = ",\n "
    yield "\n]" if items else "[]"


def _json(value: object) -> str:
    # ASCII: a lone surrogate stays an escape. Without indent: the C encoder writes 13,000 cases eight times as fast.
    return json.dumps(value, ensure_ascii=True, allow_nan=False)
