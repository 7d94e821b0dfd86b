"""What the store holds of a session's cells, grouped by model configuration. Counts and scores nothing.

Transcripts are matched to cells by scenario, system variant, delivery mode and text, not by edition name: equal texts
are one measurement in every edition.
"""

import json
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, product
from types import MappingProxyType
from typing import NamedTuple

from independence_bench.catalog.editions import Edition
from independence_bench.scoring import PanelScores
from independence_bench.spec import HELD, PanelJudge, Score, is_embedded
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
from independence_bench.store.damage import unreadable
from independence_bench.store.row_check import scores_trouble

_NONE: Mapping[int, VerdictRow] = MappingProxyType({})


class CellKey(NamedTuple):
    """What one cell asks, whatever its texts are."""

    scenario: str
    system_variant: str
    delivery_mode: str


@dataclass(slots=True)
class ModelRecords:
    """All that is known of one model configuration in one group of cells."""

    configuration: str
    group: str | None
    """None for the edition's own configurations, else ``variant+delivery``."""
    cells: list[CellKey]
    """The group's cells, planned once per run, in the order of the edition."""
    transcripts: dict[tuple[CellKey, int], TrialRow] = field(default_factory=dict)
    """By cell and run, the newest of each: an older one is of an earlier protocol."""
    failures: dict[tuple[CellKey, int], list[FailureRow]] = field(default_factory=lambda: defaultdict(list))
    """By cell and run, oldest first."""
    overridden: bool = False
    """Asked by cases with overridden fixtures: never ranked."""
    judges: tuple[PanelJudge, ...] | None = None
    """Who judged, where that was not the session's panel."""

    def runs(self, edition: str) -> int:
        """Return the highest run with any transcript or failure.

        What another edition measured with the same texts counts as measured, but asks for no further run of this one.
        """
        seen = [(row.run, row.edition) for row in self.transcripts.values()]
        seen += [(row.run, row.edition) for rows in self.failures.values() for row in rows]
        own = [run for run, asked_for in seen if asked_for == edition]
        return max(own or [run for run, _ in seen])


class Verdicts:
    """The panel's verdicts, to be looked up by transcript, rubric and judge; and what functions found by themselves."""

    def __init__(self, rows: Iterable[VerdictRow], held: Mapping[str, bool] = MappingProxyType({})) -> None:
        """Keep the newest verdict of each judge on each transcript: older ones are of an earlier judging protocol.

        ``held`` says what the functions of Python scenarios found, by trial key.
        """
        self._held = held
        self._rows: dict[tuple[str, str], dict[str, VerdictRow]] = defaultdict(dict)
        """By rubric and judge, then by transcript."""
        self._repeats: dict[tuple[str, str, str], dict[int, VerdictRow]] = defaultdict(dict)
        several: set[str] = set()
        """Trials whose conversation was judged several times: for them alone it matters which verdict is whose."""
        ordered = sorted(rows, key=_age)
        for row in ordered:
            said = row.transcript_hash
            if row.repeat > 1:
                self._repeats[said, row.rubric_digest, row.judge_configuration][row.repeat] = row
                continue
            judged = self._rows[row.rubric_digest, row.judge_configuration]
            if said in judged:
                several |= {judged[said].trial_key, row.trial_key}
            judged[said] = row
        self._of_trial = {
            (row.trial_key, row.rubric_digest, row.judge_configuration): row
            for row in ordered
            if row.repeat == 1 and row.trial_key in several
        }

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
        return self._rows[rubric_digest, judge_configuration].get(transcript_hash)

    def own_scores(self, trial_key: str) -> dict[str, Score]:
        """Return the score that the function of a Python scenario gave; nothing of any other trial."""
        return {HELD.name: self._held[trial_key]} if trial_key in self._held else {}

    def on_the_way(self, trial_key: str, transcript_hash: str) -> tuple[VerdictRow, ...]:
        """Return the verdicts that the function of a Python scenario paid for before its conversation was whole."""
        return tuple(row for row in self._of_functions[trial_key] if row.transcript_hash != transcript_hash)

    @cached_property
    def _of_functions(self) -> dict[str, list[VerdictRow]]:
        found: dict[str, list[VerdictRow]] = defaultdict(list)
        for row in self._first if self._held else ():
            if row.trial_key in self._held:
                found[row.trial_key].append(row)
        return found

    def repeats(self, transcript_hash: str, rubric_digest: str, judge_configuration: str) -> Mapping[int, VerdictRow]:
        """Return a judge's answers to the same question asked again, by their number, from 2 on."""
        return self._repeats.get((transcript_hash, rubric_digest, judge_configuration), _NONE)

    def costs_in(self, session_id: str) -> list[float | None]:
        """Return what each verdict of one session cost, repeats included, US dollars; None is unknown."""
        rows = chain(self._first, *(repeats.values() for repeats in self._repeats.values()))
        return [row.cost_usd for row in rows if row.session == session_id]

    @property
    def _first(self) -> Iterator[VerdictRow]:
        """The verdicts that are no answers to repeated questions."""
        return chain.from_iterable(judged.values() for judged in self._rows.values())


