"""Times in reports."""

from datetime import UTC, datetime


def utc(at: float) -> str:
    """Return a Unix time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
