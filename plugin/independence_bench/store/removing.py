"""Selects, counts and deletes rows of a store: a model's measurements, or rows that are no longer used."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from sqlite3 import Connection, Cursor

from independence_bench.spec import is_embedded
from independence_bench.store.adding import CHECKED
from independence_bench.store.database import Database
from independence_bench.store.sessions import MERGED, Configuration
from independence_bench.store.store_tables import OF_MODELS, ON_ANSWERS_OF_MODELS

_ON_NO_OTHER_ANSWERS = f"transcript_hash NOT IN (SELECT transcript_hash FROM transcripts WHERE NOT {OF_MODELS})"  # noqa: S608
_OF_THESE = dict.fromkeys(("failures", "answers", "transcripts", "configurations"), OF_MODELS)
"""Deleted after verdicts and labels, which are found through transcripts."""
_OF_WHOLE = "trial_key NOT IN (SELECT trial_key FROM answers)"
_BY_THESE_JUDGES = "judge_configuration IN (SELECT value FROM json_each(:names, '$.judges'))"


@dataclass(frozen=True, slots=True)
class Removal:
    """Rows to delete: a condition for each table, with :attr:`names` as its parameter ``:names``."""

    conditions: dict[str, str]
    names: str  # JSON: configurations of models and of judges

    def counts(self, database: Database) -> dict[str, int]:
        """Return how many rows of each table it would delete."""
        with database.snapshot() as connection:
            return {table: self._run(connection, "SELECT count(*)", table).fetchone()[0] for table in self.conditions}

    def carry_out(self, database: Database) -> dict[str, int]:
        """Delete the rows in one transaction; return how many of each table."""
        with database.transaction() as connection:
            counts = {table: self._run(connection, "DELETE", table).rowcount for table in self.conditions}
        database.shrink()
        return counts

    def _run(self, connection: Connection, beginning: str, table: str) -> Cursor:
        statement = f"{beginning} FROM {table} WHERE {self.conditions[table]}"
        return connection.execute(statement, {"names": self.names})


def of_models(configurations: Iterable[str]) -> Removal:
    """Select everything about these model configurations, except what is shared with another model's answers."""
    unshared = f"{ON_ANSWERS_OF_MODELS} AND {_ON_NO_OTHER_ANSWERS}"
    # Looks stay: a gate has looked, and measuring the model again does not make the next look the first.
    return Removal({"verdicts": unshared, "labels": unshared, **_OF_THESE}, _names(configurations))


def of_verdicts(configurations: Iterable[str]) -> Removal:
    """Select every verdict on these model configurations' answers, even if another model gave the same answers."""
    return Removal({"verdicts": ON_ANSWERS_OF_MODELS}, _names(configurations))


def of_unused(database: Database, known: Iterable[Configuration]) -> Removal:
    """Select rows of no further use: measurements by earlier embedded models, verdicts and checks by earlier embedded
    judges, and verdicts on and labels of transcripts that no longer exist.
    """
    conditions = {
        # No model gave a known answer, and a function may ask about a conversation that goes on: such verdicts have no
        # transcript and are used all the same.
        "verdicts": f"({_ON_NO_OTHER_ANSWERS} AND trial_key != '{CHECKED}' AND {_OF_WHOLE}) OR {_BY_THESE_JUDGES}",
        "labels": _ON_NO_OTHER_ANSWERS,
        **_OF_THESE,
        "judge_checks": "configuration IN (SELECT value FROM json_each(:names, '$.judges'))",
    }
    return Removal(conditions, _names(superseded_models(known), _superseded_judges(database)))


def _names(models: Iterable[str], judges: Iterable[str] = ()) -> str:
    return json.dumps({"models": sorted(set(models)), "judges": sorted(set(judges))})


def superseded_models(known: Iterable[Configuration]) -> set[str]:
    """Return the configurations of embedded models whose label now belongs to a later version of them; ``known`` are in
    the order of ``Store.configurations``.
    """
    return _superseded([(each.model_id, each.label, each.configuration) for each in known])


def _superseded_judges(database: Database) -> set[str]:
    newest_first = "SELECT json_extract(body, '$.panel') FROM sessions ORDER BY body GLOB ?, started_at DESC, id DESC"
    panels = database.rows(newest_first, (f"{MERGED}*",))
    judges = [judge for (panel,) in panels for judge in json.loads(str(panel))]
    return _superseded([(judge["model_id"], judge["label"], judge["configuration"]) for judge in judges])


def _superseded(newest_first: Iterable[tuple[str, str, str]]) -> set[str]:
    embedded = [(each[:2], each[2]) for each in newest_first if is_embedded(each[0])]
    newest = dict(reversed(embedded))
    return {configuration for _, configuration in embedded} - set(newest.values())
