"""Records on their way from a worker's engine to its next report.

Filled in the engine's thread, emptied in pytest's; knows neither.
"""

from threading import Lock


class Outbox:
    """Finished records, each a JSON string of one line."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = Lock()
        self._records: list[str] = []

    def put(self, record_json: str) -> None:
        """Add a record."""
        with self._lock:
            self._records.append(record_json)

    def take(self) -> str:
        """Return all records as JSON lines, empty where there are none, and forget them."""
        with self._lock:
            records, self._records = self._records, []
        return "\n".join(records)


def opened(text: str) -> list[str]:
    """Return the records of one taken string."""
    return text.split("\n") if text else []
