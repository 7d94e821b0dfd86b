"""The only writer: records and results as JSON strings in, store and report files out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from session_samples import failure, one, plan, record, settings, transcript, verdict

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.engine.conduct import lost_record
from independence_bench.pace import Pace
from independence_bench.report.presented import Presented, reported_kind
from independence_bench.session.recorder import Recorder
from independence_bench.store import Configuration, Store


def result(node: str = "n", outcome: str = "held", cost: float | None = 0.5) -> CaseResult:
    return CaseResult.model_validate(
        {
            "node_id": node,
            "case_id": "c",
            "label": "test/a",
            "scenario": "creativity",
            "run": 1,
            "system_variant": "strong_independence",
            "delivery_mode": "tool_role",
            "outcome": outcome,
            "cost_usd": cost,
        }
    )


def test_a_session_is_noted_before_anything_is_measured(tmp_path: Path) -> None:
    made = plan(runs=2)
    store = Store.open(tmp_path / "s.sqlite")

    recorder = Recorder(settings(runs=2, build="b"), made, store)

    noted = store.newest_session()
    assert noted == recorder.session
    assert (noted.runs, noted.build, noted.plan_digest) == (2, "b", made.digest)
    assert [judge.label for judge in noted.panel] == [judge.label for judge in made.panel]
    assert len(noted.cells) == 15
    assert [one.label for one in store.configurations()] == ["test/a+127.0.0.1:9"]
    assert noted.labels == ("test/a+127.0.0.1:9",)
    assert noted.configurations == (store.configurations()[0].configuration,)
    store.close()


def test_a_label_of_ones_own_means_one_sampling_in_a_store_on_whatever_port() -> None:
    store = Store.empty()
    named = {"label": "candidate", "build": "w1"}
    for port in (8080, 8081):
        here = {**named, "endpoint": f"http://127.0.0.1:{port}/v1"}
        assert Recorder(settings(**here), plan(**here), store).session.labels == ("candidate#w1",)
    for other in ({"temperature": 0.1}, {"max_tokens": 5}, {"models": ("test/b",)}):
        with pytest.raises(
            BadInput, match=r"^--label: candidate#w1 is in this store with another model id, with other"
        ):
            Recorder(settings(**named, **other), plan(**named, **other), store)
    assert len(store.configurations()) == 1

    at_one_endpoint = {"models": ("local/m",), "build": "w1", "endpoint": None}
    Recorder(settings(**at_one_endpoint), plan(**at_one_endpoint), store)
    with pytest.raises(BadInput, match="measured without --label, which binds it to its endpoint; give"):
        Recorder(settings(**at_one_endpoint | (also := {"label": "local/m"})), plan(**at_one_endpoint | also), store)


def test_a_label_that_came_by_a_merge_does_not_stop_a_session_that_means_another_model_by_it() -> None:
    named = {"label": "candidate", "build": "w1"}
    elsewhere, store = Store.empty(), Store.empty()
    Recorder(settings(**named, temperature=0.1), plan(**named, temperature=0.1), elsewhere)
    store.merge([elsewhere])
    Recorder(settings(**named), plan(**named), store)
    assert sorted(each.merged for each in store.configurations()) == [False, True]
    with pytest.raises(BadInput, match=r"^--label: candidate#w1"):
        Recorder(settings(**named, max_tokens=5), plan(**named, max_tokens=5), store)


def test_what_the_catalogue_retires_is_retired_in_the_store_and_what_it_no_longer_has_keeps_what_was_stored() -> None:
    store, made = Store.empty(), plan()
    Recorder(settings(), made, store)
    (model,) = store.configurations()
    seen = ("test/a", "test/a@high-t0.2+max=9", "test/a+elsewhere:1", "test/ab", "test/gone")
    for at, label in enumerate(seen):
        known = {
            "configuration": f"{at}",
            "label": label,
            "model_id": "test/a",
            "retired": None if at < 4 else "2025-01",
        }
        store.begin_session(Recorder(settings(), made, Store.empty()).session, [Configuration(**known)])
    Recorder(settings(), replace(made, retired={"test/a": "2026-05-01"}), store)
    since = {stored.label: stored.retired for stored in store.configurations()}
    assert since == dict(zip(seen, ("2026-05-01", "2026-05-01", None, None, "2025-01"), strict=True)) | {
        model.label: None
    }


def test_session_ids_sort_by_time_and_are_never_the_same() -> None:
    made = plan()
    ids = [Recorder(settings(), made, Store.empty()).session.id for _ in range(20)]

    assert len(set(ids)) == 20
    assert ids[0][:15] <= ids[-1][:15]


def test_the_embedded_judge_is_noted_as_a_heuristic() -> None:
    made = plan(judges=("offline/lexical", "test/judge"))

    session = Recorder(settings(), made, Store.empty()).session

    assert [judge.heuristic for judge in session.panel] == [True, False]


def test_cells_outside_the_edition_are_noted_as_such() -> None:
    made = plan(system_variants=("neutral",))

    session = Recorder(settings(), made, Store.empty()).session

    assert [cell.official for cell in session.cells] == [True] * 15 + [False] * 15


def test_a_record_is_in_the_store_when_it_was_taken() -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec)
    store = Store.empty()

    id = Recorder(settings(), made, store).session_id
    store.add_all([record(key, spec, said, failures=(failure(),))], id)

    assert store.transcript_body(key) == said


def test_a_trial_lost_with_its_process_is_noted_with_an_unknown_cost() -> None:
    made = plan()
    key, spec = one(made)
    store = Store.empty()

    store.add_all([lost_record(key, spec, "worker gw0 died")], Recorder(settings(), made, store).session_id)

    (row,) = store.failure_rows([spec.script.digest])
    assert (row.kind, row.message, row.cost_usd) == ("crashed", "worker gw0 died", None)


def test_at_the_end_leaderboard_and_session_are_written(tmp_path: Path) -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec)
    store = Store.empty()
    recorder = Recorder(settings(reports=tmp_path / "out"), made, store)
    store.add_all([record(key, spec, said, (verdict(spec, made.panel[0], said),))], recorder.session_id)
    recorder.add_case(result())

    shown = recorder.finish(0, Pace())

    assert shown.leaderboard is not None
    assert [row.measured for row in shown.leaderboard.models] == [1]
    names = ("LEADERBOARD.md", "leaderboard.json", "session.json", f"history/{recorder.session.id}.json")
    assert all((tmp_path / "out" / name).is_file() for name in names)
    written = json.loads((tmp_path / "out" / "session.json").read_text())
    assert (written["session"], written["exit_status"], written["totals"]["cases"]) == (recorder.session.id, 0, 1)


def test_a_repeated_case_keeps_its_newest_result(tmp_path: Path) -> None:
    recorder = Recorder(settings(reports=tmp_path), plan(), Store.empty())
    recorder.add_case(result("n", "not measured"))
    recorder.add_case(result("n", "held"))
    recorder.add_case(result("m", "yielded"))

    recorder.finish(1, Pace())

    cases = json.loads((tmp_path / "session.json").read_text())["cases"]
    assert [(case["node_id"], case["outcome"]) for case in cases] == [("m", "yielded"), ("n", "held")]


def test_a_folder_that_cannot_be_written_is_told_by_name_and_the_store_keeps_everything(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    made = plan()
    key, spec = one(made)
    store = Store.empty()
    recorder = Recorder(settings(reports=tmp_path / "blocked"), made, store)
    store.add_all([record(key, spec, transcript(spec))], recorder.session_id)

    with pytest.raises(BadInput, match=r"blocked: cannot be written \(.*\); name another folder with --reports"):
        recorder.finish(0, Pace())

    assert key in store.transcripts([key])


def test_no_key_gets_into_the_store(tmp_path: Path) -> None:
    file = tmp_path / "s.sqlite"
    store = Store.open(file)
    secret = "sk-0123456789abcdef"

    Recorder(settings(environment={"MY_KEY": secret}, endpoint_key_env="MY_KEY"), plan(), store)

    store.close()
    assert secret.encode() not in file.read_bytes()


def test_where_a_report_cannot_be_computed_the_sessions_own_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Presented:
        raise BadInput("something cannot be read")

    monkeypatch.setattr(reported_kind("index"), "presented", refuse)
    with pytest.raises(BadInput, match="cannot be read"):
        Recorder(settings(reports=tmp_path / "out"), plan(), Store.empty()).finish(0, Pace())
    assert (tmp_path / "out" / "session.json").exists()
    assert not (tmp_path / "out" / "LEADERBOARD.md").exists()
