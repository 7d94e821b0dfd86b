"""SQL that is not a query: several statements in one text, and the numbers of a file's header. Knows no table."""

import sqlite3


def run_all(connection: sqlite3.Connection, statements: str) -> None:
    """Run statements that each end a line with a semicolon, within the caller's transaction, unlike executescript."""
    for statement in statements.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def number_of(connection: sqlite3.Connection, pragma: str) -> int:
    """Return the value of one of the header's numbers, such as ``user_version``."""
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
