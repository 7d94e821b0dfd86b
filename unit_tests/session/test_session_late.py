"""A trial that nobody has planned: its case tells what it asks while it runs."""

import pytest
from session_samples import NOWHERE, one, plan

from independence_bench.case_result import CaseResult
from independence_bench.catalog import Catalogue
from independence_bench.kinds.edition_files import load_cells
from independence_bench.session.engine_setup import all_limits, open_engine
from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.recorder import Recorder
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import outcome_of, read_states, tasks_left
from independence_bench.spec import Cell, TrialSpec
from independence_bench.store import Store

WAIT_S = 20.0
EMBEDDED = Settings(root=NOWHERE, models=("offline/steadfast",))


def other_cell(made: Plan, spec: TrialSpec, variant: str = "neutral") -> Cell:
    """The case's own scenario under another system prompt, as a fixture may choose it."""
    cells = load_cells(made.edition, Catalogue(), (variant,), (spec.delivery_mode,))
    return next(cell for cell in cells if cell.scenario.id == spec.scenario.id)


def test_it_is_measured_judged_stored_and_counted_like_any_other() -> None:
    made = build_plan(EMBEDDED)
    store = Store.empty()
    recorder = Recorder(EMBEDDED, made, store)
    _, own = one(made)
    engine = open_engine(EMBEDDED, all_limits(EMBEDDED), 1, lambda records: store.add_all(records, recorder.session_id))
    engine.start(tasks_left(made, {}, [made.keys[own]], store.transcript_body))

    late = made.late(other_cell(made, own), own.model, own.run)
    key = made.keys[late]
    engine.start(tasks_left(made, read_states(store, made, [key]), [key], store.transcript_body))
    record = engine.result(key, timeout=WAIT_S)
    engine.close()

    outcome = outcome_of(made, late, read_states(store, made, [key])[key], [record])
    assert outcome.failure is None and [each.judge for each in outcome.judged] == ["offline/lexical"]
    result = CaseResult.of(late, "test_x.py::test_own", "held", scores=outcome.scores)
    recorder.add_case(result)
    assert result.system_variant == "neutral"
    # Another session finds it, and asks nothing.
    again = build_plan(EMBEDDED)
    same = again.keys[again.late(other_cell(again, own), own.model, own.run)]
    assert same == key
    assert tasks_left(again, read_states(store, again, [same]), [same], store.transcript_body) == []


def test_the_plan_that_all_processes_share_stays_as_it_was() -> None:
    made = plan()
    _, own = one(made)
    made.late(other_cell(made, own), own.model, own.run)

    assert made.digest == plan().digest
    assert (len(made.specs), len(made.cells)) == (len(plan().specs), len(plan().cells))


@pytest.mark.parametrize("run", [1, 2])
def test_what_turns_out_to_be_planned_is_the_planned_trial(run: int) -> None:
    made = plan(runs=2)
    _, own = one(made, run=run)
    cell = next(cell for cell in made.cells if cell.scenario.id == own.scenario.id)

    assert made.late(cell, own.model, run) is own
