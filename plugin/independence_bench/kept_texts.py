"""Texts under keys, outside the memory: what grows with a session of days goes here. Ends with its process."""

import sqlite3
import threading
from collections.abc import Iterator
from weakref import finalize

_MEMORY_KB = 256


class KeptTexts:
    """Texts by key in a nameless temporary SQLite database, or in memory if there is no room. Threads may share it."""

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._in_memory: dict[str, str] = {}
        self._lock = threading.Lock()

    def put(self, key: str, text: str) -> None:
        """Keep a text; a later one under the same key takes its place, also in the order of :meth:`texts`."""
        with self._lock:
            try:
                self._opened().execute(
                    "INSERT INTO kept VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text", (key, text)
                )
            except sqlite3.OperationalError:
                self._in_memory[key] = text

    def get(self, key: str) -> str | None:
        """Return the text under a key, None where there is none."""
        with self._lock:
            if self._connection is None or key in self._in_memory:
                return self._in_memory.get(key)
            found = self._connection.execute("SELECT text FROM kept WHERE key = ?", (key,)).fetchone()
            return None if found is None else str(found[0])

    def __len__(self) -> int:
        return sum(1 for _ in self.texts())

    def texts(self) -> Iterator[str]:
        """Yield all texts, in the order in which their keys came first."""
        rows = self._connection.execute("SELECT key, text FROM kept ORDER BY rowid") if self._connection else ()
        left = dict(self._in_memory)
        for key, text in rows:
            yield left.pop(key, text)
        yield from left.values()

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            finalize(self, connection.close)
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute(f"PRAGMA cache_size = -{_MEMORY_KB}")
            connection.execute("CREATE TABLE kept (key TEXT PRIMARY KEY, text TEXT)")
            self._connection = connection
        return self._connection
