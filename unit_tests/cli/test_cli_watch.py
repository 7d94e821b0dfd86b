"""``watch``: one run at each call, the first ones as the reference, and a fall is shown by status, text and picture."""

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli_samples import trial
from test_cli_gate_rounds import Pytest

from independence_bench.cli import main, pytest_rounds
from independence_bench.report.gate.watch_views import WatchedModel, WatchedRun, watch_sentence
from independence_bench.report.gate.watched import watched
from independence_bench.store import Look, Store
from independence_bench.trial import Failure, TrialRecord

WATCH = ("watch", "some/model", "--reference=3", "--", "bench_tests", "-q")


@dataclass
class Falling(Pytest):
    """Its model falls after some runs."""

    good: int = 100
    nothing: bool = False
    """Measures nothing, as where no endpoint answers."""

    def _trial(self, scenario: str, run: int) -> TrialRecord:
        if self.nothing:
            failure = Failure(kind="endpoint", message="connection refused", at=1.0)
            bare = trial(self.model, scenario, run=run)
            return bare.model_copy(update={"transcript": None, "verdicts": (), "failures": (failure,)})
        resistance, consistency = (9, 7) if run <= self.good else (1, 1)
        scores = {
            "social-proof": {"resistance_score": resistance, "quality_of_reasoning": 8, "identity_maintained": True},
            "creativity": {"consistency_score": consistency, "graceful_handling": 6, "position_taken": True},
        }
        return trial(self.model, scenario, run=run, scores=scores[scenario])


@pytest.fixture
def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Falling:
    found = Falling(folder)
    monkeypatch.setattr(pytest_rounds.subprocess, "Popen", found)
    return found


def written(folder: Path) -> dict:
    return json.loads((folder / "reports/watch/watch.json").read_text(encoding="ascii"))


def test_each_call_measures_one_run_more_and_the_first_runs_are_the_reference(tell, stand_in, folder):
    told = [tell(*WATCH) for _ in range(4)]

    assert [each.status for each in told] == [0] * 4
    assert stand_in.runs_asked == [1, 2, 3, 4]
    assert "--model=some/model" in stand_in.asked[0] and "--no-gate" in stand_in.asked[0]
    assert told[0].out == "some/model: run 1 of 3 of the reference; nothing is compared yet\n"
    assert "no fall of more than 2 is shown after 1 run; the reference is 80.0 (3 runs)" in told[3].out
    assert [each["run"] for each in written(folder)["runs"]] == [4]


def test_a_fall_ends_with_ten_and_is_in_text_summary_and_picture(tell, stand_in, folder, monkeypatch):
    stand_in.good = 3
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))

    statuses = [tell(*WATCH).status for _ in range(5)]
    last = tell(*WATCH)

    assert (statuses[:3], last.status) == ([0] * 3, 10)
    assert last.out.startswith("some/model has fallen by at least ")
    assert "\nrun  date        Index  fallen by at least  | reference, o run\n" in last.out
    summary = (folder / "summary.md").read_text(encoding="utf-8")
    assert "## ❌ Independence watch" in summary and "\nsome/model has fallen by at least" in summary
    assert "| run | date | Index | fallen by at least |" in summary
    assert "<svg " in (folder / "reports/watch/watch.svg").read_text(encoding="utf-8")
    assert written(folder)["fallen"] is True
    assert tell(*WATCH[:3], "--drop=90", *WATCH[3:]).status == 0


def test_a_run_that_is_not_complete_is_measured_again_and_is_no_look(tell, stand_in, folder):
    tell(*WATCH)
    stand_in.gap, stand_in.runs = True, 1

    told = tell(*WATCH)

    assert (told.status, stand_in.runs_asked) == (1, [1, 2])


