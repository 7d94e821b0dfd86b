"""A new kind of edition is its own folder and one entry point, from the plan to the gate."""

import json
from pathlib import Path

import pytest
import toy_kind
from extension_packages import installed_package
from report_samples import JUDGE, SECOND_JUDGE
from test_report_checked_judges import check
from toy_kind.design import ToyDesign
from toy_world import ToyWorld, records_of

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.pace import Pace
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.tidy_tables import ALL_TABLES
from independence_bench.report.comparison.side import compared_kind
from independence_bench.report.gate.criteria import Criteria, GateOptions, read_criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.report.gate.gated_kind import gated_kind
from independence_bench.report.numbers.number_view import NumberView
from independence_bench.report.presented import reported_kind
from independence_bench.report.site import Sources, write_site
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import site_kind
from independence_bench.session.engine_setup import all_limits, open_engine
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
    assert isinstance(plan.edition.design, ToyDesign) and [judge.label for judge in plan.panel] == ["offline/lexical"]
    assert len(plan.by_key) == 2 * 3 and sum(spec.script.calls for spec in plan.specs) == 2 * 3 * 2

    store = Store.open(tmp_path / "s.sqlite")
    recorder = Recorder(settings, plan, store)
    engine = open_engine(settings, all_limits(settings), 1, lambda records: store.add_all(records, recorder.session_id))
    engine.start(tasks_left(plan, {}, list(plan.by_key), store.transcript_body))
    records = [engine.result(key, timeout=WAIT_S) for key in plan.by_key]
    engine.close()
    assert [len(each.transcript.exchanges) for each in records if each.transcript] == [2] * 6
    assert tasks_left(plan, read_states(store, plan, plan.by_key), list(plan.by_key), store.transcript_body) == []

    recorder.add_case(CaseResult.of(plan.specs[0], "test_toys.py::test_toy", "measured"))
    shown = recorder.finish(0, Pace())
    assert "Toys, edition toys" in shown.text(100) and "offline/steadfast" in shown.text(100)
    assert all((settings.reports_folder / name).is_file() for name in ("TOYS.md", "toys.json"))
    assert store.session(recorder.session.id).edition == plan.edition

    site = write_site(tmp_path / "site", store, Sources(), shown=shown).parent
    home, judges = ((site / name).read_text("utf-8") for name in ("index.html", "judges.html"))
    assert all(words in home for words in ("<h1>Toys</h1>", "Described", "steadfast", "judged by offline/lexical"))
    assert "compares words (offline/lexical)" in judges

    gate = Gate.prepare(criteria("described:0.2"), recorder.session, [])
    result = gate.decide(store, lambda runs: "again")
    assert (result.answer, result.interval) == ("passed", "toy")
    text = gate_text(result, 200)
    assert "over toys" in text and "judged by offline/lexical" in text
    store.close()


@pytest.fixture
def toys(settings: Settings) -> ToyWorld:
    """Three models with different numbers of runs: all toys, half of each, none."""
    world = ToyWorld()
    for label, described, runs in (("tells", 2, 3), ("half", 1, 1), ("mute", 0, 2)):
        world.play(label, lambda toy, run, described=described: described, runs)  # type: ignore[misc]
    return world


def test_its_models_are_ranked_by_its_number_on_board_page_and_in_json(toys: ToyWorld) -> None:
    shown = reported_kind("toy").presented(toys.store, toys.session, current_set_digest)
    files = shown.files()
    data = json.loads(files["toys.json"])
    assert [(row["label"], row["rank"], row["numbers"]["described"]["estimate"]) for row in data["models"]] == [
        ("tells", 1, 1.0),
        ("half", 2, 0.5),
        ("mute", 3, 0.0),
    ]
    assert [row["tier"] for row in data["models"]] == [1, 2, 3] and (data["compared"], data["apart"]) == (3, 3)
    assert "3 of 3 pairs of models differ on other toys" in " ".join(shown.text(80).split())
    page = files["TOYS.md"]
    assert "**Described**: how well a judge finds the toys described" in page and "**judge-check**" in page
    assert "judged by `judge/one` (not checked), texts" in page
    assert "Judged by judge/one (not checked)." in shown.text(80) and "tells" in shown.details(80)
    assert (data["judges"], [each["state"] for each in data["judge_checks"]]) == (["judge/one"], ["not checked"])


