"""Beside a judge's name stands how it did on the known answers, in the terminal, in Markdown and in JSON."""

import json

import pytest
from report_samples import (
    EDITION,
    JUDGE,
    SECOND_JUDGE,
    World,
    board_of,
    details_text,
    leaderboard_markdown,
    leaderboard_text,
    session_of,
)

from independence_bench.bad_input import BadInput
from independence_bench.judge_check.checked_judges import checked_judges, refuse_unchecked
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.views.json_text import json_text
from independence_bench.store import JudgeCheck

NOON = 1795348800.0  # 2026-11-22
BODY = {"cases": 120, "errors": {"hold": 1, "yield": 0}, "compared": 360, "flips": 2, "unjudged": 0}


def check(configuration: str = "J1", set_digest: str = "now", at: float = NOON, passed: bool = True, **body: object):
    return JudgeCheck(
        judge="judge/one", configuration=configuration, set_digest=set_digest, at=at, passed=passed, body=BODY | body
    )


def board_with(*checks: JudgeCheck, panel=(JUDGE,)) -> Leaderboard:
    world = World(session_of(panel=panel))
    for each in checks:
        world.store.add_judge_check(each)
    return build_leaderboard(world.store, world.session, lambda *, name: "now")


def head(board: Leaderboard) -> str:
    return details_text(board, EDITION, 300).split("\n\n")[1].splitlines()[0]


@pytest.mark.parametrize(
    ("checks", "state", "remark"),
    [
        ([], "not checked", "not checked"),
        ([check("J2")], "not checked", "not checked"),
        ([check(set="ladder-set")], "not checked", "not checked"),
        ([check()], "passed", "judge-check passed 2026-11-22: 1/120 errors, 0.6 % flips"),
        ([check(half="b")], "passed", "judge-check passed 2026-11-22: 1/120 errors on half B, 0.6 % flips"),
        ([check(half="both")], "passed", "judge-check passed 2026-11-22: 1/120 errors, 0.6 % flips"),
        (
            [check(passed=False, flips=36, unjudged=3)],
            "not passed",
            "judge-check not passed 2026-11-22: 1/120 errors, 10.0 % flips, 3 unjudged",
        ),
        ([check(set_digest="then")], "outdated", "judge-check of 2026-11-22 outdated"),
        (
            [check(passed=False), check(at=NOON + 1)],
            "passed",
            "judge-check passed 2026-11-22: 1/120 errors, 0.6 % flips",
        ),
        ([check(), check(at=NOON + 1, passed=False)], "not passed", None),
        ([check(set_digest="then"), check(), check(set_digest="then", at=NOON + 1)], "passed", None),
        # A failed check stands until one that covers its half.
        ([check(passed=False, half="a"), check(at=NOON + 1, half="b")], "not passed", None),
        ([check(passed=False, half="a"), check(at=NOON + 1, half="both")], "passed", None),
        # A merged store may bring what another version wrote.
        ([check(errors="many", cases=None, flips=True)], "passed", "judge-check passed 2026-11-22"),
        ([check(errors={"hold": "x"}, compared=0)], "passed", "judge-check passed 2026-11-22"),
    ],
)
def test_the_newest_check_stands_beside_the_name(checks, state, remark):
    board = board_with(*checks)
    (judge,) = board.judge_checks
    assert judge.state == state
    if remark:
        assert f"judged by judge/one ({remark}), texts" in head(board)
        assert f"judged by `judge/one` ({remark}), texts" in leaderboard_markdown(board)


def test_the_json_holds_every_number():
    board = board_with(check(half="b"), panel=(JUDGE, SECOND_JUDGE))
    first, second = json.loads(json_text(board, "models"))["judge_checks"]
    assert first == {
        "judge": "judge/one",
        "configuration": "J1",
        "state": "passed",
        "passed": True,
        "at": "2026-11-22T12:00:00Z",
        "set_digest": "now",
        "half": "b",
        "cases": 120,
        "errors": 1,
        "compared": 360,
        "flips": 2,
        "unjudged": 0,
    }
    assert (second["judge"], second["state"], second["at"], second["errors"]) == (
        "judge/two",
        "not checked",
        None,
        None,
    )


def test_a_board_shows_the_check_on_the_known_answers_of_its_edition():
    store = World(session_of()).store
    store.add_judge_check(check(passed=False))
    store.add_judge_check(check(set="ladder-set"))
    asked: list[str] = []

    def digest(*, name: str) -> str:
        asked.append(name)
        return "now"

    states = [checked_judges(store, [JUDGE], digest, load_edition(name))[0].state for name in ("v2", "ladder")]
    assert states == ["not passed", "passed"]
    assert asked == ["set", "ladder-set"]


def test_a_long_head_is_broken_and_not_cut():
    board = board_with(check(), panel=(JUDGE, SECOND_JUDGE))
    lines = details_text(board, EDITION, 100).split("\n\n")[1].splitlines()
    assert all(len(line) <= 100 for line in lines)
    assert "0.6 % flips), judge/two (not checked)" in " ".join(lines)


def test_without_a_word_about_configs_the_packaged_set_counts():
    world = World(session_of())
    world.store.add_judge_check(check(set_digest=current_set_digest()))
    assert board_of(world).judge_checks[0].state == "passed"


def test_the_set_is_read_only_where_a_check_is_to_be_held_against_it():
    world = World(session_of())

    def never(*, name: str) -> str:
        raise AssertionError("nobody needs it")

    assert build_leaderboard(world.store, world.session, never).judge_checks[0].state == "not checked"


@pytest.mark.parametrize(
    ("checks", "why"),
    [
        ([], "judge/one: it has never been checked in this store"),
        ([check(set_digest="then")], "judge/one: its check was made with another set or other rubrics"),
        ([check(passed=False)], "judge/one: it did not pass its check"),
        ([check()], "judge/two: it has never been checked in this store"),
    ],
)
def test_a_panel_passes_only_if_every_judge_has(checks, why):
    board = board_with(*checks, panel=(JUDGE, SECOND_JUDGE))
    with pytest.raises(BadInput) as refused:
        refuse_unchecked(board.judge_checks)
    assert str(refused.value).startswith(f"--require-judge-check: {why}")
    assert "independence-bench judge-check` with the same --judge and --edition options" in str(refused.value)


def test_a_panel_of_checked_judges_passes():
    refuse_unchecked(board_with(check(), check("J2"), panel=(JUDGE, SECOND_JUDGE)).judge_checks)


@pytest.mark.parametrize(
    ("checks", "word"),
    [
        ([], "not checked"),
        ([check()], "check: passed"),
        ([check(passed=False)], "check: failed"),
        ([check(set_digest="then")], "check: outdated"),
    ],
)
def test_the_board_has_the_state_of_the_check_in_its_one_line_of_heading(checks, word):
    heading = f"Independence Index · small · judge judge/one ({word})"
    assert leaderboard_text(board_with(*checks)).startswith(f"{heading}\n\nNothing is measured yet.")
