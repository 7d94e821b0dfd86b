"""What the store holds of a session's cells, grouped by model configuration. Counts and scores nothing.

Transcripts are matched to cells by scenario, system variant, delivery mode and text, not by edition name: equal texts
are one measurement in every edition.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.panel_verdicts import Verdicts, verdict_age
from independence_bench.spec import PanelJudge, is_embedded
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
from independence_bench.store.damage import unreadable_row


class CellKey(NamedTuple):
    """What one cell asks, whatever its texts are."""

    scenario: str
    system_variant: str
    delivery_mode: str


@dataclass(slots=True)
class ModelRecords:
    """All that is known of one model configuration in one group of cells."""

    configuration: str
    group: str | None  # none for the edition's own configurations, else ``variant+delivery``
    cells: list[CellKey]  # the group's cells, planned once per run, in the order of the edition
    transcripts: dict[tuple[CellKey, int], TrialRow] = field(default_factory=dict)
    """By cell and run, the newest of each: an older one is of an earlier protocol."""
    failures: dict[tuple[CellKey, int], list[FailureRow]] = field(default_factory=lambda: defaultdict(list))
    """By cell and run, oldest first."""
    overridden: bool = False  # asked by cases with overridden fixtures: never ranked
    judges: tuple[PanelJudge, ...] | None = None  # who judged, where that was not the session's panel

    def runs(self, session: Session) -> int:
        """Return the highest run with any transcript or failure, for a report on a session.

        What another edition measured with the same texts counts as measured, but asks for no further run of this one.
        """
        seen = [(row.run, row.edition) for row in self.transcripts.values()]
        seen += [(row.run, row.edition) for rows in self.failures.values() for row in rows]
        return max([run for run, edition in seen if edition == session.edition.id] or [run for run, _ in seen])


@dataclass
class StoreRecords:
    """Everything that a leaderboard is made of."""

    records: list[ModelRecords]
    verdicts: Verdicts
    known: dict[str, StoredConfiguration]  # by digest of the configuration

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of every configuration with records; where two share one, the one seen last keeps it."""
        stored = [self.known[configuration] for configuration in {records.configuration for records in self.records}]
        stored.sort(key=lambda each: (-each.seen_at, each.facts.configuration))
        labels: dict[str, str] = {}
        taken = set()
        for facts in (each.facts for each in stored):
            older = f"{facts.label}#{facts.build or facts.configuration[:8]}"
            labels[facts.configuration] = older if facts.label in taken else facts.label
            taken.add(facts.label)
        return labels

    def superseded(self, configuration: str) -> bool:
        """True for an embedded model of an earlier version of this package, where the store has a later one."""
        facts = self.known[configuration].facts
        shown = {(self.known[each].facts.model_id, label) for each, label in self.labels.items()}
        return (
            is_embedded(facts.model_id)
            and self.labels[configuration] != facts.label
            and (facts.model_id, facts.label) in shown
        )


def gather(store: Store, session: Session) -> StoreRecords:
    """Read the store in one pass per table. The edition's own set of cells is complete whatever the session asked."""
    known = {stored.facts.configuration: stored for stored in store.configurations()}
    with store.sharing():
        groups = _asked_records(store, _SessionCells(session, known.values()))
        verdicts = _panel_verdicts(store, session)
    _add_judged_otherwise(groups, session, verdicts)
    records = [groups[name] for name in sorted(groups)]
    _name_unknown(known, records)
    return StoreRecords(records, Verdicts(verdicts, _held_by_functions(store, session.edition, records)), known)


_Groups = dict[tuple[str, str], ModelRecords]  # by configuration and group, which is empty for the edition's own


class _SessionCells:
    """The cells of a session and of its whole edition: says to which records a row belongs."""

    def __init__(self, session: Session, known: Iterable[StoredConfiguration]) -> None:
        """Leave cells that were judged otherwise than by the panel to :func:`_add_judged_otherwise`."""
        edition = session.edition
        conditions = list(product(edition.system_variants, edition.delivery_modes))
        by_panel = [cell for cell in session.cells if not cell.judges]
        self._edition = edition
        self._own = [CellKey(scenario.id, *condition) for scenario in edition.scenarios for condition in conditions]
        self._groups: dict[CellKey, str | None] = dict.fromkeys(self._own)
        self._groups |= {cell_key(cell): _condition_of(cell_key(cell)) for cell in by_panel if not cell.official}
        self._overriding = {cell_key(cell) for cell in by_panel if cell.overridden}
        self._never_planned = {stored.facts.configuration for stored in known if stored.facts.overridden}
        self.scripts = {cell_key(cell): cell.script_digest for cell in session.cells}

    def records_of(self, row: TrialRow | FailureRow, groups: _Groups) -> ModelRecords | None:
        """Return the records that a row belongs to, new ones for the first; None where the session has other texts."""
        cell = cell_key(row)
        if cell not in self._groups or self.scripts.get(cell) != row.script_digest:
            return None
        overridden = cell in self._overriding or row.configuration in self._never_planned
        group = _condition_of(cell) if overridden else self._groups[cell]
        name = (row.configuration, group or "")
        if name not in groups:
            cells = self._own if group is None else _in_order(self._edition, cell)
            groups[name] = ModelRecords(row.configuration, group, cells, overridden=overridden)
        return groups[name]


