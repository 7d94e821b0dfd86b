"""A new kind of edition is its own folder and one entry point, from the plan to the gate."""

import json
from pathlib import Path

import pytest
from extension_packages import installed_package
from toy_kind.design import ToyDesign

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.report.gate.criteria import Criteria, GateOptions, read_criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.report.site import Sources, write_site
from independence_bench.session.measuring import all_limits, open_engine
from independence_bench.session.plan import build_plan
from independence_bench.session.recorder import Recorder
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import read_states, tasks_left
from independence_bench.store import Store

WAIT_S = 20.0
EDITION = "id: toys\ntitle: Toys\nsystem_variants: [neutral]\ndelivery_modes: [user_role]\ntoys: 3\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A session of toys, whose package declares them by an entry point."""
    installed_package(tmp_path / "packages", monkeypatch, {"kinds": {"toy": "toy_kind:KIND"}})
    (tmp_path / "toys.yaml").write_text(EDITION, "utf-8")
    return Settings(root=tmp_path, edition=str(tmp_path / "toys.yaml"), models=("offline/steadfast",), runs=2)


def criteria(mark: str) -> Criteria:
    found = read_criteria(GateOptions(min_components=(mark,)), None)
    assert found is not None
    return found


def test_it_is_planned_keyed_measured_reported_shown_and_gated(settings: Settings, tmp_path: Path) -> None:
    plan = build_plan(settings)
    assert isinstance(plan.edition.design, ToyDesign) and plan.panel == ()
    assert len(plan.by_key) == 2 * 3 and sum(spec.script.calls for spec in plan.specs) == 2 * 3 * 2

    store = Store.open(tmp_path / "s.sqlite")
    recorder = Recorder(settings, plan, store)
    engine = open_engine(settings, all_limits(settings), 1, recorder.record)
    engine.start(tasks_left(plan, {}, list(plan.by_key), store.transcript_body))
    records = [engine.result(key, timeout=WAIT_S) for key in plan.by_key]
    engine.close()
    assert [len(each.transcript.exchanges) for each in records if each.transcript] == [2] * 6
    assert tasks_left(plan, read_states(store, plan, plan.by_key), list(plan.by_key), store.transcript_body) == []

    recorder.add_case(CaseResult.of(plan.specs[0], "test_toys.py::test_toy", "measured"))
    shown, files = recorder.finish(0)
    assert shown.text(100) == "offline/steadfast: 6 of 6 toys"
    assert settings.reports_folder / "TOYS.md" in files
    assert store.session(recorder.session.id).edition == plan.edition

    site = write_site(tmp_path / "site", store, Sources(), shown=shown).parent
    assert "Toys: 3 (numbers)" in (site / "index.html").read_text("utf-8")
    data = (site / "data" / "site.js").read_text("ascii").removeprefix('bench.register("site",').removesuffix(");\n")
    assert (json.loads(data)["toy"], json.loads(data)["roles"]) == (3, None)

    gate = Gate.prepare(criteria("described:0.9"), recorder.session, [])
    result = gate.decide(store, lambda runs: "again")
    assert (result.answer, result.interval) == ("passed", "toy")
    assert "over toys" in gate_text(result, 200) and "computed from the answers without a judge" in gate_text(
        result, 200
    )
    store.close()


def test_it_refuses_what_it_cannot_be_asked(settings: Settings) -> None:
    plan = build_plan(settings)
    with pytest.raises(BadInput, match="toys have one number"):
        criteria("humour:3").check(plan.edition)
    with pytest.raises(BadInput, match="--judge: edition toys is read by nobody"):
        build_plan(Settings(root=settings.root, edition=settings.edition, models=settings.models, judges=("x",)))
