"""What the store holds of a session's cells, grouped by model configuration. Counts and scores nothing.

Transcripts are matched to cells by scenario, system variant, delivery mode and text, not by edition name: equal texts
are one measurement in every edition.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import NamedTuple

from independence_bench.catalog.editions import Edition, texts_digest
from independence_bench.digest import digest
from independence_bench.grouping import group_values
from independence_bench.report.analysis.panel_verdicts import Verdicts, verdict_age
from independence_bench.spec import PanelJudge, TrialName, is_embedded
from independence_bench.store import Configuration, FailureRow, PlannedCell, Session, Store, TrialRow, VerdictRow
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
    group: str | None
    """None for the edition's own configurations, else ``variant+delivery``, with ``#digest`` if its texts have changed
    since, and with other judges than the panel.
    """
    cells: list[CellKey]  # the group's cells, planned once per run, in the order of the edition
    transcripts: dict[tuple[CellKey, int], TrialRow] = field(default_factory=dict)
    """By cell and run, the newest of each: an older one is of an earlier protocol."""
    failures: dict[tuple[CellKey, int], list[FailureRow]] = field(default_factory=lambda: defaultdict(list))
    """By cell and run, oldest first."""
    overridden: bool = False  # asked by cases with overridden fixtures, or in texts that have changed: never ranked
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
    known: dict[str, Configuration]  # by digest of the configuration, in the store's order

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of each configuration with records; of two that share it, ours keeps it, else the newest."""
        recorded = {records.configuration for records in self.records}
        labels: dict[str, str] = {}
        taken = set()
        for facts in (each for each in self.known.values() if each.configuration in recorded):
            older = f"{facts.label}#{facts.build or facts.configuration[:8]}"
            labels[facts.configuration] = older if facts.label in taken else facts.label
            taken.add(facts.label)
        return labels

    def superseded(self, configuration: str) -> bool:
        """True for an embedded model of an earlier version of this package, where the store has a later one."""
        facts = self.known[configuration]
        shown = {(self.known[each].model_id, label) for each, label in self.labels.items()}
        return (
            is_embedded(facts.model_id)
            and self.labels[configuration] != facts.label
            and (facts.model_id, facts.label) in shown
        )


def gather(store: Store, session: Session) -> StoreRecords:
    """Read the store in one pass per table. The edition's own set of cells is complete whatever the session asked."""
    known = {stored.configuration: stored for stored in store.configurations()}
    with store.sharing():
        asked = [session.cells, *_asked_beside(store, session)]
        verdicts = _verdicts(store, session, chain.from_iterable(asked))
        groups = _asked_records(store, session, asked, known, verdicts)
    records = [groups[name] for name in sorted(groups)]
    _name_unknown(known, records)
    return StoreRecords(records, Verdicts(verdicts, _held_by_functions(store, session.edition, records)), known)


def texts_of(session: Session) -> str:
    """Return the digest of all that is said in the edition's own configurations."""
    return texts_digest(cell.script_digest for cell in session.cells if cell.official)


def group_of(session: Session) -> tuple[str, str, tuple[str, ...]]:
    """Return the key of a session's view: edition, texts, and the panel in any order."""
    return session.edition.id, texts_of(session), tuple(sorted(judge.configuration for judge in session.panel))


def _asked_beside(store: Store, session: Session) -> Iterator[Sequence[PlannedCell]]:
    """Yield what each other session of the same view has asked outside its edition, the newest first: their answers are
    in its report.
    """
    for other in store.sessions_beside(session.edition.id):
        if other.id != session.id and group_of(other) == group_of(session):
            yield [cell for cell in other.cells if not cell.official]


def _verdicts(store: Store, session: Session, cells: Iterable[PlannedCell]) -> list[VerdictRow]:
    """Return the verdicts of the session's panel, and of the judges that single cells have in its place."""
    judges = [*session.panel, *(judge for cell in cells for judge in cell.judges)]
    verdicts = store.verdict_rows({judge.configuration for judge in judges})
    _refuse_impossible(store, session.edition, verdicts)
    return verdicts


