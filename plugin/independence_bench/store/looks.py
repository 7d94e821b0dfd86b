"""Looks: that a gate has looked at a subject with so many runs. What a subject is, and what follows, the gate decides.

A deployment rule that looks more than once pays for it, so that looks are counted here once and for good.
"""

import math
from sqlite3 import Connection

from independence_bench.store.damage import read_body
from independence_bench.store.database import Database
from independence_bench.store.sessions import Look
from independence_bench.store.store_tables import LOOKS
from independence_bench.wire_json import value_to_json

_ORDER = "at, runs"
"""Oldest first; two of one instant, brought together from two stores, in the order in which runs are added."""


def add_look(connection: Connection, look: Look) -> int:
    """Record a look unless it is known; return its place among all looks at its subject, 1 for the first."""
    if _place(connection, look) is None:
        newest = connection.execute("SELECT max(at) FROM looks WHERE subject = ?", (look.subject,)).fetchone()[0]
        if newest is not None and look.at <= newest:
            # A clock that was put back must not give a place away that has been counted already.
            look = look.model_copy(update={"at": math.nextafter(newest, math.inf)})
        LOOKS.insert(connection, LOOKS.row_of(look, body=value_to_json(look)))
    place = _place(connection, look)
    assert place is not None, "it is recorded now"
    return place


def _place(connection: Connection, look: Look) -> int | None:
    known = connection.execute(f"SELECT runs FROM looks WHERE subject = ? ORDER BY {_ORDER}", (look.subject,))  # noqa: S608 -- our own names
    runs = [int(row[0]) for row in known]
    return runs.index(look.runs) + 1 if look.runs in runs else None


def looks_at(database: Database, subject: str) -> list[Look]:
    """Return the looks at a subject in the order in which they were first made."""
    rows = database.rows(f"SELECT body FROM looks WHERE subject = ? ORDER BY {_ORDER}", (subject,))  # noqa: S608 -- our own names
    return [read_body(database.path, Look, body) for (body,) in rows]
