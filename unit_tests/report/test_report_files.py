"""Report files: whole or not at all, ASCII JSON that survives any text, and no file name out of a text."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest
from report_samples import World, board_of, presented_leaderboard, session_of

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.pace import Pace
from independence_bench.report import files as files_module
from independence_bench.report.analysis.session_report import SessionReport
from independence_bench.report.files import write_reports, write_whole
from independence_bench.report.presented import Presented
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.model_pages import model_pages


def case(node_id: str = "t.py::t[a]", outcome: str = "held", **more: object) -> CaseResult:
    return CaseResult.model_validate(
        {
            "node_id": node_id,
            "case_id": "a-r1-who",
            "label": "a",
            "scenario": "who",
            "run": 1,
            "system_variant": "strong",
            "delivery_mode": "tool_role",
            "outcome": outcome,
        }
        | more
    )


def report_of(*cases: CaseResult, id: str = "s1") -> SessionReport:
    return SessionReport.of(session_of(id), cases, 1060.0, 1, None, Pace())


def shown_of(world: World) -> Presented:
    return presented_leaderboard(board_of(world), world.session.edition)


@pytest.fixture
def world() -> World:
    world = World()
    world.run("a")
    return world


def test_a_session_writes_four_files_and_names_them(tmp_path, world):
    written = write_reports(tmp_path / "reports", shown_of(world), report_of(case()))
    assert [str(path.relative_to(tmp_path / "reports")) for path in written] == [
        "LEADERBOARD.md",
        "leaderboard.json",
        "session.json",
        "history/s1.json",
    ]
    assert (tmp_path / "reports/session.json").read_bytes() == (tmp_path / "reports/history/s1.json").read_bytes()
    (page,) = model_pages(board_of(world))
    assert (tmp_path / "reports" / page).is_file()
    assert sorted(path.name for path in (tmp_path / "reports").rglob("*") if path.is_file()) == [
        "LEADERBOARD.md",
        Path(page).name,
        "leaderboard.json",
        "s1.json",
        "session.json",
    ]


def test_pages_of_models_that_are_gone_go_and_a_users_own_files_stay(tmp_path, world):
    write_reports(tmp_path, shown_of(world))
    (page,) = (tmp_path / "models").iterdir()
    before = page.stat().st_mtime_ns
    (tmp_path / "models" / "gone-0123abcd.md").touch()
    (tmp_path / "models" / "README.md").touch()
    write_reports(tmp_path, shown_of(world))
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == ["README.md", page.name]
    assert page.stat().st_mtime_ns == before, "an equal page is not written again"


def test_a_report_alone_leaves_the_last_session_as_it_was(tmp_path, world):
    write_reports(tmp_path, shown_of(world), report_of(case()))
    before = (tmp_path / "session.json").read_bytes()
    assert len(write_reports(tmp_path, shown_of(world))) == 2
    assert (tmp_path / "session.json").read_bytes() == before


def test_leaderboard_json_has_the_shape_that_is_promised(tmp_path, world):
    world.failure("b", "who", "refused \ud800")
    write_reports(tmp_path, shown_of(world))
    text = (tmp_path / "leaderboard.json").read_text("ascii")
    data = json.loads(text)
    assert list(data)[:2] == ["schema", "edition"]
    assert (data["schema"], data["edition"], data["judges"]) == (1, "small", ["judge/one"])
    first, second = data["models"]
    assert first["runs"] == [{"run": 1, "index": pytest.approx(95), "bounds": None}]
    assert (second["rank_interval"], second["index"], second["bounds"]) == (None, None, [0.0, 100.0])
    assert second["missing"][0] == {
        "scenario": "who",
        "run": 1,
        "reason": "refused \\ud800",
        "system_variant": "strong",
        "delivery_mode": "tool_role",
    }


def test_session_json_lists_the_cases_by_node_id_with_totals(tmp_path):
    report = report_of(
        case("t.py::t[b]", "yielded", scores={"resistance": 3}, reason="resistance 3", cost_usd=0.5, seconds=1.5),
        case("t.py::t[a]"),
        case("t.py::t[c]", "not measured", reason="lone \ud800 surrogate"),
    )
    files_module.write_whole(tmp_path / "session.json", json_text(report, "cases"))
    data = json.loads((tmp_path / "session.json").read_text("ascii"))
    assert [each["node_id"] for each in data["cases"]] == ["t.py::t[a]", "t.py::t[b]", "t.py::t[c]"]
    assert data["totals"] == {
        "cases": 3,
        "outcomes": {"held": 1, "yielded": 1, "measured": 0, "not measured": 1, "skipped": 0},
        "cost_usd": 0.5,
    }
    assert (data["schema"], data["session"], data["exit_status"]) == (1, "s1", 1)
    assert (data["started_at"], data["ended_at"]) == ("1970-01-01T00:16:40Z", "1970-01-01T00:17:40Z")
    assert data["cases"][2]["reason"] == "lone \ud800 surrogate"
    assert SessionReport.model_validate_json(json_text(report_of(), "cases")) == report_of()


def test_one_unknown_cost_makes_the_total_unknown():
    assert report_of(case(), case(cost_usd=None)).totals.cost_usd is None
    assert report_of().totals.cost_usd == 0


@pytest.mark.parametrize("id", ["../../etc/passwd", "", ".hidden", "a/b", "a\x00b", "x" * 300])
def test_a_session_id_that_is_no_file_name_writes_nothing(tmp_path, world, id):
    with pytest.raises(ValueError, match="cannot name a file"):
        write_reports(tmp_path, shown_of(world), report_of(case(), id=id))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path, world):
    (tmp_path / "reports").touch()
    with pytest.raises(BadInput, match=r"reports: cannot be written \(.*\); name another folder with --reports"):
        write_reports(tmp_path / "reports", shown_of(world))


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(tmp_path, monkeypatch):
    path = tmp_path / "leaderboard.json"
    write_whole(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["leaderboard.json"]


def test_pages_beside_the_board_are_not_flushed_to_the_disk_and_an_empty_one_is_written_again(
    tmp_path, world, monkeypatch
):
    flushed = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    shown = shown_of(world)
    write_reports(tmp_path, shown)
    assert len(flushed) == len(shown.files())
    page = next(iter(shown.beside()))
    (tmp_path / page).write_text("")
    write_reports(tmp_path, shown)
    assert (tmp_path / page).read_text() == shown.beside()[page]


def test_files_have_the_rights_that_the_umask_leaves(tmp_path):
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "a", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


def test_a_reader_never_sees_half_a_file(tmp_path):
    path = tmp_path / "leaderboard.json"
    texts = ["a" * 200_000, "b" * 200_000]
    write_whole(path, texts[0])
    seen: set[bool] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(path.read_text() in texts)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(20):
        write_whole(path, texts[number % 2])
    done.set()
    reader.join()
    assert seen == {True}