_Asked = Sequence[Sequence[PlannedCell]]  # by sessions
_Text = tuple[CellKey, str]  # what a cell asks, and the digest of its script
_Groups = dict[tuple[str, str], ModelRecords]  # by configuration and group, which is empty for the edition's own
_Judges = tuple[PanelJudge, ...]  # in place of the panel; empty for the panel itself


def _asked_records(
    store: Store, session: Session, asked: _Asked, known: Mapping[str, Configuration], verdicts: Iterable[VerdictRow]
) -> _Groups:
    rows = _Rows(session, asked, known.values())
    scripts = {cell.script_digest for cells in asked for cell in cells}
    failures = store.failure_rows(scripts)
    if any(cell.judges for cells in asked for cell in cells):
        rows.heard = {(row.transcript_hash, row.judge_configuration) for row in verdicts}
        rows.failed = {(row.configuration, _text(row), row.run, row.judge) for row in failures}
    for failure in failures:
        for records in rows.of(failure):
            records.failures[cell_key(failure), failure.run].append(failure)
    for row in sorted(store.trial_rows(scripts), key=verdict_age):
        for records in rows.of(row):
            records.transcripts[cell_key(row), row.run] = row
    return rows.groups


class _Rows:
    """Says to which rows of a report a stored row belongs: by its model, its condition, and who judged it.

    Judges in place of the panel have what they have judged, or failed to; the panel also has what no one has judged.
    What only fixtures can have asked is the panel's only if each of it has judged it.
    """

    heard: Set[tuple[str, str]] = frozenset()  # hash of a conversation, and the configuration of a judge of it
    failed: Set[tuple[str, _Text, int, str | None]] = frozenset()  # model, text and run, and the judge's label

    def __init__(self, session: Session, asked: _Asked, known: Iterable[Configuration]) -> None:
        """``asked`` begins with the session's own cells; the other sessions follow, the newest first."""
        self.groups: _Groups = {}
        self._session, edition = session, session.edition
        conditions = [*product(edition.system_variants, edition.delivery_modes)]
        self._own = [CellKey(scenario.id, *condition) for scenario in edition.scenarios for condition in conditions]
        self._planned: dict[_Text, PlannedCell] = {}
        self._others: defaultdict[_Text, dict[_Judges, None]] = defaultdict(dict)
        alike: dict[tuple[str, ...], _Judges] = {}  # sessions of earlier versions note less of the same judges
        for cell in chain.from_iterable(asked):
            if cell.judges:
                judges = tuple(sorted(cell.judges, key=lambda judge: (judge.label, judge.configuration)))
                judges = alike.setdefault(tuple(judge.configuration for judge in judges), judges)
                self._others[_text(cell)][judges] = None
            else:
                self._planned.setdefault(_text(cell), cell)
        self._never_planned = {stored.configuration for stored in known if stored.overridden}
        self._replaced = {*session.replaced}
        self._texts_named = _names_of_texts(asked)
        self._judges_named = _names_of(chain.from_iterable(self._others.values()))

    def of(self, row: TrialRow | FailureRow) -> Iterator[ModelRecords]:
        """Yield the records that a row belongs to, new ones for the first; none where no session asked its text."""
        text = _text(row)
        if text in self._texts_named:
            for judges in self._judges_of(row, text):
                yield self._records(row.configuration, text, judges)

    def _judges_of(self, row: TrialRow | FailureRow, text: _Text) -> Sequence[_Judges]:
        others = [*self._others.get(text, ())]
        if not others:
            return [()]
        heard = [judges for judges in others if any(self._heard(judge, row) for judge in judges)]
        panel = [self._heard(judge, row) for judge in self._session.panel]
        by_panel = all(panel) if self._asked_instead(row, text) else any(panel) or not heard
        return [*([()] if by_panel else []), *heard] or others

    def _asked_instead(self, row: TrialRow | FailureRow, text: _Text) -> bool:
        """Return whether only overridden fixtures can have asked a trial."""
        name = TrialName(row.configuration, *text[0], row.run)
        return text not in self._planned or row.configuration in self._never_planned or name in self._replaced

    def _heard(self, judge: PanelJudge, row: TrialRow | FailureRow) -> bool:
        """Return whether a judge has judged a conversation, or failed to."""
        if isinstance(row, FailureRow):
            return row.judge == judge.label
        failed = (row.configuration, _text(row), row.run, judge.label) in self.failed
        return failed or (row.transcript_hash, judge.configuration) in self.heard

    def _records(self, configuration: str, text: _Text, judges: _Judges) -> ModelRecords:
        planned, changed, cell = self._planned.get(text), self._texts_named[text], text[0]
        by_fixtures = bool(judges) or configuration in self._never_planned or planned is None or planned.overridden
        overridden = by_fixtures or bool(changed)
        own = planned is not None and planned.official and not overridden
        group = None if own else "+".join(cell[1:]) + changed + self._judges_named.get(judges, "")
        name = (configuration, group or "")
        if name not in self.groups:
            scenarios = self._session.edition.scenarios
            read = [each.id for each in scenarios if each.rubric or not judges]
            cells = self._own if own else [cell._replace(scenario=scenario) for scenario in read]
            records = ModelRecords(configuration, group, cells, overridden=overridden, judges=judges or None)
            self.groups[name] = records
        return self.groups[name]


