"""What may be taken out of a store again, said before it is done: a model's measurements, or what nobody looks up.

Says which rows, counts them and deletes them; whether it is done is the caller's decision.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from sqlite3 import Connection

from independence_bench.spec import is_embedded
from independence_bench.store.adding import CHECKED
from independence_bench.store.database import Database
from independence_bench.store.table_rows import StoredConfiguration

_THEIRS = "configuration IN (SELECT value FROM json_each(?1, '$.models'))"
_SAID_BY_THEM = f"transcript_hash IN (SELECT transcript_hash FROM transcripts WHERE {_THEIRS})"  # noqa: S608
_SAID_BY_NOBODY_ELSE = f"transcript_hash NOT IN (SELECT transcript_hash FROM transcripts WHERE NOT {_THEIRS})"  # noqa: S608
_BY_THESE_JUDGES = "judge_configuration IN (SELECT value FROM json_each(?1, '$.judges'))"


@dataclass(frozen=True, slots=True)
class Removal:
    """Rows to be taken out: for each table a condition, in which ?1 is ``names``."""

    conditions: dict[str, str]
    names: str
    """JSON: configurations of models and of judges."""

    def counts(self, database: Database) -> dict[str, int]:
        """Return how many rows of each table it would take out."""
        with database.snapshot() as connection:
            return {table: self._count(connection, table) for table in self.conditions}

    def carry_out(self, database: Database) -> dict[str, int]:
        """Take the rows out, all in one transaction; return how many of each table."""
        with database.transaction() as connection:
            counts = {table: self._count(connection, table) for table in self.conditions}
            for table, condition in self.conditions.items():
                connection.execute(f"DELETE FROM {table} WHERE {condition}", (self.names,))  # noqa: S608 -- our own names
        database.shrink()
        return counts

    def _count(self, connection: Connection, table: str) -> int:
        statement = f"SELECT count(*) FROM {table} WHERE {self.conditions[table]}"  # noqa: S608 -- our own names
        return int(connection.execute(statement, (self.names,)).fetchone()[0])


def of_models(configurations: Iterable[str]) -> Removal:
    """Return all that is known of these model configurations; a verdict that another model's words share stays."""
    conditions = {
        "verdicts": f"{_SAID_BY_THEM} AND {_SAID_BY_NOBODY_ELSE}",
        "failures": _THEIRS,
        "transcripts": _THEIRS,  # after the verdicts, which are found by them
        "configurations": _THEIRS,
        # Looks stay: a gate has looked, and measuring the same model anew does not make it the first time.
    }
    return Removal(conditions, _names(configurations))


def of_verdicts(configurations: Iterable[str]) -> Removal:
    """Return every verdict on what these model configurations said, also where another model said the very same."""
    return Removal({"verdicts": _SAID_BY_THEM}, _names(configurations))


def of_unused(database: Database, known: Iterable[StoredConfiguration]) -> Removal:
    """Return what is never looked up again.

    These are the measurements of embedded models of earlier versions, the verdicts of embedded judges of earlier
    versions and the checks of these judges, and verdicts on transcripts that are no more.
    """
    conditions = {
        # A known answer was said by nobody: its verdict rests on no transcript and is looked up all the same.
        "verdicts": f"({_SAID_BY_NOBODY_ELSE} AND trial_key != '{CHECKED}') OR {_BY_THESE_JUDGES}",
        "failures": _THEIRS,
        "transcripts": _THEIRS,
        "configurations": _THEIRS,
        "judge_checks": "configuration IN (SELECT value FROM json_each(?1, '$.judges'))",
    }
    return Removal(conditions, _names(superseded_models(known), _superseded_judges(database)))


def _names(models: Iterable[str], judges: Iterable[str] = ()) -> str:
    return json.dumps({"models": sorted(set(models)), "judges": sorted(set(judges))})


def superseded_models(known: Iterable[StoredConfiguration]) -> set[str]:
    """Return the configurations of embedded models whose label belongs to a later version of them by now."""
    newest_first = sorted(known, key=lambda stored: (-stored.seen_at, stored.facts.configuration))
    return _superseded([(each.model_id, each.label, each.configuration) for each, _ in newest_first])


def _superseded_judges(database: Database) -> set[str]:
    """Return the configurations of embedded judges that sessions had before the one they have now."""
    panels = database.rows("SELECT json_extract(body, '$.panel') FROM sessions ORDER BY started_at DESC, id DESC")
    judges = [judge for (panel,) in panels for judge in json.loads(str(panel))]
    return _superseded([(judge["model_id"], judge["label"], judge["configuration"]) for judge in judges])


def _superseded(newest_first: Iterable[tuple[str, str, str]]) -> set[str]:
    """Return the configurations of embedded models (id, label, configuration) that are not the newest of any label."""
    embedded = [(label, configuration) for model_id, label, configuration in newest_first if is_embedded(model_id)]
    newest: dict[str, str] = {}
    for label, configuration in embedded:
        newest.setdefault(label, configuration)
    return {configuration for _, configuration in embedded} - set(newest.values())
