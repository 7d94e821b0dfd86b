"""What the store holds of a session's cells, grouped by model configuration. Counts and scores nothing.

Transcripts are matched to cells by scenario, system variant, delivery mode and text, not by edition name: equal texts
are one measurement in every edition.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from independence_bench.spec import Score
from independence_bench.store import (
    Configuration,
    FailureRow,
    PlannedCell,
    Session,
    Store,
    StoredConfiguration,
    TrialRow,
    VerdictRow,
)

CellKey = tuple[str, str, str]
"""Scenario, system variant, delivery mode."""

EMBEDDED = "offline/"
"""How ids of the embedded models begin."""


@dataclass(slots=True)
class ModelRecords:
    """All that is known of one model configuration in one group of cells."""

    configuration: str
    group: str | None
    """None for the edition's own configurations, else ``variant+delivery``."""
    cells: list[CellKey]
    """The group's cells, planned once per run, in the order of the edition."""
    transcripts: dict[tuple[CellKey, int], TrialRow] = field(default_factory=dict)
    """By cell and run."""
    failures: dict[tuple[CellKey, int], list[FailureRow]] = field(default_factory=lambda: defaultdict(list))
    """By cell and run, oldest first."""

    def add_transcript(self, cell: CellKey, row: TrialRow) -> None:
        """Keep the newest of one trial: an older one is of an earlier protocol."""
        known = self.transcripts.get((cell, row.run))
        if known is None or (known.created_at, known.key) < (row.created_at, row.key):
            self.transcripts[cell, row.run] = row

    def runs(self, edition: str) -> int:
        """Return the highest run with any transcript or failure.

        What another edition measured with the same texts counts as measured, but asks for no further run of this one.
        """
        seen = [(row.run, row.edition) for row in self.transcripts.values()]
        seen += [(row.run, row.edition) for rows in self.failures.values() for row in rows]
        own = [run for run, asked_for in seen if asked_for == edition]
        return max(own or [run for run, _ in seen])


class CellAddress(NamedTuple):
    """Where a row of the store belongs."""

    cell: CellKey
    group: str | None


class PlannedCells:
    """The cells of a session: which of them are the edition's own, and in which group the others stand."""

    def __init__(self, session: Session) -> None:
        """Read the session's cells; the edition's own set is complete whatever the session asked."""
        edition = session.edition
        self.scripts = {_cell_key(cell): cell.script_digest for cell in session.cells}
        self.own: list[CellKey] = [
            (scenario.id, variant, delivery)
            for scenario in edition.scenarios
            for variant in edition.system_variants
            for delivery in edition.delivery_modes
        ]
        self._groups: dict[CellKey, str | None] = dict.fromkeys(self.own)
        self._others: dict[str, list[CellKey]] = {}
        for cell in session.cells:
            if not cell.official:
                group = f"{cell.system_variant}+{cell.delivery_mode}"
                self._groups[_cell_key(cell)] = group
                self._others[group] = [
                    (scenario.id, cell.system_variant, cell.delivery_mode) for scenario in edition.scenarios
                ]

    def place(self, row: TrialRow | FailureRow) -> CellAddress | None:
        """Return where a row belongs, None where its texts are not the session's."""
        cell = _cell_key(row)
        if cell not in self._groups or self.scripts.get(cell) != row.script_digest:
            return None
        return CellAddress(cell, self._groups[cell])

    def cells(self, group: str | None) -> list[CellKey]:
        """Return the cells that are planned once per run in a group."""
        return self.own if group is None else self._others[group]


class Verdicts:
    """The panel's verdicts, to be looked up by transcript, rubric and judge."""

    def __init__(self, rows: Iterable[VerdictRow]) -> None:
        """Keep the newest verdict of each judge on each transcript: older ones are of an earlier judging protocol."""
        self._rows: dict[tuple[str, str, str], VerdictRow] = {}
        self._of_trial: dict[tuple[str, str, str], VerdictRow] = {}
        for row in rows:
            for rows_by, found_by in ((self._rows, row.transcript_hash), (self._of_trial, row.trial_key)):
                key = (found_by, row.rubric_digest, row.judge_configuration)
                known = rows_by.get(key)
                if known is None or (known.created_at, known.key) < (row.created_at, row.key):
                    rows_by[key] = row

    def find(
        self, transcript_hash: str, rubric_digest: str, judge_configuration: str, trial_key: str | None = None
    ) -> VerdictRow | None:
        """Return a judge's verdict on a transcript, None where there is none.

        Equal conversations share one verdict with us, but elsewhere each was judged for itself, and not always alike:
        a verdict that ``trial_key`` paid for comes first.
        """
        own = self._of_trial.get((trial_key or "", rubric_digest, judge_configuration))
        if own is not None and own.transcript_hash == transcript_hash:
            return own
        return self._rows.get((transcript_hash, rubric_digest, judge_configuration))


def scores_of(verdict: VerdictRow) -> dict[str, Score]:
    """Return a verdict's scores by name."""
    scores: dict[str, Score] = json.loads(verdict.scores)
    return scores


@dataclass
class StoreRecords:
    """Everything that a leaderboard is made of."""

    evidence: list[ModelRecords]
    verdicts: Verdicts
    known: dict[str, StoredConfiguration]
    """By digest of the configuration."""

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of every configuration with evidence; where two share one, the one seen last keeps it."""
        by_label: dict[str, list[StoredConfiguration]] = defaultdict(list)
        for configuration in {evidence.configuration for evidence in self.evidence}:
            stored = self.known[configuration]
            by_label[stored.facts.label].append(stored)
        labels: dict[str, str] = {}
        for label, sharing in by_label.items():
            newest, *older = sorted(sharing, key=lambda stored: (-stored.seen_at, stored.facts.configuration))
            labels[newest.facts.configuration] = label
            labels.update((stored.facts.configuration, _older_label(label, stored.facts)) for stored in older)
        return labels

    def superseded(self, configuration: str) -> bool:
        """True for an embedded model of an earlier version of this package, where the store has a later one."""
        facts = self.known[configuration].facts
        return facts.model_id.startswith(EMBEDDED) and self.labels[configuration] != facts.label


def gather(store: Store, session: Session) -> StoreRecords:
    """Read the store in one pass per table."""
    plan = PlannedCells(session)
    found: dict[tuple[str, str], ModelRecords] = {}

    def evidence_of(configuration: str, group: str | None) -> ModelRecords:
        name = (configuration, group or "")
        if name not in found:
            found[name] = ModelRecords(configuration, group, plan.cells(group))
        return found[name]

    scripts = set(plan.scripts.values())
    for row in store.trial_rows(scripts):
        if place := plan.place(row):
            evidence_of(row.configuration, place.group).add_transcript(place.cell, row)
    for failure in store.failure_rows(scripts):
        if place := plan.place(failure):
            evidence_of(failure.configuration, place.group).failures[place.cell, failure.run].append(failure)
    return StoreRecords(
        evidence=[found[name] for name in sorted(found)],
        verdicts=Verdicts(store.verdict_rows(judge.configuration for judge in session.panel)),
        known={stored.facts.configuration: stored for stored in store.configurations()},
    )


def _cell_key(row: PlannedCell | TrialRow | FailureRow) -> CellKey:
    return row.scenario, row.system_variant, row.delivery_mode


def _older_label(label: str, facts: Configuration) -> str:
    """Name a configuration whose label now belongs to another one."""
    return f"{label}#{facts.build or facts.configuration[:8]}"