def scores_of(verdict: VerdictRow) -> Mapping[str, Score]:
    """Return a verdict's scores by name; equal ones are one object."""
    return _scores_in(verdict.scores)


def panel_scores(panel: Sequence[VerdictRow | None], own: Mapping[str, Score]) -> PanelScores:
    """Return the scores of one trial, with those that its function gave; equal ones are one object."""
    if own:
        return tuple({**scores_of(verdict), **own} if verdict else None for verdict in panel)
    return _panel_scores(tuple(verdict.scores if verdict else None for verdict in panel))


@lru_cache(maxsize=10_000)
def _panel_scores(texts: tuple[str | None, ...]) -> PanelScores:
    return tuple(None if text is None else _scores_in(text) for text in texts)


@lru_cache(maxsize=10_000)
def _scores_in(text: str) -> Mapping[str, Score]:
    scores: dict[str, Score] = json.loads(text)
    return scores


@dataclass
class StoreRecords:
    """Everything that a leaderboard is made of."""

    records: list[ModelRecords]
    verdicts: Verdicts
    known: dict[str, StoredConfiguration]
    """By digest of the configuration."""

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of every configuration with records; where two share one, the one seen last keeps it."""
        by_label: dict[str, list[StoredConfiguration]] = defaultdict(list)
        for configuration in {records.configuration for records in self.records}:
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
        return is_embedded(facts.model_id) and self.labels[configuration] != facts.label


def gather(store: Store, session: Session) -> StoreRecords:
    """Read the store in one pass per table.

    The edition's own set of cells is complete whatever the session asked.
    """
    edition = session.edition
    scripts = {cell_key(cell): cell.script_digest for cell in session.cells}
    conditions = list(product(edition.system_variants, edition.delivery_modes))
    own = [CellKey(scenario.id, *condition) for scenario in edition.scenarios for condition in conditions]
    by_panel = [cell for cell in session.cells if not cell.judges]
    groups: dict[CellKey, str | None] = dict.fromkeys(own)
    groups |= {cell_key(cell): "+".join(cell_key(cell)[1:]) for cell in by_panel if not cell.official}
    overriding = {cell_key(cell) for cell in by_panel if cell.overridden}
    known = {stored.facts.configuration: stored for stored in store.configurations()}
    never_planned = {configuration for configuration, stored in known.items() if stored.facts.overridden}
    found: dict[tuple[str, str], ModelRecords] = {}

    def records_of(row: TrialRow | FailureRow) -> ModelRecords | None:
        """Return the records that a row belongs to, None where its texts are not the session's."""
        cell = cell_key(row)
        if cell not in groups or scripts.get(cell) != row.script_digest:
            return None
        overridden = cell in overriding or row.configuration in never_planned
        group = "+".join(cell[1:]) if overridden else groups[cell]
        name = (row.configuration, group or "")
        if name not in found:
            cells = own if group is None else _in_order(edition, cell)
            found[name] = ModelRecords(row.configuration, group, cells, overridden=overridden)
        return found[name]

    for row in sorted(store.trial_rows(set(scripts.values())), key=_age):
        if records := records_of(row):
            records.transcripts[cell_key(row), row.run] = row
    for failure in store.failure_rows(set(scripts.values())):
        if records := records_of(failure):
            records.failures[cell_key(failure), failure.run].append(failure)
    judged_otherwise = [cell for cell in session.cells if cell.judges]
    judges = [*session.panel, *(judge for cell in judged_otherwise for judge in cell.judges)]
    verdicts = store.verdict_rows({judge.configuration for judge in judges}, repeats=True)
    _refuse_impossible(store, edition, verdicts)
    if judged_otherwise:
        read = {(row.transcript_hash, row.judge_configuration) for row in verdicts if row.repeat == 1}
        for records in list(found.values()):
            for cell in judged_otherwise:
                _add_judged(found, records, _in_order(edition, cell_key(cell)), cell, read)
    for unknown in {configuration for configuration, _ in found if configuration not in known}:
        facts = Configuration(configuration=unknown, label=unknown, model_id=unknown)  # its row was left out
        known[unknown] = StoredConfiguration(facts, seen_at=0.0)
    led = {scenario.id for scenario in edition.scenarios if scenario.function}
    told = [row.key for each in found.values() for row in each.transcripts.values() if row.scenario in led]
    held = {key: each.held for key, each in store.checks(told).items()} if told else {}
    return StoreRecords([found[name] for name in sorted(found)], Verdicts(verdicts, held), known)


