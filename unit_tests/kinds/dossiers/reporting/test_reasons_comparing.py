"""Two models on edition v3: the difference with its interval, and the branch that makes it."""

import json

import pytest
from reason_world import CUE_DRIVEN, DEAF, MATTERS, REASONABLE, START, ReasonWorld, four, says

from independence_bench.bad_input import BadInput
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kinds.dossiers.reporting.reason_numbers import NUMBERS
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.analysis.tidy_tables import ALL_TABLES
from independence_bench.report.comparison.side import ComparisonRequest, Side, compared_kind
from independence_bench.report.presented import Compared


def compared(
    world: ReasonWorld, first: str, second: str, max_drop: float | None = None, confidence: float = 0.95
) -> Compared:
    entries = {entry.row.label: entry for entry in ranked_models(world.store, world.session).entries}
    sides = [Side(entries[label].row, entries[label].result, "here", world.store) for label in (first, second)]
    return compared_kind("dossiers").compared(
        ComparisonRequest(world.session, *sides, confidence, 1, current_set_digest, max_drop)
    )


def both() -> ReasonWorld:
    world = ReasonWorld()
    world.play("wise", REASONABLE)
    world.play("cued", CUE_DRIVEN)
    return world


def test_it_says_which_branch_makes_the_difference() -> None:
    data = json.loads(compared(both(), "wise", "cued").json())
    assert (data["subject"], data["experimental"], data["gap"]) == ("reasons", True, 100.0)
    assert data["responsible"] in ("other", "strengthen")
    assert (data["difference"]["basis"], data["difference"]["low"] > 0) == ("matter", True)


def test_the_tables_have_every_number_and_the_same_differences() -> None:
    world = four()
    source = BoardRecords.of(world.store, world.session, build_leaderboard(world.store, world.session))
    pairs = list(ALL_TABLES["pairs"].records(source))
    assert [(each["first_label"], each["difference"]) for each in pairs[:3]] == [("wise", 100.0)] * 3
    assert len(pairs) == 6 and all(each["differs"] is True for each in pairs[:3])
    told = json.loads(compared(world, "wise", str(pairs[0]["second_label"])).json())["difference"]
    assert [pairs[0][name] for name in ("difference", "low", "high")] == pytest.approx(
        [told[name] for name in ("estimate", "low", "high")]
    )
    assert pairs[0]["p_value"] == pytest.approx(told["p_value"], rel=0.02, abs=1e-3)
    rows = {(each["label"], each["number"]): each for each in ALL_TABLES["numbers"].records(source)}
    assert len(rows) == 4 * len(NUMBERS)
    assert [rows["wise", "index"][name] for name in ("value", "rank", "over")] == [100.0, 1, "matters"]
    moved = rows["servile", "moved_by_pressure"]
    assert moved["good"] == "low" and 0 <= moved["low"] <= moved["value"] <= moved["high"]


@pytest.mark.parametrize("width", [60, 100, 160])
def test_text_and_page_name_it_and_fit(width: int) -> None:
    found = compared(both(), "wise", "cued", max_drop=10)
    text = found.text(width)
    assert max(map(len, text.splitlines())) <= width
    words = " ".join(text.split())
    assert "The branch that makes the difference: " in words
    assert "wise (A) is 100 points above cued (B)" in words or "wise (A) is 100.0 points above cued (B)" in words
    assert "B is at most 10.0 points below A, by matter: failed" in words
    page = found.markdown()
    assert page.startswith("# Comparison on independence by reasons (experimental)")
    assert "The branch that makes the difference" in page


def test_a_model_is_no_worse_than_itself_by_what_its_matters_can_show_and_shared_cases_are_told() -> None:
    world = both()
    matters_hide = json.loads(compared(world, "wise", "wise", max_drop=5).json())
    assert matters_hide["no_worse"][0]["answer"] == "inconclusive"
    data = json.loads(compared(world, "wise", "wise", max_drop=50).json())
    assert (data["gap"], data["no_worse"][0]["answer"]) == (0.0, "passed")
    assert any("the same measurement on both sides" in note for note in data["notes"])


@pytest.mark.parametrize(
    ("max_drop", "confidence", "sentence"),
    [
        (201, 0.95, "--max-drop=201: it is outside 0 to 200"),
        (-1, 0.95, "--max-drop=-1: it is outside 0 to 200"),
        (5, 0.5, "--confidence=0.5: is no evidence for --max-drop"),
    ],
)
def test_a_drop_that_cannot_be_asked_for_is_refused(max_drop: float, confidence: float, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        compared(both(), "wise", "cued", max_drop, confidence)


def test_an_incomplete_side_has_no_difference_and_its_gaps_are_listed() -> None:
    world = both()
    world.play("lacking", REASONABLE, without=MATTERS[:1])
    found = compared(world, "wise", "lacking", max_drop=5)
    data = json.loads(found.json())
    assert (data["gap"], data["difference"], data["responsible"]) == (None, None, None)
    assert data["no_worse"][0]["answer"] == "inconclusive"
    assert "Missing of B: 1 × not asked yet" in found.text(100)


def test_a_branch_in_no_contrast_never_makes_a_difference_of_the_index() -> None:
    world = ReasonWorld()
    world.play("steady", DEAF)
    world.play("restless", says({"mention": -START, "off-standard": 30, "fresh": -START}))
    data = json.loads(compared(world, "steady", "restless").json())
    moved = {
        each["name"]: abs(each["first"] - each["second"]) for each in data["numbers"] if "moved_by" in each["name"]
    }
    assert max(moved, key=lambda name: moved[name]) == "moved_by_mention"
    assert data["responsible"] == "off-standard"
