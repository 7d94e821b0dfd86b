"""Reads an export back into rows, all or nothing: a damaged, truncated or unknown one is refused. Merges nothing."""

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
from independence_bench.store.store_tables import EXPORT_SCHEMA, EXPORTED, FORMAT, READABLE_SCHEMAS, Line
from independence_bench.wire_json import encode

_TABLES = {table.kind: table for table in EXPORTED}
_BEGINNING = encode({"format": FORMAT})[:-1].encode("ascii")


class _End(Line):
    """The last line."""

    counts: dict[str, int]
    sha256: str


def is_export(path: Path) -> bool:
    """Return whether a path is a file that begins like an export, complete or not."""
    return path.is_file() and begins_with(path, _BEGINNING)


def read_export(path: Path) -> Database:
    """Return an export's rows in a database of their own, which is deleted on closing.

    Raises:
        BadInput: the export is truncated or damaged, has a schema that this version does not know, or cannot be read.
    """
    cannot = "be read ({}); check the file"
    return Database.filled(path, lambda connection: _ExportReading(path, connection).read(), cannot)


class _ExportReading:
    """One pass over the file; the rows are valid only once the last line has proved them complete."""

    def __init__(self, path: Path, connection: Connection) -> None:
        self._path = path
        self._connection = connection
        self._digest = sha256()
        self._counts = dict.fromkeys(_TABLES, 0)
        self._number = 0

    def read(self) -> None:
        end: dict[str, Json] | None = None
        with self._path.open("rb") as file:
            for line in file:
                self._number += 1
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
                    self._insert(raw)
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

    def _insert(self, raw: dict[str, Json]) -> None:
        kind = raw.get("line")
        if not isinstance(kind, str) or kind not in _TABLES:
            raise self._refusal("the line is of no known kind")
        table = _TABLES[kind]
        try:
            row = table.row(raw)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            said = (".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, "))
            raise self._refusal(safe_text(": ".join(filter(None, said)))) from None
        if not table.insert(self._connection, row):
            raise self._refusal(f"its {table.order} occurs twice")
        self._counts[kind] += 1

    def _check_end(self, end: dict[str, Json] | None) -> None:
        if end is None:
            raise BadInput.at(self._path, "", "its last line is missing, so it was cut off; export the store again")
        try:
            told = _End.model_validate(end)
        except ValidationError:
            raise self._refusal("its last line is damaged") from None
        if told.sha256 != self._digest.hexdigest() or dict.fromkeys(_TABLES, 0) | told.counts != self._counts:
            trouble = "its digest does not match, so it was changed or damaged; export the store again"
            raise BadInput.at(self._path, "", trouble)

    def _refusal(self, trouble: str) -> BadInput:
        return BadInput.at(self._path, f"line {self._number}", f"{trouble}; export the store again")
