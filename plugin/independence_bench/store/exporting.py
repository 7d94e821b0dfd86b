"""Exports a store as JSON Lines, and reads an export back into rows. Does not interpret the rows, merges nothing.

An export has a header, one line per row in key order, and a last line with counts and a digest: equal stores give equal
exports, and a damaged, truncated or unknown one is refused. Rows that are not as we would have written them are refused
by line number; their number decides what the caller does.
"""

import json
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from sqlite3 import Connection

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.safe_text import safe_text
from independence_bench.store.damage import begins_with, damaged_store
from independence_bench.store.database import Database
from independence_bench.store.row_check import RefusedRow, RefusedRows, RowCheck, latest_foreign
from independence_bench.store.store_tables import (
    EXPORT_SCHEMA,
    EXPORTED,
    FORMAT,
    OF_MODELS,
    ON_ANSWERS_OF_MODELS,
    SESSIONS,
    TRANSCRIPTS,
    StoreTable,
    Value,
)
from independence_bench.version import __version__
from independence_bench.wire_json import encode

_CHOSEN = {
    **dict.fromkeys(("configuration", "transcript", "failure", "answer"), OF_MODELS),
    **dict.fromkeys(("verdict", "label"), ON_ANSWERS_OF_MODELS),
    "session": f"id IN (SELECT session FROM transcripts WHERE {OF_MODELS}"  # noqa: S608 -- our own names
    f" UNION SELECT session FROM verdicts WHERE {ON_ANSWERS_OF_MODELS}"
    f" UNION SELECT session FROM failures WHERE {OF_MODELS})",
    # A look at these and other models is not a look at these alone: it is exported only with all of them.
    "look": "json_array_length(body, '$.configurations') > 0 AND NOT EXISTS (SELECT 1"
    " FROM json_each(body, '$.configurations') WHERE value NOT IN (SELECT value FROM json_each(:names, '$.models')))",
    "judge_check": f"configuration IN (SELECT judge_configuration FROM verdicts WHERE {ON_ANSWERS_OF_MODELS})",  # noqa: S608
}
"""Which rows of a table belong to an export of some models only; ``:names`` holds these as JSON, under ``models``."""


def export_lines(database: Database, configurations: Iterable[str] | None = None) -> Generator[str, None, None]:
    """Yield the lines of an export of a store, or of these configurations with the sessions of their rows."""
    chosen = None if configurations is None else json.dumps({"models": sorted(set(configurations))})
    digest = sha256()
    counts = {table.kind: 0 for table in EXPORTED}
    with database.snapshot() as connection:
        header = _header(connection, chosen)
        digest.update(header.encode("ascii"))
        yield header
        for table in EXPORTED:
            for values in _rows(connection, table, table.line_columns, chosen):
                try:
                    text = table.text(values)
                except ValueError as error:
                    raise damaged_store(database.path, f"a {table.kind} in it is no JSON") from error
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
    names: dict[str, Json] = {"editions": [*sorted(editions)], "sessions": [str(name) for name, _ in sessions]}
    return encode({"format": FORMAT, "schema": EXPORT_SCHEMA, "version": __version__, **names}) + "\n"


def _rows(
    connection: Connection, table: StoreTable, columns: tuple[str, ...], chosen: str | None
) -> Iterator[tuple[Value, ...]]:
    where = "true" if chosen is None else _CHOSEN[table.kind]
    return table.select(connection, columns, where, {"names": chosen})


LONGEST_LINE = 1 << 28  # bytes of one line; a conversation is far shorter
_TABLES = {table.kind: table for table in EXPORTED}
_BEGINNING = encode({"format": FORMAT})[:-1].encode("ascii")


def is_export(path: Path) -> bool:
    """Return whether a path is a file that begins like an export, complete or not."""
    return path.is_file() and begins_with(path, _BEGINNING)


def read_export(path: Path, refused: RefusedRows | None = None) -> Database:
    """Return an export's rows in a separate database, deleted on closing; bad rows are noted in ``refused``. Raises
    BadInput: truncated, damaged, of an unknown schema or unreadable, or a row is bad and ``refused`` not given.
    """
    cannot = "be read ({}); check the file"
    noted = RefusedRows(path) if refused is None else refused
    database = Database.filled(path, lambda connection: _ExportReading(path, connection, noted).read(), cannot)
    if refused is None and noted.count:
        database.close()
        raise noted.error()
    database.checked = True
    return database


class _ExportReading:
    """One pass over the file; the rows are valid only once the last line has proved them complete."""

    def __init__(self, path: Path, connection: Connection, refused: RefusedRows) -> None:
        self._path = path
        self._refused = refused
        self._check = RowCheck(latest_foreign())
        self._connection = connection
        self._digest = sha256()
        self._counts = dict.fromkeys(_TABLES, 0)
        self._number = 0

    def read(self) -> None:
        end: dict[str, Json] | None = None
        with self._path.open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                self._number += 1
                if len(line) == LONGEST_LINE:
                    raise self._refusal(f"the line is longer than {LONGEST_LINE >> 20} MB")
                if end is not None:
                    raise self._refusal("text follows its last line")
                # An editor or a transfer may have changed the line breaks, which is harmless.
                text = line.rstrip(b"\r\n") + b"\n"
                raw = self._parsed(text)
                if self._number == 1:
                    self._check_header(raw)
                elif raw.get("line") == "end":
                    end = raw
                    continue
                else:
                    self._insert(raw, text)
                self._digest.update(text)
        self._check_end(end)

    def _parsed(self, text: bytes) -> dict[str, Json]:
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
            if isinstance(value, dict):
                return value
        raise self._refusal("it is cut off or damaged there")

    def _check_header(self, header: dict[str, Json]) -> None:
        if header.get("format") != FORMAT:
            raise self._refusal("this is no export of independence-bench")
        schema = header.get("schema")
        if schema != EXPORT_SCHEMA:
            version = safe_text(str(header.get("version")), 40)
            raise BadInput.at(
                self._path,
                "schema",
                f"is {safe_text(str(schema), 40)}, written by independence-bench {version}, and this version knows "
                f"schema {EXPORT_SCHEMA}; use the same version of the package on both sides",
            )

    def _insert(self, raw: dict[str, Json], text: bytes) -> None:
        table = _TABLES.get(str(raw.get("line")))
        if table is None:
            raise self._refusal("the line is of no known kind")
        self._counts[table.kind] += 1
        self._refused.rows += 1
        try:
            row = self._check.line(table, text.decode("utf-8"))
        except (RefusedRow, UnicodeDecodeError) as error:
            self._refused.note(f"line {self._number}", table.kind, str(error))
            return
        if not table.insert(self._connection, row):
            self._refused.note(f"line {self._number}", table.kind, f"its {table.order} occurs twice")

    def _check_end(self, end: dict[str, Json] | None) -> None:
        if end is None:
            raise BadInput.at(self._path, "", "its last line is missing, so it was cut off; export the store again")
        counts = end.get("counts")
        if (counts, end.get("sha256")) != (self._counts, self._digest.hexdigest()):
            trouble = "its digest does not match, so it was changed or damaged; export the store again"
            raise BadInput.at(self._path, "", "; ".join(filter(None, (self._refused.first, trouble))))

    def _refusal(self, trouble: str) -> BadInput:
        return BadInput.at(self._path, f"line {self._number}", f"{trouble}; export the store again")