def _names_of_texts(asked: _Asked) -> dict[_Text, str]:
    """Return what each text adds to the name of its group: nothing if the first session that asked under its condition
    has it, or none contradicts it; else the digest of a set of texts that sessions asked together.
    """
    sets: defaultdict[tuple[str, ...], list[dict[CellKey, str]]] = defaultdict(list)
    for cells in asked:
        for condition, of_condition in group_values((cell_key(cell)[1:], _text(cell)) for cell in cells).items():
            texts, known = dict(of_condition), sets[condition]
            fitting = (each for each in known if all(each.get(cell, text) == text for cell, text in texts.items()))
            if (one := next(fitting, None)) is None:
                known.append(texts)
            else:
                one |= texts
    names: dict[_Text, str] = {}
    for known in sets.values():
        for place, texts in enumerate(known):
            name = f"#{digest([[*cell, text] for cell, text in sorted(texts.items())])[:8]}" if place else ""
            names = dict.fromkeys(texts.items(), name) | names
    return names


def _names_of(panels: Iterable[_Judges]) -> dict[_Judges, str]:
    """Return what the judges in place of the panel add to the name of a group; no two panels add the same."""
    names: dict[_Judges, str] = {}
    for judges in panels:
        name = f"+judge={','.join(judge.label for judge in judges)}"
        alike = judges not in names and name in names.values()  # of one name, asked otherwise
        names.setdefault(judges, f"{name}#{digest([each.configuration for each in judges])[:8]}" if alike else name)
    return names


def _name_unknown(known: dict[str, Configuration], records: Iterable[ModelRecords]) -> None:
    """Name the configurations whose own rows were left out as unreadable by their digests."""
    for unknown in {each.configuration for each in records} - known.keys():
        known[unknown] = Configuration(configuration=unknown, label=unknown, model_id=unknown)


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


def cell_key(row: PlannedCell | TrialRow | FailureRow) -> CellKey:
    """Return the cell that a row belongs to."""
    return _cell(row.scenario, row.system_variant, row.delivery_mode)


def _text(row: PlannedCell | TrialRow | FailureRow) -> _Text:
    return cell_key(row), row.script_digest


@lru_cache(maxsize=10_000)  # a store may hold a million rows of the same few cells
def _cell(scenario: str, system_variant: str, delivery_mode: str) -> CellKey:
    return CellKey(scenario, system_variant, delivery_mode)
