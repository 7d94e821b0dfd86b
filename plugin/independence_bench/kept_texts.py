"""Texts under keys, outside the memory: what grows with a session of days goes here. Ends with its process."""

import sqlite3
import threading
from collections.abc import Iterator
from weakref import finalize

_MEMORY_KB = 256
_HELD_CHARACTERS = 2_000_000  # of the texts that stay in memory: few sessions have more


class KeptTexts:
    """Texts by key: the first ones in memory, then in a nameless temporary SQLite database, while there is room for it.
    Threads may share it.
    """

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._first: dict[str, str] = {}
        self._held = 0  # characters of these
        self._lock = threading.Lock()

    def put(self, key: str, text: str) -> None:
        """Keep a text; a later one under the same key takes its place."""
        with self._lock:
            # Once the file is in use, no new text stays in memory: its key may be in the file.
            if key in self._first or (self._connection is None and self._held < _HELD_CHARACTERS):
                self._held += len(text) - len(self._first.get(key, ""))
                self._first[key] = text
                return
            try:
                self._opened().execute(
                    "INSERT INTO kept VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text", (key, text)
                )
            except sqlite3.OperationalError:  # no room for the file
                self._first[key] = text

    def get(self, key: str) -> str | None:
        """Return the text under a key, None where there is none."""
        with self._lock:
            if key in self._first or self._connection is None:
                return self._first.get(key)
            row = self._connection.execute("SELECT text FROM kept WHERE key = ?", (key,)).fetchone()
            return None if row is None else str(row[0])

    def __len__(self) -> int:
        return sum(1 for _ in self.texts())

    def texts(self) -> Iterator[str]:
        """Yield all texts, in the order in which their keys came first while there was room for them."""
        first = dict(self._first)
        yield from first.values()
        rows = self._connection.execute("SELECT key, text FROM kept ORDER BY rowid") if self._connection else ()
        yield from (text for key, text in rows if key not in first)

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            finalize(self, connection.close)
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute(f"PRAGMA cache_size = -{_MEMORY_KB}")
            connection.execute("CREATE TABLE kept (key TEXT PRIMARY KEY, text TEXT)")
            self._connection = connection
        return self._connection
