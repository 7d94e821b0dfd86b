"""When a server asks us to come back: seconds or an HTTP date (RFC 9110, section 10.2.3)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_ABSURD_S = 1e10


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds to wait, or None; a date is read against the server's own ``Date``, not our clock."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        then = _date(value)
        if then is None:
            return None
        seconds = (then - (_date(headers.get("date", "")) or now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if abs(seconds) < _ABSURD_S else None


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # a zone of very many hours
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
