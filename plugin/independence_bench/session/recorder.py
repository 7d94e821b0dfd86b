"""The only writer of a session: stores records and case results, and writes the reports at the end."""

import itertools
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult, OverridingCase
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kept_texts import KeptTexts
from independence_bench.pace import Pace
from independence_bench.report.analysis.session_report import SessionReport
from independence_bench.report.files import write_reports, write_session_report
from independence_bench.report.presented import Presented, reported_kind
from independence_bench.session.plan import Plan
from independence_bench.session.settings import Settings
from independence_bench.spec import Cell, PanelJudge, TrialName
from independence_bench.store import Configuration, PlannedCell, Session, Store
from independence_bench.store.sessions import new_session_id
from independence_bench.version import __version__

_AT_HOME = re.compile(r"(@[a-z]+-t[-.\d]+)?(\+max=\d+)?(#.*)?", re.DOTALL)
"""What options add to a row's label that leave its endpoint as it is."""


class Recorder:
    """Writes down one session."""

    def __init__(self, settings: Settings, plan: Plan, store: Store) -> None:
        """Open the session in the store. Raises BadInput: a label has another meaning, or an analysis is broken."""
        refuse_other_meaning(store, plan)
        self._settings = settings
        self._store = store
        self._begun = planned_session(settings, plan)
        self._cases = KeptTexts()  # the results of the cases as JSON, by node id
        self._overriding: dict[str, tuple[CaseResult, OverridingCase]] = {}
        """Those of cases that have asked something else than the plan."""
        self.any_measured = False  # whether a case has a measured trial
        self.last_reason = ""  # of a case, where it has one
        store.begin_session(self._begun, planned_configurations(plan))
        if since := _retired(store, plan):
            store.note_retired(since)

    @property
    def session(self) -> Session:
        """What the session asks: its plan, and what cases with overridden fixtures have asked so far."""
        if not self._overriding:
            return self._begun
        known = {_place(cell): cell for cell in self._begun.cells}
        for cell in itertools.starmap(_overriding_cell, self._overriding.values()):
            known.setdefault(_place(cell), cell)
        models = dict(zip(self._begun.labels, self._begun.configurations, strict=True))
        cases = map(CaseResult.model_validate_json, self._cases.texts())
        asked = {_asked(case, models) for case in cases if case.overriding is None or not case.overriding.judges}
        replaced = dict.fromkeys(overriding.planned for _, overriding in self._overriding.values())
        return self._begun.model_copy(
            update={
                "cells": tuple(known.values()),
                "replaced": tuple(planned for planned in replaced if planned not in asked),
                "asked_instead": tuple(sorted(self._asked_instead)),
            }
        )

    @property
    def _asked_instead(self) -> set[str]:
        return {overriding.configuration for _, overriding in self._overriding.values()}

    @property
    def models(self) -> set[str]:
        """The configurations of the models that the session asks."""
        return {*self._begun.configurations} | self._asked_instead

    @property
    def overridden(self) -> Counter[str]:
        """How many cases asked something else than planned, by the fixtures that did it."""
        return Counter(overriding.fixtures for _, overriding in self._overriding.values())

    @property
    def cases(self) -> int:
        """How many cases have an outcome."""
        return len(self._cases)

    @property
    def session_id(self) -> str:
        """The session that records are stored under."""
        return self._begun.id

    def add_case(self, result: CaseResult) -> None:
        """Note the outcome of a case; a repeated case keeps its newest."""
        self._cases.put(result.node_id, result.model_dump_json())
        self.any_measured |= result.outcome not in ("not measured", "skipped")
        self.last_reason = result.reason or self.last_reason
        if result.overriding is not None:
            self._overriding[result.node_id] = result, result.overriding
        else:
            self._overriding.pop(result.node_id, None)

    def finish(self, exit_status: int, pace: Pace) -> Presented:
        """Close the session and write every report; return their content. ``pace`` is the last one.
        Raises BadInput: the folder or a report's input cannot be used; all measurements are stored nevertheless.
        """
        ended, session = time.time(), self.session
        self._store.end_session(session.id, ended)
        if asked := self._asked_instead:
            self._store.note_overriding(session, asked)
        cases = map(CaseResult.model_validate_json, self._cases.texts())
        report = SessionReport.of(session, cases, ended, exit_status, self._settings.max_cost, pace)
        try:
            kind = reported_kind(session.edition.kind)
            checked = partial(current_set_digest, self._settings.overlay)
            shown = self._store.reading(lambda store: kind.presented(store, session, checked))
        except BadInput:
            write_session_report(self._settings.reports_folder, report)
            raise
        write_reports(self._settings.reports_folder, shown, report)
        return shown