def _refuse_impossible(store: Store, edition: Edition, verdicts: Iterable[VerdictRow]) -> None:
    """Raise StoreFailed if a verdict's scores are not in the range of their rubric."""
    rubrics = {scenario.rubric.digest: scenario.rubric for scenario in edition.scenarios if scenario.rubric}
    for rubric, scores in {(row.rubric_digest, row.scores) for row in verdicts if row.rubric_digest in rubrics}:
        if trouble := scores_trouble(rubrics[rubric], json.loads(scores), all_of_them=False):
            raise unreadable(store.path, f"scores in it are none: {trouble}")


def _in_order(edition: Edition, cell: CellKey) -> list[CellKey]:
    """Return the cells of all scenarios in a cell's configuration."""
    return [cell._replace(scenario=scenario.id) for scenario in edition.scenarios]


def _add_judged(
    found: dict[tuple[str, str], ModelRecords],
    records: ModelRecords,
    cells: list[CellKey],
    cell: PlannedCell,
    read: Container[tuple[str, str]],
) -> None:
    """Add the transcripts of a cell that its own judges have read to the group of these judges."""
    labels = ",".join(judge.label for judge in cell.judges)
    group = "+".join((*cell_key(cell)[1:], f"judge={labels}"))
    for (own, run), row in records.transcripts.items():
        if own == cell_key(cell) and any((row.transcript_hash, each.configuration) in read for each in cell.judges):
            name = (records.configuration, group)
            new = ModelRecords(records.configuration, group, cells, overridden=True, judges=cell.judges)
            found.setdefault(name, new).transcripts[own, run] = row


def cell_key(row: PlannedCell | TrialRow | FailureRow) -> CellKey:
    """Return the cell that a row belongs to."""
    return _cell(row.scenario, row.system_variant, row.delivery_mode)


@lru_cache(maxsize=10_000)  # a store may hold a million rows of the same few cells
def _cell(scenario: str, system_variant: str, delivery_mode: str) -> CellKey:
    return CellKey(scenario, system_variant, delivery_mode)


def _age(row: TrialRow | VerdictRow) -> tuple[float, str]:
    return row.created_at, row.key


def _older_label(label: str, facts: Configuration) -> str:
    """Name a configuration whose label now belongs to another one."""
    return f"{label}#{facts.build or facts.configuration[:8]}"