def _asked_records(store: Store, cells: _SessionCells) -> _Groups:
    groups: _Groups = {}
    scripts = set(cells.scripts.values())
    for row in sorted(store.trial_rows(scripts), key=verdict_age):
        if records := cells.records_of(row, groups):
            records.transcripts[cell_key(row), row.run] = row
    for failure in store.failure_rows(scripts):
        if records := cells.records_of(failure, groups):
            records.failures[cell_key(failure), failure.run].append(failure)
    return groups


def _panel_verdicts(store: Store, session: Session) -> list[VerdictRow]:
    """Return the verdicts of the session's panel, and of the judges that single cells have in its place."""
    judges = [*session.panel, *(judge for cell in session.cells for judge in cell.judges)]
    verdicts = store.verdict_rows({judge.configuration for judge in judges})
    _refuse_impossible(store, session.edition, verdicts)
    return verdicts


def _add_judged_otherwise(groups: _Groups, session: Session, verdicts: Iterable[VerdictRow]) -> None:
    judged_otherwise = [cell for cell in session.cells if cell.judges]
    if not judged_otherwise:
        return
    read = {(row.transcript_hash, row.judge_configuration) for row in verdicts}
    for records, cell in product(list(groups.values()), judged_otherwise):
        key, labels = cell_key(cell), ",".join(judge.label for judge in cell.judges)
        group, cells = f"{_condition_of(key)}+judge={labels}", _in_order(session.edition, key)
        for (own, run), row in records.transcripts.items():
            if own == key and any((row.transcript_hash, each.configuration) in read for each in cell.judges):
                new = ModelRecords(records.configuration, group, cells, overridden=True, judges=cell.judges)
                groups.setdefault((records.configuration, group), new).transcripts[own, run] = row


def _name_unknown(known: dict[str, StoredConfiguration], records: Iterable[ModelRecords]) -> None:
    """Name the configurations whose own rows were left out as unreadable by their digests."""
    for unknown in {each.configuration for each in records} - known.keys():
        facts = Configuration(configuration=unknown, label=unknown, model_id=unknown)
        known[unknown] = StoredConfiguration(facts, seen_at=0.0)


def _held_by_functions(store: Store, edition: Edition, records: Iterable[ModelRecords]) -> dict[str, bool]:
    """Return whether each Python scenario held by its function, by trial key."""
    python_scenarios = {scenario.id for scenario in edition.scenarios if scenario.function}
    keys = [row.key for each in records for row in each.transcripts.values() if row.scenario in python_scenarios]
    return {key: each.held for key, each in store.checks(keys).items()} if keys else {}


def _refuse_impossible(store: Store, edition: Edition, verdicts: Iterable[VerdictRow]) -> None:
    """Raise StoreFailed if a verdict's scores are not in the range of their rubric."""
    rubrics = {scenario.rubric.digest: scenario.rubric for scenario in edition.scenarios if scenario.rubric}
    for rubric, scores in {(row.rubric_digest, row.scores) for row in verdicts if row.rubric_digest in rubrics}:
        try:
            rubrics[rubric].scores_in(json.loads(scores), all_of_them=False)
        except ValueError as trouble:
            raise unreadable_row(store.path, f"scores in it are none: {trouble}") from None


def _condition_of(cell: CellKey) -> str:
    return "+".join(cell[1:])


def _in_order(edition: Edition, cell: CellKey) -> list[CellKey]:
    return [cell._replace(scenario=scenario.id) for scenario in edition.scenarios]


def cell_key(row: PlannedCell | TrialRow | FailureRow) -> CellKey:
    """Return the cell that a row belongs to."""
    return _cell(row.scenario, row.system_variant, row.delivery_mode)


@lru_cache(maxsize=10_000)  # a store may hold a million rows of the same few cells
def _cell(scenario: str, system_variant: str, delivery_mode: str) -> CellKey:
    return CellKey(scenario, system_variant, delivery_mode)
