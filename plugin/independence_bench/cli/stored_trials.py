"""Stored trials for judges, from the store alone: which texts, by which rubrics, and what is not judged yet."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.engine import Task
from independence_bench.judging import verdict_key
from independence_bench.kind_registry import kind_entry
from independence_bench.kinds.edition_files import load_edition
from independence_bench.option_table import RUN_OR_NAME
from independence_bench.spec import Cell, Endpoint, Model, Preamble, Scenario, Script, TrialSpec
from independence_bench.store import Configuration, PlannedCell, Session, Store, TrialRow
from independence_bench.trial import Transcript, TrialRecord

_NEVER_ASKED = Endpoint(name="stored", base_url="stored:")


@dataclass(frozen=True, slots=True)
class JudgingScope:
    """The texts of one leaderboard's edition, with their rubrics and the trials that asked them."""

    session: Session  # the newest session of these texts
    edition: Edition  # its edition; imported rubrics without an instruction are replaced by ours of the same scenarios
    rows: list[TrialRow]  # the trials to judge with these texts, in scenarios that a judge reads


def count_judged(store: Store, scope: JudgingScope, session: Session) -> int:
    """Return how many of a scope's trials every judge of a session's panel has judged by its rubrics."""
    judges = [judge.configuration for judge in session.panel]
    rubrics = {scenario.id: scenario.rubric.digest for scenario in session.edition.scenarios if scenario.rubric}
    verdicts = {(row.transcript_hash, row.rubric_digest, row.judge_configuration) for row in store.verdict_rows(judges)}
    return sum(
        all((row.transcript_hash, rubrics.get(row.scenario), judge) in verdicts for judge in judges)
        for row in (scope.rows if judges else ())
    )


def _what_is_asked(row: PlannedCell | TrialRow) -> tuple[str, str, str, str]:
    return row.scenario, row.system_variant, row.delivery_mode, row.script_digest


def judging_scopes(
    store: Store, catalogue: Catalogue, edition: str | None, configurations: Container[str]
) -> list[JudgingScope]:
    """Return the scopes to judge for these models: every group of imported texts, then the newest session (of an
    edition). Raises BadInput: the store holds no session of that edition, or this version does not know its kind.
    """
    imported: dict[frozenset[str], Session] = {}
    newest_first = [*store.sessions(edition)]
    for session in filter(attrgetter("imported"), newest_first):
        imported.setdefault(frozenset(cell.script_digest for cell in session.cells), session)
    sessions = [*imported.values(), *(session for session in newest_first[:1] if not session.imported)]
    if not sessions:
        what = f"no session of edition {edition}" if edition else "no session yet"
        raise BadInput(f"{store.path}: holds {what}; {RUN_OR_NAME}")
    return [_scope(session, store, catalogue, configurations) for session in sessions]


def _scope(session: Session, store: Store, catalogue: Catalogue, configurations: Container[str]) -> JudgingScope:
    kind_entry(session.edition.kind)
    edition = _with_our_rubrics(session.edition, catalogue)
    scenario_ids = {scenario.id for scenario in edition.scenarios if scenario.rubric}
    cells = {_what_is_asked(cell) for cell in session.cells if cell.scenario in scenario_ids}
    rows = store.trial_rows(cell.script_digest for cell in session.cells)
    matching_rows = [row for row in rows if row.configuration in configurations and _what_is_asked(row) in cells]
    return JudgingScope(session, edition, matching_rows)


def _with_our_rubrics(edition: Edition, catalogue: Catalogue) -> Edition:
    if all(scenario.rubric is None or scenario.rubric.instruction for scenario in edition.scenarios):
        return edition
    ours = {scenario.id: scenario.rubric for scenario in load_edition(edition.id, catalogue).scenarios}
    scenarios = tuple(
        scenario.model_copy(update={"rubric": ours.get(scenario.id)})
        if scenario.rubric and not scenario.rubric.instruction
        else scenario
        for scenario in edition.scenarios
    )
    return edition.model_copy(update={"scenarios": scenarios})


@dataclass(frozen=True, slots=True)
class StoredTrial:
    """One stored trial that at least one judge has not read yet."""

    row: TrialRow
    task: Task

    def record(self, result: TrialRecord) -> TrialRecord:
        """Return the judged record with the stored trial's own model and texts."""
        own = {"configuration": self.row.configuration, "script_digest": self.row.script_digest}
        return result.model_copy(update=own)


def unjudged(
    scope: JudgingScope, panel: Sequence[Model], store: Store, configurations: Mapping[str, Configuration]
) -> Iterator[StoredTrial]:
    """Yield the trials that lack a verdict of one of the judges."""
    scenarios = {scenario.id: scenario for scenario in scope.edition.scenarios}
    questions: list[tuple[TrialRow, dict[str, Model]]] = []
    for row in scope.rows:
        rubric = scenarios[row.scenario].rubric
        assert rubric is not None
        questions.append((row, {verdict_key(row.transcript_hash, rubric, judge): judge for judge in panel}))
    verdicts = store.verdicts(key for _, keys in questions for key in keys)
    for row, keys in questions:
        judges = tuple(judge for key, judge in keys.items() if key not in verdicts)
        if judges:
            transcript = store.transcript_body(row.key)
            spec = _spec(row, scenarios[row.scenario], transcript, configurations[row.configuration])
            yield StoredTrial(row, Task(spec=spec, key=row.key, judges=judges, transcript=transcript))


def _spec(row: TrialRow, scenario: Scenario, transcript: Transcript, facts: Configuration) -> TrialSpec:
    names = {"label": facts.label, "id": facts.model_id, "served_id": facts.model_id, "build": facts.build}
    script = Script(
        **{name: getattr(transcript, name) for name in Preamble.model_fields},
        turns=tuple(exchange.asked for exchange in transcript.exchanges),
    )
    cell = Cell(
        scenario=scenario, script=script, system_variant=row.system_variant, delivery_mode=transcript.delivery_mode
    )
    return TrialSpec(row.edition, cell, Model(endpoint=_NEVER_ASKED, **names), row.run)
