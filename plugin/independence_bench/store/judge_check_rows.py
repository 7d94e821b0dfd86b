"""Judge checks: how a judge did on a known-answer set. Which set, and what is required of it, others decide."""

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
"""Stands for trial, session and origin of a verdict on a known answer: no trial of any model said those words, so no
report counts it; what is in the store is not asked again, here as anywhere."""


def add_check(connection: Connection, check: JudgeCheck) -> None:
    """Insert a check, within a transaction of the caller's; one that was brought home twice is one row."""
    body = value_to_json(check)
    JUDGE_CHECKS.insert(connection, JUDGE_CHECKS.row_of(check, digest=digest(body), body=body))


def add_known_verdict(connection: Connection, verdict: Verdict) -> None:
    """Insert a verdict on a known answer, within a transaction of the caller's; the first one stands."""
    VERDICTS.insert(connection, verdict_row(verdict, CHECKED, CHECKED, CHECKED))


def newest_checks(database: Database, configurations: Iterable[str]) -> dict[str, JudgeCheck]:
    """Return the newest check of each of these judges, by configuration; those never checked are left out."""
    rows = database.rows(
        "SELECT configuration, body FROM judge_checks WHERE configuration IN (SELECT value FROM json_each(?))"
        " ORDER BY at, digest",
        (json.dumps(sorted(set(configurations))),),
    )
    return {str(configuration): read_body(database.path, JudgeCheck, body) for configuration, body in rows}
