"""Rows of judge checks. Decides neither the set nor what a judge must reach."""

import json
from collections.abc import Iterable
from sqlite3 import Connection

from independence_bench.digest import digest
from independence_bench.store.adding import verdict_row
from independence_bench.store.damage import read_body
from independence_bench.store.database import Database
from independence_bench.store.sessions import JudgeCheck
from independence_bench.store.store_tables import JUDGE_CHECKS, VERDICTS
from independence_bench.trial import Verdict
from independence_bench.wire_json import value_to_json

CHECKED = "judge-check"
"""Replaces trial, session and origin of a verdict on a known answer: no model gave that answer, so no report counts it.
As everywhere, a stored verdict is not asked for again."""


def add_check(connection: Connection, check: JudgeCheck) -> None:
    """Insert a check, within the caller's transaction; one that is merged twice is one row."""
    body = value_to_json(check)
    JUDGE_CHECKS.insert(connection, JUDGE_CHECKS.row_of(check, digest=digest(body), body=body))


def add_known_verdict(connection: Connection, verdict: Verdict) -> None:
    """Insert a verdict on a known answer, within the caller's transaction; the first one is kept."""
    VERDICTS.insert(connection, verdict_row(verdict, CHECKED, CHECKED, CHECKED))


def newest_checks(database: Database, configurations: Iterable[str]) -> dict[str, JudgeCheck]:
    """Return the newest check of each of these judges, by configuration, without those never checked."""
    rows = database.rows(
        "SELECT configuration, body FROM judge_checks WHERE configuration IN (SELECT value FROM json_each(?))"
        " ORDER BY at, digest",
        (json.dumps(sorted(set(configurations))),),
    )
    return {str(configuration): read_body(database.path, JudgeCheck, body) for configuration, body in rows}
