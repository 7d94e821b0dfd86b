"""Judge checks: how a judge did on a known-answer set. Which set, and what is required of it, others decide."""

import json
from collections.abc import Iterable
from sqlite3 import Connection

from pydantic import ConfigDict, JsonValue

from independence_bench.digest import digest
from independence_bench.spec import Frozen
from independence_bench.store.adding import Row, insert, verdict_row
from independence_bench.store.damage import read_body
from independence_bench.store.database import Database
from independence_bench.trial import Verdict
from independence_bench.wire_json import value_to_json

CHECKED = "judge-check"
"""Stands for trial, session and origin of a verdict on a known answer: no trial of any model said those words, so no
report counts it; what is in the store is not asked again, here as anywhere."""


class JudgeCheck(Frozen):
    """One judge's answers to a known-answer set, summed up."""

    model_config = ConfigDict(allow_inf_nan=False)  # what is not finite is no JSON

    judge: str
    """Its label."""
    configuration: str
    """Digest of the judge as it was asked."""
    set_digest: str
    """Digest of the set and of all that decides how it is judged."""
    at: float
    """Unix time."""
    passed: bool
    body: dict[str, JsonValue]
    """Errors, flips and whatever else is to be shown."""


def add_check(connection: Connection, check: JudgeCheck) -> None:
    """Insert a check, within a transaction of the caller's; one that was brought home twice is one row."""
    body = value_to_json(check)
    row: Row = {"digest": digest(body), "configuration": check.configuration, "at": check.at, "body": body}
    insert(connection, "judge_checks", row)


def add_known_verdict(connection: Connection, verdict: Verdict) -> None:
    """Insert a verdict on a known answer, within a transaction of the caller's; the first one stands."""
    insert(connection, "verdicts", verdict_row(verdict, CHECKED, CHECKED, CHECKED))


def newest_checks(database: Database, configurations: Iterable[str]) -> dict[str, JudgeCheck]:
    """Return the newest check of each of these judges, by configuration; those never checked are left out."""
    rows = database.rows(
        "SELECT configuration, body FROM judge_checks WHERE configuration IN (SELECT value FROM json_each(?))"
        " ORDER BY at, digest",
        (json.dumps(sorted(set(configurations))),),
    )
    return {str(configuration): read_body(database.path, JudgeCheck, body) for configuration, body in rows}
