"""Records on their way from a worker's engine to its next report.

Filled in the engine's thread, emptied in pytest's; knows neither.
"""

import json
from threading import Lock


class Outbox:
    """Finished records, each a JSON string."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = Lock()
        self._records: list[str] = []

    def put(self, record_json: str) -> None:
        """Add a record."""
        with self._lock:
            self._records.append(record_json)

    def take(self) -> str:
        """Return all records as one JSON string, empty where there are none, and forget them."""
        with self._lock:
            records, self._records = self._records, []
        return json.dumps(records) if records else ""


def opened(text: str) -> list[str]:
    """Return the records of one taken string."""
    return list(json.loads(text)) if text else []
