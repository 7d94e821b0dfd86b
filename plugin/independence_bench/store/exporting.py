"""Exports a store as JSON Lines, for other stores and other programs. Does not interpret the rows.

An export has a header, one line per row in key order, and a last line with counts and a digest: equal stores give equal
exports, and a truncated export is detected.
"""

import json
from collections.abc import Generator, Iterable, Iterator
from hashlib import sha256
from sqlite3 import Connection

from independence_bench import __version__
from independence_bench.digest import Json
from independence_bench.store.damage import damaged
from independence_bench.store.database import Database
from independence_bench.store.store_tables import (
    EXPORT_SCHEMA,
    EXPORTED,
    FORMAT,
    OF_MODELS,
    SAID_BY_MODELS,
    SESSIONS,
    TRANSCRIPTS,
    StoreTable,
    Value,
)
from independence_bench.wire_json import encode

_CHOSEN = {
    "configuration": OF_MODELS,
    "session": f"id IN (SELECT session FROM transcripts WHERE {OF_MODELS}"  # noqa: S608 -- our own names
    f" UNION SELECT session FROM verdicts WHERE {SAID_BY_MODELS}"
    f" UNION SELECT session FROM failures WHERE {OF_MODELS})",
    "transcript": OF_MODELS,
    "verdict": SAID_BY_MODELS,
    "failure": OF_MODELS,
    "label": SAID_BY_MODELS,
    "answer": OF_MODELS,
    # A look at these and other models is not a look at these alone: it is exported only with all of them.
    "look": "json_array_length(body, '$.configurations') > 0 AND NOT EXISTS (SELECT 1"
    " FROM json_each(body, '$.configurations') WHERE value NOT IN (SELECT value FROM json_each(?1, '$.models')))",
    "judge_check": f"configuration IN (SELECT judge_configuration FROM verdicts WHERE {SAID_BY_MODELS})",  # noqa: S608
}
"""Which rows of a table belong to an export of some models only; ?1 has their configurations under ``models``."""


def export_lines(database: Database, configurations: Iterable[str] | None = None) -> Generator[str, None, None]:
    """Yield the lines of an export, each with its line break: all of a store, or only these model configurations.

    A session's line names all models that it asked; an export of some models has the sessions of their rows.
    """
    chosen = None if configurations is None else json.dumps({"models": sorted(set(configurations))})
    digest = sha256()
    counts: dict[str, int] = {}
    with database.snapshot() as connection:
        header = _header(connection, chosen)
        digest.update(header.encode("ascii"))
        yield header
        for table in EXPORTED:
            counts[table.kind] = 0
            for values in _rows(connection, table, table.line_columns, chosen):
                try:
                    text = table.text(values)
                except ValueError as error:
                    raise damaged(database.path, f"a {table.kind} in it is no JSON") from error
                # DEL is the only control character that JSON allows unescaped; keep it out of terminals.
                text = text.replace("\x7f", "\\u007f") + "\n"
                digest.update(text.encode("ascii"))
                counts[table.kind] += 1
                yield text
    yield encode({"line": "end", "counts": counts, "sha256": digest.hexdigest()}) + "\n"


def _header(connection: Connection, chosen: str | None) -> str:
    sessions = list(_rows(connection, SESSIONS, ("id", "edition"), chosen))
    editions = {str(edition) for _, edition in sessions}
    editions |= {str(edition) for (edition,) in _rows(connection, TRANSCRIPTS, ("edition",), chosen)}
    header: dict[str, Json] = {
        "format": FORMAT,
        "schema": EXPORT_SCHEMA,
        "version": __version__,
        "editions": [*sorted(editions)],
        "sessions": [str(name) for name, _ in sessions],
    }
    return encode(header) + "\n"


def _rows(
    connection: Connection, table: StoreTable, columns: tuple[str, ...], chosen: str | None
) -> Iterator[tuple[Value, ...]]:
    if chosen is None:
        return table.select(connection, columns)
    return table.select(connection, columns, _CHOSEN[table.kind], (chosen,))
