"""Stored trials for judges: which texts, by which rubrics, and which trials are not judged yet.

Works from the store alone: the catalogue may no longer hold a model, or may never have held it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.engine import Task
from independence_bench.judging import verdict_key
from independence_bench.spec import Endpoint, Model, Scenario, Script, TrialSpec
from independence_bench.store import Configuration, Session, Store, TrialRow
from independence_bench.trial import Transcript, TrialRecord

_NEVER_ASKED = Endpoint(name="stored", base_url="stored:")


@dataclass(frozen=True, slots=True)
class JudgingScope:
    """The texts of one leaderboard's edition, with their rubrics."""

    session: Session
    """The newest session of these texts."""
    edition: Edition
    """Its edition; rubrics without an instruction, as in imports, are replaced by ours of the same scenarios."""

    def rows(self, store: Store, configurations: Mapping[str, Configuration]) -> list[TrialRow]:
        """Return the stored trials of these models with these texts, in judged scenarios."""
        cells = {
            (cell.scenario, cell.system_variant, cell.delivery_mode, cell.script_digest) for cell in self.session.cells
        }
        scenarios = self.scenarios
        return [
            row
            for row in store.trial_rows(cell.script_digest for cell in self.session.cells)
            if row.configuration in configurations
            and row.scenario in scenarios
            and (row.scenario, row.system_variant, row.delivery_mode, row.script_digest) in cells
        ]

    @property
    def scenarios(self) -> dict[str, Scenario]:
        """The scenarios that a judge reads, by id."""
        return {scenario.id: scenario for scenario in self.edition.scenarios if scenario.rubric}


def judging_scopes(store: Store, catalogue: Catalogue, edition: str | None) -> list[JudgingScope]:
    """Return the scopes to judge: every group of imported texts, then that of the newest session (of an edition).

    Raises:
        BadInput: the store holds no session of that edition.
    """
    imported: dict[frozenset[str], Session] = {}
    own = store.newest_session(edition, own=True)
    for session in sorted(store.imported_sessions(), key=lambda each: (each.started_at, each.id), reverse=True):
        if edition in (None, session.edition.id):
            imported.setdefault(frozenset(cell.script_digest for cell in session.cells), session)
    found = [JudgingScope(session, _with_our_rubrics(session.edition, catalogue)) for session in imported.values()]
    if own is not None:
        found.append(JudgingScope(own, _with_our_rubrics(own.edition, catalogue)))
    if not found:
        what = f"no session of edition {edition}" if edition else "no session yet"
        raise BadInput(f"{store.path}: holds {what}; run `pytest bench_tests`, or name another with --store")
    return found


def _with_our_rubrics(edition: Edition, catalogue: Catalogue) -> Edition:
    if all(scenario.rubric is None or scenario.rubric.instruction for scenario in edition.scenarios):
        return edition
    ours = {scenario.id: scenario.rubric for scenario in catalogue.edition(edition.id).scenarios}
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

    def record(self, judged: TrialRecord) -> TrialRecord:
        """Return the judged record with the stored trial's own model and texts."""
        return judged.model_copy(
            update={"configuration": self.row.configuration, "script_digest": self.row.script_digest}
        )


def unjudged(
    scope: JudgingScope,
    rows: Sequence[TrialRow],
    panel: Sequence[Model],
    store: Store,
    configurations: Mapping[str, Configuration],
) -> Iterator[StoredTrial]:
    """Yield the trials that lack a verdict of one of the judges."""
    scenarios = scope.scenarios
    wanted: list[tuple[TrialRow, dict[str, Model]]] = []
    for row in rows:
        rubric = scenarios[row.scenario].rubric
        assert rubric is not None
        wanted.append((row, {verdict_key(row.transcript_hash, rubric, judge): judge for judge in panel}))
    there = store.verdicts(key for _, keys in wanted for key in keys)
    for row, keys in wanted:
        judges = tuple(judge for key, judge in keys.items() if key not in there)
        if judges:
            transcript = store.transcript_body(row.key)
            spec = _spec(row, scenarios[row.scenario], transcript, configurations[row.configuration])
            yield StoredTrial(row, Task(spec=spec, key=row.key, judges=judges, transcript=transcript))


def _spec(row: TrialRow, scenario: Scenario, transcript: Transcript, facts: Configuration) -> TrialSpec:
    """Return a spec with the fields that judging needs; the model is never called."""
    return TrialSpec(
        edition=row.edition,
        scenario=scenario,
        model=Model(
            label=facts.label,
            id=facts.model_id,
            served_id=facts.model_id,
            endpoint=_NEVER_ASKED,
            build=facts.build,
        ),
        run=row.run,
        system_variant=row.system_variant,
        delivery_mode=transcript.delivery_mode,
        script=Script(
            delivery_mode=transcript.delivery_mode,
            system=transcript.system,
            start=transcript.start,
            greeting=transcript.greeting,
            tool=None,
            opening=transcript.opening,
            turns=tuple(exchange.asked for exchange in transcript.exchanges),
        ),
    )