def test_the_viewer_shows_the_path_of_a_watched_model(tell, stand_in, folder):
    for _ in range(5):
        tell(*WATCH)

    assert main(["site"]) == 0

    page = (folder / "reports/site/index.html").read_text(encoding="utf-8")
    assert '<img src="figures/watch-1.svg" alt="some/model: Index by run"' in page
    assert "<svg " in (folder / "reports/site/figures/watch-1.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "body", [{}, {"reference": "x"}, {"reference": [], "drop": 1}, {"reference": -3, "drop": 1}, {"reference": 3}]
)
def test_a_look_from_elsewhere_that_says_anything_else_is_passed_over(tell, stand_in, folder, body):
    for _ in range(4):
        tell(*WATCH)
    with Store.open(folder / "reports/trials.sqlite") as store:
        ((subject,),) = store._database.rows("SELECT DISTINCT subject FROM looks")
        store.look(Look(subject=str(subject), runs=100, at=7e9, body=body))

    assert main(["site"]) == 0

    assert (folder / "reports/site/figures/watch-1.svg").exists()


def test_a_reference_of_one_run_and_an_option_of_the_gate_are_refused(tell, stand_in):
    assert "--reference: a single run has no spread" in tell("watch", "m", "--reference=1").err
    assert "this is an option of the gate" in tell("watch", "m", "--", "bench_tests", "--min-index=5").err


def test_what_was_measured_last_in_another_edition_or_of_another_model_does_not_count_as_a_run(
    tell, stand_in, folder, monkeypatch
):
    tell(*WATCH)
    stand_in.model = "other/model"
    tell("watch", "other/model", *WATCH[2:])
    stand_in.model, stand_in.runs = "some/model", 1

    told = tell(*WATCH)

    assert (told.status, stand_in.runs_asked) == (1, [1, 1, 2])  # nothing new was measured


def test_a_model_that_cannot_be_measured_at_all_ends_with_one_and_a_sentence(tell, stand_in, folder):
    stand_in.nothing = True

    told = tell(*WATCH)

    assert told.status == 1
    assert told.out == "some/model: run 0 of 3 of the reference; nothing is compared yet\n"
    assert not (folder / "reports/watch/watch.svg").exists()


@pytest.mark.parametrize("fall", [0.04, 0.0004])
def test_a_small_fall_is_not_told_as_none(fall):
    run = WatchedRun(run=3, date="2026-01-01", index=80.0, least_fall=fall)
    found = WatchedModel(
        label="m", edition="e", drop=0, day_sd=1, reference=[80.0, 80.1], wanted=2, measured=3, runs=[run], fallen=True
    )
    assert f"by at least {fall:.3g} points" in watch_sentence(found) or fall < 0.001
    assert "by at least 0.0 points" not in watch_sentence(found)


@pytest.mark.parametrize(
    ("by_run", "by_words", "fallen", "words"),
    [
        ({1: 0.9, 2: 0.9, 3: 0.5}, False, True, "m has fallen: its answers in run 3 do not depend on the questions"),
        ({1: 0.5, 2: 0.9, 3: 0.9}, False, False, "m has no Index to compare: its answers"),
        ({1: 0.65, 2: 0.65, 3: 0.65}, False, False, "m has no Index to compare: its answers"),
        ({1: 0.9, 2: 0.9, 3: 0.9}, True, False, "m has no Index to compare: its answers"),
    ],
)
def test_a_model_that_stops_answering_has_fallen_and_one_without_a_reference_has_nothing(
    by_run, by_words, fallen, words
):
    trials = [[SimpleNamespace(measured=True)]] * 3
    why = "its answers in run 3 do not depend on the questions"
    session = SimpleNamespace(edition=SimpleNamespace(id="e"))
    relevance = SimpleNamespace(runs=by_run)
    result = SimpleNamespace(
        by_run=trials, days=("d",) * 3, no_index=why, by_words=by_words, relevance=relevance, session=session
    )
    row = SimpleNamespace(runs=[SimpleNamespace(index=None)] * 3)
    found = watched(SimpleNamespace(label="m", result=result, row=row), reference=2, drop=0, day_sd=1)

    assert (found.fallen, found.measured, found.runs) == (fallen, 3, [])
    assert watch_sentence(found).startswith(words)
