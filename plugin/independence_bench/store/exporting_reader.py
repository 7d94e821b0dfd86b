"""Reads an export back into rows: a damaged, truncated or unknown one is refused. Merges nothing.

Rows that are not as we would have written them are refused by line number; their number decides what the caller does.
"""

import json
from hashlib import sha256
from pathlib import Path
from sqlite3 import Connection

from pydantic import ValidationError

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.safe_text import safe_text
from independence_bench.store.damage import begins_with
from independence_bench.store.database import Database
from independence_bench.store.row_check import RefusedRow, RefusedRows, RowCheck
from independence_bench.store.store_tables import EXPORT_SCHEMA, EXPORTED, FORMAT, READABLE_SCHEMAS, Line
from independence_bench.wire_json import encode

LONGEST_LINE = 1 << 28
"""Bytes of one line; a conversation is far shorter."""
_TABLES = {table.kind: table for table in EXPORTED}
_BEGINNING = encode({"format": FORMAT})[:-1].encode("ascii")


class _End(Line):
    """The last line."""

    counts: dict[str, int]
    sha256: str


def is_export(path: Path) -> bool:
    """Return whether a path is a file that begins like an export, complete or not."""
    return path.is_file() and begins_with(path, _BEGINNING)


def read_export(path: Path, refused: RefusedRows | None = None) -> Database:
    """Return an export's rows in a database of their own, which is deleted on closing.

    Rows that do not pass the check are noted in ``refused``; without it they are an error as well.

    Raises:
        BadInput: the export is truncated or damaged, has a schema that this version does not know, or cannot be read.
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
        self._check = RowCheck()
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
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise self._refusal("it is cut off or damaged there") from None
        if not isinstance(value, dict):
            raise self._refusal("it is damaged there")
        return value

    def _check_header(self, header: dict[str, Json]) -> None:
        if header.get("format") != FORMAT:
            raise self._refusal("this is no export of independence-bench")
        schema = header.get("schema")
        if schema not in READABLE_SCHEMAS:
            version = safe_text(str(header.get("version")), 40)
            raise BadInput.at(
                self._path,
                "schema",
                f"is {safe_text(str(schema), 40)}, written by independence-bench {version}, and this version knows "
                f"schema {EXPORT_SCHEMA}; use the same version of the package on both sides",
            )

    def _insert(self, raw: dict[str, Json], text: bytes) -> None:
        kind = raw.get("line")
        if not isinstance(kind, str) or kind not in _TABLES:
            raise self._refusal("the line is of no known kind")
        table = _TABLES[kind]
        self._counts[kind] += 1
        self._refused.rows += 1
        try:
            row = self._check.row(table, text.decode("utf-8"))
        except (RefusedRow, UnicodeDecodeError) as error:
            self._refused.note(f"line {self._number}", kind, str(error))
            return
        if not table.insert(self._connection, row):
            self._refused.note(f"line {self._number}", kind, f"its {table.order} occurs twice")

    def _check_end(self, end: dict[str, Json] | None) -> None:
        if end is None:
            raise BadInput.at(self._path, "", "its last line is missing, so it was cut off; export the store again")
        try:
            told = _End.model_validate(end)
        except ValidationError:
            raise self._refusal("its last line is damaged") from None
        if told.sha256 != self._digest.hexdigest() or dict.fromkeys(_TABLES, 0) | told.counts != self._counts:
            trouble = "its digest does not match, so it was changed or damaged; export the store again"
            raise BadInput.at(self._path, "", "; ".join(filter(None, (self._refused.first, trouble))))

    def _refusal(self, trouble: str) -> BadInput:
        return BadInput.at(self._path, f"line {self._number}", f"{trouble}; export the store again")
