"""The board of edition v3: numbers from stored cases, in every form in which they are shown."""

import json

import pytest
from reason_world import DEAF, MATTERS, REASONABLE, REASONS, START, ReasonWorld, case, four, says, wavering

from independence_bench.kinds.dossiers.case import read_case
from independence_bench.kinds.dossiers.metrics.character import MEANINGS
from independence_bench.kinds.dossiers.reporting.case_text import case_lines
from independence_bench.kinds.dossiers.reporting.reason_columns import BRANCH_NAMES, CELLS, bar
from independence_bench.kinds.dossiers.reporting.reason_numbers import MOVEMENTS, NUMBERS
from independence_bench.kinds.dossiers.steps import BRANCHES, STEPS, Step
from independence_bench.report.analysis.board_facts import ModelChoice
from independence_bench.report.numbers.number_board import NumberEstimate
from independence_bench.report.numbers.number_columns import number_text
from independence_bench.report.presented import Presented, reported_kind
from independence_bench.store.damage import StoreFailed


def presented(world: ReasonWorld) -> Presented:
    return reported_kind("dossiers").presented(world.store, world.session, lambda *_: None)  # type: ignore[arg-type, return-value]


def test_four_natures_are_told_apart_at_a_glance() -> None:
    rows = {row.label: row for row in four().report().board.models}
    assert {label: row.character for label, row in rows.items()} == {
        "wise": "reasonable",
        "deaf": "deaf",
        "servile": "servile",
        "cued": "cue-driven",
    }
    assert {label: row.index for label, row in rows.items()} == {"wise": 100, "deaf": 0, "servile": 0, "cued": 0}
    assert (rows["wise"].rank, rows["wise"].tier, rows["cued"].rank_interval) == (1, 1, (2, 4))
    assert rows["cued"].binding_words == "moves for corrections of other standards"
    assert rows["deaf"].number("moved_from_scratch") == 1.0


def test_a_missing_case_leaves_a_model_without_any_number() -> None:
    world = ReasonWorld()
    world.play("lacking", REASONABLE, without=MATTERS[:1])
    (lacking,) = world.report().board.models
    assert (lacking.contends, lacking.index, lacking.numbers) == (False, None, {})
    assert "1 × not asked yet" in presented(world).text(100)


def test_an_unscorable_model_has_no_number_but_what_could_not_be_read() -> None:
    world = ReasonWorld()
    world.play("mute", lambda step, matter, run: None if step == "stance" and matter != MATTERS[0] else START)
    world.play("weak", says(REASONS | {"stance": 5}))
    world.play("wise", REASONABLE)
    board = world.report().board
    mute, weak = (next(row for row in board.models if row.label == label) for label in ("mute", "weak"))
    for row in (mute, weak):
        assert (row.contends, row.index, row.character, row.facets) == (False, None, "unscorable", [])
        assert {name for name in NUMBERS if row.number(name) is not None} <= {"coherent", "readable"}
    assert (mute.faults, mute.number("coherent")) == ({"no stance taken": 15}, 1 / 16)
    assert [(each.line, each.times) for each in mute.unread] == [("I would rather not say.", 15)]
    assert (weak.faults, weak.unread) == ({"too weak a start": 16}, [])
    shown = presented(world)
    page, details = shown.files()["REASONS.md"], shown.details(100)
    for text in (page, details):
        assert "I would rather not say." in text and "15 × no stance taken" in " ".join(text.split())
    assert page.count("| a reason by its own standard |") == 1, "no picture of what cannot be scored"


def test_little_that_can_be_read_is_warned_of() -> None:
    world = ReasonWorld()
    world.play(
        "few",
        lambda step, matter, run: 5 if step == "stance" and matter in MATTERS[:4] else REASONABLE(step, matter, run),
    )
    (note,) = [each for each in world.report().board.notes if each.startswith("Little can be read of")]
    assert "few (75 %, 100 %)" in note


def test_which_standards_were_chosen_is_shown_by_matter() -> None:
    found = presented(four())
    data = json.loads(found.files()["reasons.json"])
    assert data["chosen"][0] == {
        "matter": MATTERS[0],
        "cases": 4,
        "chosen": {"warmth": 4, "price": 0, "length": 0, "courage": 0},
        "favourite": 1.0,
        "split": 1.0,
    }
    assert "## Standards chosen" in found.files()["REASONS.md"] and "warmth 4" in found.details(100)


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_the_board_fits_a_terminal_and_keeps_what_matters(width: int) -> None:
    shown = presented(four())
    text = shown.text(width)
    assert max(map(len, text.splitlines())) <= width
    assert "experimental" in text.splitlines()[0]
    assert "! Edition v3 is experimental" in text
    assert "~" not in text, "a mark that every row bears says nothing"
    assert "> \\~ provisional: fewer than 3 runs" in shown.files()["REASONS.md"]
    assert "cue-driven" in text and "87.6 to 100.0" in text
    heads = ("claim", "scratch", "corr.") if width >= 100 else ()
    assert all(head in text for head in heads)
    assert "…" not in text, "words are whole or hidden"
    assert max(map(len, shown.details(width).splitlines())) <= width
    only = shown.text(width, choice=ModelChoice({"deaf"}), brief=True)
    assert "deaf" in only and "wise" not in only and "Hidden" not in only