def test_a_failed_check_of_its_judge_is_a_note_on_its_board(toys: ToyWorld) -> None:
    toys.store.add_judge_check(check(set_digest="set", passed=False))
    shown = reported_kind("toy").presented(toys.store, toys.session, lambda *, name: "set")
    assert "! judge/one failed its check in this store" in shown.text(100)
    assert [each.state for each in shown.judge_checks] == ["not passed"]


def test_what_only_a_heuristic_judged_has_no_number_and_says_why(settings: Settings) -> None:
    world = ToyWorld(JUDGE.model_copy(update={"heuristic": True}))
    world.play("real", lambda toy, run: 2)
    shown = reported_kind("toy").presented(world.store, world.session, current_set_digest)
    (row,) = json.loads(shown.files()["toys.json"])["models"]
    assert (row["rank"], row["rank_interval"], row["numbers"]) == (None, None, {})
    for text in (shown.text(300), shown.files()["TOYS.md"]):
        assert "judged by judge/one alone, which only compares words" in text


def test_a_board_that_was_just_shown_is_that_of_its_own_panel_only(toys: ToyWorld) -> None:
    shown = reported_kind("toy").presented(toys.store, toys.session, current_set_digest)
    other = toys.session.model_copy(update={"id": "s-2", "started_at": 9000.0, "panel": (SECOND_JUDGE,)})
    board = build_leaderboard(toys.store, other)
    view = EditionView(1, other, board, ranked_models(toys.store, other).with_rows(board.models))
    part = site_kind("toy").view_part(toys.store, view, shown)
    assert isinstance(part, NumberView) and part.board is not None
    assert (part.board.judges, part.board.ranked) == (["judge/two"], [])


def test_two_of_its_models_are_compared(toys: ToyWorld) -> None:
    found = compared_kind("toy").compared(toys.request("tells", "mute"))
    data = json.loads(found.json())
    assert (data["subject"], data["number"], data["gap"], data["difference"]["basis"]) == (
        "toy",
        "described",
        1.0,
        "toy",
    )
    ((number,), sides) = data["numbers"], (data["first"], data["second"])
    assert (number["name"], number["first"], number["second"]) == ("described", 1.0, 0.0)
    assert number["difference"] == data["difference"]
    assert [side["numbers"]["described"]["estimate"] for side in sides] == [1.0, 0.0]
    text = " ".join(found.text(100).split())
    assert (
        "tells (A) is 1.00 above mute (B) in described (95 % over toys:" in text and "significantly different" in text
    )
    assert found.markdown().startswith("# Comparison on toys, edition toys")
    with pytest.raises(BadInput, match="has no Index to drop"):
        compared_kind("toy").compared(toys.request("tells", "mute", max_drop=3.0))


def test_its_numbers_and_pairs_are_exported(toys: ToyWorld) -> None:
    source = records_of(toys.store, toys.session)
    rows = [
        (each["label"], each["value"], each["over"], each["rank"]) for each in ALL_TABLES["numbers"].records(source)
    ]
    assert rows == [("tells", 1.0, "toys", 1), ("half", 0.5, "toys", 2), ("mute", 0.0, "toys", 3)]
    assert [each["difference"] for each in ALL_TABLES["pairs"].records(source)] == [0.5, 1.0, 0.5]


def test_it_is_small() -> None:
    files = [each for each in Path(toy_kind.__file__).parent.rglob("*") if each.suffix in (".py", ".html")]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 200


def test_it_refuses_what_it_cannot_be_asked(settings: Settings) -> None:
    plan = build_plan(settings)
    with pytest.raises(BadInput, match=r"has no such number; .*described"):
        gated_kind("toy").check_criteria(criteria("humour:3"), plan.edition)
