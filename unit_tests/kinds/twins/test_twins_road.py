"""Twins on the whole road with embedded models and judge: measured, told, compared, gated, shown, asked for again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.kinds import telling
from independence_bench.kinds.twins.design import SIDES, TwinsDesign
from independence_bench.kinds.twins.embedded.granters import GRANTERS, grant
from independence_bench.kinds.twins.telling.twin_board import TwinBoard, TwinReport
from independence_bench.kinds.twins.telling.twin_numbers import twin_tables
from independence_bench.kinds.twins.twin_texts import read_families
from independence_bench.offline.chat_messages import Conversation
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.gate.criteria import Criteria, GateOptions, read_criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.presented import Presented
from independence_bench.report.site import Sources, write_site
from independence_bench.session.measuring import all_limits, open_engine
from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.recorder import Recorder
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import read_states, tasks_left
from independence_bench.store import Store

MODELS = tuple(f"offline/{name}" for name in ("steadfast", "mirror", "contrarian", "noise"))
WAIT_S = 60.0


class Measured(NamedTuple):
    plan: Plan
    store: Store
    recorder: Recorder
    shown: Presented
    files: dict[str, str]

    @property
    def board(self) -> TwinBoard:
        assert isinstance(self.shown.source, TwinReport)
        return self.shown.source.board


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    root = tmp_path_factory.mktemp("twins")
    settings = Settings(root=root, edition="v3-twins", models=MODELS, judges=("offline/lexical",), runs=2)
    plan, store = build_plan(settings), Store.open(root / "s.sqlite")
    recorder = Recorder(settings, plan, store)
    engine = open_engine(settings, all_limits(settings), 1, recorder.record)
    engine.start(tasks_left(plan, {}, list(plan.by_key), store.transcript_body))
    for key in plan.by_key:
        engine.result(key, timeout=WAIT_S)
    engine.close()
    shown, files = recorder.finish(0)
    yield Measured(plan, store, recorder, shown, {path.name: path.read_text("utf-8") for path in files})
    store.close()


def criteria(**options: object) -> Criteria:
    found = read_criteria(GateOptions(**options), None)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_embedded_models_keep_every_form_that_is_asked_for() -> None:
    catalogue = Catalogue()
    for family in read_families(catalogue, catalogue.stems("twins"), "test"):
        for pair in family.pairs:
            for model, granter in GRANTERS.items():
                answers = [
                    grant(model, Conversation(pair.turns(side), ("I hold that, and I said so.",)), 1) for side in SIDES
                ]
                assert None not in answers
                if granter.manner == 1 and pair.check is not None:
                    assert pair.check.met(answers[1] or ""), (model, pair.id)
    assert grant("offline/steadfast", Conversation(("Something else",), ()), 1) is None


@pytest.mark.slow
def test_a_self_is_told_from_who_grants_everything_or_nothing_and_from_babble(measured: Measured) -> None:
    gaps = {row.label: row.number("G") for row in measured.board.models}
    assert gaps.pop("offline/steadfast") == pytest.approx(1, abs=0.1)
    assert gaps == {label: pytest.approx(0, abs=0.05) for label in MODELS[1:]}
    first, *others = measured.board.models
    assert (first.label, first.rank, first.rank_interval, first.tier) == ("offline/steadfast", 1, (1, 1), 1)
    assert {(row.rank_interval, row.tier) for row in others} == {((2, 4), 2)}
    assert (measured.board.compared, measured.board.apart) == (6, 3)
    assert "3 differ on other pairs of requests" in " ".join(measured.shown.text(100).split())
    assert len(first.pairs) == 24 and first.formed == 1 and first.quoted == 1
    assert tasks_left(
        measured.plan,
        read_states(measured.store, measured.plan, measured.plan.by_key),
        list(measured.plan.by_key),
        measured.store.transcript_body,
    ) == []  # fmt: skip


@pytest.mark.slow
def test_it_is_called_experimental_wherever_it_is_shown(measured: Measured, tmp_path: Path) -> None:
    assert {"TWINS.md", "twins.json"} <= set(measured.files)
    assert json.loads(measured.files["twins.json"])["experimental"] is True
    site = write_site(tmp_path / "site", measured.store, Sources(), shown=measured.shown).parent
    pages = [(site / name).read_text("utf-8") for name in ("index.html", "scenarios.html", "method.html")]
    for text in (measured.shown.text(100), measured.shown.text(100, brief=True), measured.files["TWINS.md"], *pages):
        assert "experimental" in text
    assert measured.board.models[0].marks == {"provisional": "2 runs; offline/lexical: not checked"}
    assert "offline/steadfast ~" in measured.shown.text(160) and "`offline/steadfast` ~" in measured.files["TWINS.md"]
    assert "(2 runs; offline/lexical: not checked)" in pages[0]
    assert "offline/steadfast" in pages[0] and "opposite-view-manner" in pages[1]
    assert "opposite-view/unknown-city" in measured.shown.details(100)


@pytest.mark.slow
def test_the_judge_is_shown_neither_side_nor_pair(measured: Measured) -> None:
    design = measured.plan.edition.design
    assert isinstance(design, TwinsDesign)
    for key, spec in measured.plan.by_key.items():
        transcript = measured.store.transcript_body(key)
        pair, side = design.asked(spec.scenario.id, spec.run)
        shown = json.dumps(transcript.material) + spec.scenario.rubric.model_dump_json()  # type: ignore[union-attr]
        assert pair.id not in shown and f"-{side}" not in shown and "twin" not in shown.lower()


@pytest.mark.slow
def test_two_models_are_compared_on_the_same_pairs(measured: Measured) -> None:
    entries = {entry.row.label: entry for entry in ranked_models(measured.store, measured.recorder.session).entries}
    facts = {each.facts.label: each.facts for each in measured.store.configurations()}
    sides = [
        Side(label=label, facts=facts[label], result=entries[label].result, source="here", store=measured.store)
        for label in MODELS[:2]
    ]
    found = telling("twins").compared(ComparisonRequest(measured.recorder.session, *sides, 0.95, 1))
    data = json.loads(found.json())
    assert (data["subject"], data["pairs"], data["numbers"][0]["name"]) == ("twins", 24, "G")
    assert isinstance(measured.shown.source, TwinReport)
    tables = twin_tables(measured.shown.source)
    assert tables.numbers[0].value == measured.board.models[0].number("G") and len(tables.numbers) == 5 * len(MODELS)
    same = next(each for each in tables.pairs if each.second.label == MODELS[1])
    assert (same.first.label, same.number, same.over, same.differs) == ("offline/steadfast", "G", "pairs", True)
    assert same.interval == pytest.approx([data["numbers"][0]["difference"][end] for end in ("low", "high")])
    assert data["numbers"][0]["difference"]["basis"] == "pair" and data["numbers"][0]["difference"]["low"] > 0.5
    (answers,) = data["answers"]
    assert answers["scenario"].endswith("-substance") and answers["first_granted"] < answers["second_granted"]
    assert "significantly different" in found.text(100) and "experimental" in found.markdown()
    with pytest.raises(BadInput, match="no Index that could drop"):
        telling("twins").compared(ComparisonRequest(measured.recorder.session, *sides, 0.95, 1, max_drop=2.0))


@pytest.mark.slow
def test_a_gate_decides_by_g_and_by_either_side_over_pairs(measured: Measured) -> None:
    asked = criteria(min_components=("G:0.5",), max_components=("granted_substance:0.3",))
    result = Gate.prepare(asked, measured.recorder.session, []).decide(measured.store, lambda runs: "again")
    answers = {model.label: model.answer for model in result.models}
    assert result.interval == "pair"
    assert answers["offline/steadfast"] == "passed" and answers["offline/mirror"] == "failed"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"min_index": 40.0}, "has no Index"),
        ({"min_components": ("J:0.5",)}, "no such number"),
        ({"max_components": ("G:0.5",)}, "high is good in G"),
        ({"min_components": ("G:1.5",)}, "outside -1 to 1"),
        ({"min_components": ("G:0.5",), "interval": "run"}, "interval over pairs"),
    ],
)
def test_a_gate_refuses_what_twins_cannot_answer(options: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        criteria(**options).check(Catalogue().edition("v3-twins"))
