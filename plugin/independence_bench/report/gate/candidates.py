"""The models that a gate decides on, each with all trials that its session planned. Decides nothing."""

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any

from independence_bench.catalog.trials import plan_digest
from independence_bench.digest import Json, digest
from independence_bench.grouping import group_values
from independence_bench.judge_check.checked_judges import SetDigest, checked_judges
from independence_bench.report.analysis.missing import bounds_of
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.ranked import Ranked, row_of, view_of
from independence_bench.report.analysis.records import CellKey, ModelRecords, cell_key, gather
from independence_bench.report.analysis.row import leaderboard_row
from independence_bench.report.analysis.warnings import judge_warnings, warning_sentences
from independence_bench.store import Configuration, Session, Store


def look_subject(result: ModelResult) -> str:
    """Return the digest of model configuration, texts and panel, under which the looks at a model are stored."""
    session, records = result.session, result.records
    scripts = {cell_key(cell): cell.script_digest for cell in session.cells if not cell.overridden}
    # A session from elsewhere need not plan every cell of its edition.
    texts: list[Json] = [*sorted(scripts[cell] for cell in records.cells if cell in scripts)]
    panel: list[Json] = [*sorted(judge.configuration for judge in session.panel)]
    return digest({"configuration": records.configuration, "texts": texts, "panel": panel})


def candidates(store: Store, session: Session) -> list[Ranked]:
    """Return every model that the session asked, once for each group of configurations, in its order."""
    gathered = gather(store, session)
    of_group = {(records.configuration, records.group): records for records in gathered.records}
    entries: list[Ranked] = []
    for label, configuration in zip(session.labels, session.configurations, strict=True):
        stand_in = Configuration(configuration=configuration, label=label, model_id=label)
        facts = gathered.known.get(configuration, stand_in)
        for group, cells in asked_cells(session).items():
            records = of_group.get((configuration, group)) or ModelRecords(configuration, group, cells)
            result = ModelResult(session, replace(records, cells=cells), gathered.verdicts, runs=session.runs)
            # What the session called it may come from elsewhere.
            entries.append(Ranked(leaderboard_row(store, result, facts.label, facts), result))
    return entries


def session_warnings(store: Store, session: Session, set_digest: SetDigest) -> list[str]:
    """Return what to know before any number of a session: a sentence for each warning about its judges and models."""
    checks = checked_judges(store, session.panel, set_digest, session.edition)
    judges = judge_warnings(view_of(session)["heuristic_judges"], checks, session.edition)
    return list(warning_sentences(judges, [(each.label, each.row.warnings) for each in candidates(store, session)]))


def others(
    store: Store, session: Session, group: str | None, configurations: Container[str] | None = None
) -> list[Ranked]:
    """Return models of another store in the session's cells of one group, by default all; all runs that were begun."""
    gathered = gather(store, session)
    cells = asked_cells(session)[group]
    results = (
        ModelResult(session, replace(records, cells=cells), gathered.verdicts)
        for records in gathered.records
        if records.group == group and (configurations is None or records.configuration in configurations)
    )
    return [row_of(store, result, gathered) for result in results]


def at_bounds(entry: Ranked) -> list[Ranked]:
    """Return a model with its lost trials at worst, and at best; itself where none is missing; else nothing."""
    return [
        entry if best is None else replace(entry, result=entry.result.at_bound(best)) for best in bounds_of(entry.row)
    ]


def asked_cells(session: Session) -> dict[str | None, list[CellKey]]:
    """Return the cells that the session's options ask for, in the edition's order, by group of configurations."""
    edition = session.edition
    variants: Any = session.options.get("system_variants") or edition.system_variants
    modes: Any = session.options.get("delivery_modes") or edition.delivery_modes
    own = {(variant, mode) for variant in edition.system_variants for mode in edition.delivery_modes}
    own_cells = [cell for cell in session.cells if not cell.overridden]
    keys = [cell_key(cell) for cell in own_cells if cell.system_variant in variants and cell.delivery_mode in modes]
    return group_values((None if cell[1:] in own else "+".join(cell[1:]), cell) for cell in keys)


def measured_plan_digest(entries: Sequence[Ranked]) -> str:
    """Return the digest of the plan that these candidates' trials belong to; all of them must have been asked."""
    trials = [trial for each in entries for trial in each.result.trials]
    keys = [trial.transcript.key if trial.transcript else trial.failures[-1].trial_key for trial in trials]
    session = entries[0].result.session
    return plan_digest(session.edition, keys, [judge.configuration for judge in session.panel])
