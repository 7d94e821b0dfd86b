"""Times in reports."""

from datetime import UTC, datetime
from functools import lru_cache


def utc(at: float) -> str:
    """Return a Unix time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@lru_cache(4096)  # a verdict's time stands in every row of its scores
def known_utc(at: float) -> str | None:
    """Return a time as reports write it; None for one that is no time: imports may bring any number."""
    try:
        return utc(at) if at else None
    except (ValueError, OverflowError, OSError):
        return None