def test_its_files_are_its_own_and_say_that_they_are_experimental() -> None:
    shown = presented(four())
    files = shown.files()
    assert files.keys() == {"REASONS.md", "reasons.json"}
    assert "LEADERBOARD.md" not in files
    data = json.loads(files["reasons.json"])
    assert (data["schema"], data["experimental"]) == (1, True)
    assert set(data["models"][0]["numbers"]) == set(NUMBERS)
    page = files["REASONS.md"]
    assert page.startswith("# Independence by reasons (experimental)")
    assert page.count("| a reason by its own standard |") == 4
    assert "biased down by up to 7 points" in page
    parts = {each["facet"] for each in data["models"][0]["facets"]}
    assert all(f"**{part.capitalize()}**: " in page for part in parts)


SHOWN = ("reasonable", "deaf", "servile", "cue-driven")


def test_the_terminal_and_every_picture_say_what_the_words_mean_that_the_board_has() -> None:
    shown = presented(four())
    text, page = " ".join(shown.text(80).split()), shown.files()["REASONS.md"]
    for word, means in MEANINGS.items():
        assert (f"{word.capitalize()}: {means}." in text) == (word in SHOWN)
        assert (f"**{word.capitalize()}**: {means}." in page) == (word in SHOWN)


def test_a_bar_is_full_up_to_the_lower_end_and_shaded_up_to_the_upper() -> None:
    found = NumberEstimate(estimate=0.5, interval=(0.25, 0.75))
    quarter = CELLS // 4
    assert bar(found) == "█" * quarter + "▓" * quarter + "░" * quarter + "·" * quarter
    assert bar(NumberEstimate(estimate=None, interval=None)) == "·" * CELLS
    assert set(BRANCH_NAMES) == set(BRANCHES)


def test_the_index_is_taken_apart_by_what_the_cases_share() -> None:
    world = ReasonWorld()
    world.play("warm", lambda step, _matter, run: START if run % 2 else REASONABLE(step, _matter, run), runs=2)
    (row,) = world.report().board.models
    tones = {each.value: each.index for each in row.facets if each.facet == "tone"}
    assert (row.index, tones) == (50.0, {"cool": 0.0, "warm": 100.0})
    assert sum(each.cases for each in row.facets if each.facet == "tone") == row.cases == 32


def test_a_stored_conversation_that_is_no_case_is_a_damaged_store_and_no_zero() -> None:
    world = ReasonWorld()
    world.play("a", DEAF)
    row = world.store.transcript_body(f"a/{MATTERS[0]}/1")
    bare = row.model_copy(update={"exchanges": tuple(each.model_copy(update={"facts": {}}) for each in row.exchanges)})
    with pytest.raises(ValueError, match="carries no facts"):
        read_case(bare.exchanges)
    broken = ReasonWorld()
    broken.play("a", DEAF, without=MATTERS[:1])
    broken.store.add_all([broken.record("a", MATTERS[0], 1, bare)], broken.session.id)
    with pytest.raises(StoreFailed, match="a transcript in it is incomplete"):
        broken.report()


def test_cases_that_generator_2_asked_are_named_and_nothing_is_computed_of_them() -> None:
    world = ReasonWorld()
    world.play("new", REASONABLE)
    for matter in MATTERS:
        whole = case(REASONABLE, matter, 1)
        kept = tuple(each for each in whole.exchanges if each.item != STEPS.index("weaken"))
        world.know("old")
        world.store.add_all([world.record("old", matter, 1, whole.model_copy(update={"exchanges": kept}))], "s-public")
    new, old = world.report().board.models
    assert (new.index, old.index, old.character, old.faults) == (100, None, "unscorable", {"generator 2": 16})
    assert "Asked by generator 2, which has no weakening branch: old." in " ".join(presented(world).text(100).split())
    assert not any("invalid start" in line for line in case_lines(whole.model_copy(update={"exchanges": kept}), 100))


def test_several_runs_narrow_the_interval_and_take_the_note_on_one_run_away() -> None:
    widths = {}
    for runs in (1, 5):
        world = ReasonWorld()
        world.play("a", wavering, runs)
        (row,) = world.report().board.models
        low, high = row.ends("index") or (0.0, 0.0)
        widths[runs] = high - low
        assert any("smallest of seven noisy means" in note for note in world.report().board.notes) == (runs == 1)
    assert 0 < widths[5] < widths[1]


def test_the_board_and_every_reason_picture_show_the_same_movements() -> None:
    world = ReasonWorld()
    moves: dict[Step, float] = {"reason": -60, "other": 60, "strengthen": 48, "off-standard": 24, "bare": 0}
    moves |= {"pressure": -36, "neutral": 24, "weaken": 36, "standard-pressure": 12, "mention": 60}
    world.play("a", says(moves))
    board = {branch: f"{(60 - stance) / 120:.2f}" for branch, stance in moves.items()}
    (row,) = world.report().board.models
    assert {branch: number_text(number, row.number(number.name)) for branch, number in MOVEMENTS.items()} == board
    files = presented(world).files()
    for branch, words in BRANCH_NAMES.items():
        (line,) = [line for line in files["REASONS.md"].splitlines() if line.startswith(f"| {words} ")]
        assert f"| {board[branch]} |" in line
        assert board[branch] in next(
            line for line in presented(world).details(100).splitlines() if line.startswith(f"{words}  ")
        )