def _place(cell: PlannedCell) -> tuple[str, str, str, tuple[PanelJudge, ...]]:
    return cell.scenario, cell.system_variant, cell.delivery_mode, cell.judges


def _asked(case: CaseResult, models: Mapping[str, str]) -> TrialName:
    model = case.overriding.configuration if case.overriding else models[case.label]
    return TrialName(model, case.scenario, case.system_variant, case.delivery_mode, case.run)


def _overriding_cell(case: CaseResult, overriding: OverridingCase) -> PlannedCell:
    return PlannedCell(
        scenario=case.scenario,
        experiment=overriding.experiment,
        system_variant=case.system_variant,
        delivery_mode=case.delivery_mode,
        script_digest=overriding.script_digest,
        official=False,
        overridden=True,
        judges=overriding.judges,
    )


def refuse_other_meaning(store: Store, plan: Plan) -> None:
    """Refuse a ``--label`` under which this store measured another model or other sampling, or what one endpoint
    served and ``--label`` did not name. Raises BadInput: it did.
    """
    own = {model.label: model.configuration for model in plan.models if model.keeps_label}
    for facts in store.configurations():
        if not facts.merged and own.get(facts.label, facts.configuration) != facts.configuration:
            raise BadInput(
                f"--label: {facts.label} is in this store with another model id, with other sampling, or measured "
                "without --label, which binds it to its endpoint; give the same options again, or another --label or "
                "--build"
            )


def planned_session(settings: Settings, plan: Plan) -> Session:
    """Return the row of a session that begins now; writes nothing."""
    started = time.time()
    return Session(
        id=new_session_id(started),
        started_at=started,
        version=__version__,
        edition=plan.edition,
        cells=planned_cells(plan.all_cells),
        runs=plan.runs,
        labels=tuple(model.label for model in plan.models),
        panel=tuple(map(PanelJudge.of, plan.panel)),
        plan_digest=plan.digest,
        shard=str(settings.shard) if settings.shard else None,
        build=settings.build,
        options=settings.stored_options(),
        configurations=tuple(model.configuration for model in plan.models),
        chosen_as=tuple(model.chosen_as for model in plan.models),
        extensions=plan.extensions,
    )


def planned_cells(cells: Iterable[Cell]) -> tuple[PlannedCell, ...]:
    """Return cells as a session's row holds them: their scripts by digest."""
    return tuple(
        PlannedCell(
            scenario=cell.scenario.id,
            experiment=cell.scenario.experiment,
            system_variant=cell.system_variant,
            delivery_mode=cell.delivery_mode,
            script_digest=cell.script.digest,
            official=cell.official,
        )
        for cell in cells
    )


def _retired(store: Store, plan: Plan) -> dict[str, str]:
    """Return since when stored models are no longer served by the plan's catalogue, by configuration."""
    known = store.configurations() if plan.retired else []
    return {
        stored.configuration: since
        for stored in known
        for label, since in plan.retired.items()
        if stored.label.startswith(label) and _AT_HOME.fullmatch(stored.label[len(label) :])
    }


def planned_configurations(plan: Plan) -> list[Configuration]:
    """Return the facts of the models that a session asks, as stored when it begins."""
    renamed = {"model_id": "id", "temperature": "sent_temperature"}
    facts = [name for name in Configuration.model_fields if name not in ("merged", "overridden")]
    return [Configuration(**{name: getattr(model, renamed.get(name, name)) for name in facts}) for model in plan.models]
