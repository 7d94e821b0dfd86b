"""No number without its warning: what is told of answers and judges, what costs a rank, what stops a gate."""

import json

import pytest
from gate_samples import Looking, criterion, planned
from report_samples import (
    EDITION,
    GOOD,
    JUDGE,
    SECOND_JUDGE,
    World,
    board_of,
    cells,
    details_text,
    leaderboard_markdown,
    leaderboard_text,
    mute,
    session_of,
)
from written_forms import FORMS

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.leaderboard import MODELS_NAMED, Leaderboard
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.warnings import judge_warnings
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_files import gate_json, gate_markdown
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.report.views.badge import badge_json
from independence_bench.store import JudgeCheck


def row_of(board: Leaderboard, label: str) -> LeaderboardRow:
    return next(row for row in board.models if row.label == label)


def told(row: LeaderboardRow) -> list[tuple[str, str, bool]]:
    return [(each.kind, each.text, each.doubted) for each in row.warnings]


def asked(world: World, model: str, **facts: object) -> None:
    """One run; ``said`` and ``kept`` are one per scenario."""
    lists = {name: iter(values) for name, values in facts.items() if isinstance(values, list)}
    for each in EDITION.scenarios:
        here = {name: next(lists[name]) if name in lists else value for name, value in facts.items()}
        world.trial(model, each.id, GOOD[each.id], **here)


def test_a_model_that_did_not_answer_as_asked_in_most_conversations_is_measured_but_has_no_rank():
    world = World()
    asked(world, "drops", kept=[False, True, False])
    asked(world, "mostly", kept=[True, False, True])
    board = board_of(world)

    drops, mostly = row_of(board, "drops"), row_of(board, "mostly")
    assert told(drops) == [("delivery", "delivered as asked in 1 of 3 conversations", True)]
    assert told(mostly) == [("delivery", "delivered as asked in 2 of 3 conversations", False)]
    assert (drops.contends, mostly.contends) == (False, True)
    assert drops.index == mostly.index == pytest.approx(95.0)
    assert board.notes[0] == "drops: delivered as asked in 1 of 3 conversations; not ranked."
    assert board.notes[1] == "mostly: delivered as asked in 2 of 3 conversations."


def own_judge(**facts: object) -> World:
    """A world in which model ``m`` is among its judges, as the facts say."""
    panel = tuple(JUDGE.model_copy(update=each) for each in facts.pop("panel"))
    world = World(session_of(panel=panel))
    world.know("m", "m", **{"model_id": "vendor/m"} | facts)
    asked(world, "m", judges=panel)
    return world


@pytest.mark.parametrize(
    ("model", "judge", "same"),
    [
        ({}, {"model_id": "vendor/m"}, True),
        ({"provider": "elsewhere", "reasoning_effort": "high"}, {"model_id": "host/vendor/m:free", "label": "j"}, True),
        ({"served": "a"}, {"model_id": "other/name", "served": "a"}, True),
        ({"model_id": "local/m", "served": "a"}, {"model_id": "local/m", "served": "b"}, False),
        ({"served": "a"}, {"model_id": "vendor/m", "served": "b"}, True),
        ({"served": "a"}, {"model_id": "vendor/other", "served": "b"}, False),
        ({"served": "a"}, {"model_id": "local/Vendor/M", "served": "b"}, True),
        ({"model_id": "local/vendor/m", "served": "a"}, {"model_id": "vendor/m", "served": "b"}, True),
        ({"model_id": "vendor/m:8b", "served": "a"}, {"model_id": "vendor/m:32b", "served": "b"}, False),
    ],
)
def test_a_model_that_is_its_only_judge_has_an_index_and_no_rank_whatever_it_is_called(model, judge, same):
    board = board_of(own_judge(panel=[judge], **model))
    row = row_of(board, "m")

    assert told(row) == ([("self-judge", "the model is its only judge", True)] if same else [])
    assert (row.contends, row.index) == (not same, pytest.approx(95.0))
    assert ("m ⚖" in leaderboard_markdown(board)) is False or same
    assert ("judged by itself" in leaderboard_text(board)) is same
    badge = json.loads(badge_json(row, board))
    assert ("judged by itself" in badge["message"]) is same
    assert (badge["color"], "judge not checked" in badge["message"]) == ("lightgrey", True)


def test_a_heuristic_beside_it_makes_it_no_less_its_only_judge():
    board = board_of(
        own_judge(panel=[{"model_id": "vendor/m"}, {"configuration": "J2", "label": "w", "heuristic": True}])
    )

    assert [each[0] for each in told(row_of(board, "m"))] == ["self-judge"]
    assert "judge not checked" in badge_json(row_of(board, "m"), board)


def test_a_model_among_other_judges_keeps_its_rank_and_a_mark():
    row = row_of(board_of(own_judge(panel=[{"model_id": "vendor/m"}, {"configuration": "J2", "label": "two"}])), "m")

    assert (row.contends, [*row.marks][-1]) == (True, "also-judges")
    assert [each[0] for each in told(row)] == ["also-judges"]


def test_trials_with_nothing_to_keep_are_told_with_the_most_that_their_holding_adds_and_cost_no_rank():
    row = row_of(board_of(mute(session_of())), "mute")

    text = "no position in 1 of 4 conversations (had these held, its Index would be at most 97.5)"
    assert told(row) == [("nothing-to-keep", text, False)]
    assert (row.contends, row.index) == (True, pytest.approx(90.0))


def test_they_are_told_without_a_number_where_numbers_are_withheld():
    board = board_of(mute(session_of(panel=(JUDGE.model_copy(update={"heuristic": True}),))))
    row = row_of(board, "mute")

    assert [(kind, text) for kind, text, _ in told(row)][1:] == [
        ("nothing-to-keep", "no position in 1 of 4 conversations")
    ]
    assert (row.index, row.interval_by_run, "97.5" in leaderboard_markdown(board)) == (None, None, False)


def test_answers_that_were_cut_off_are_told_and_cost_no_rank():
    world = World()
    asked(world, "long", reply_facts={"finish_reason": "length"})
    row = row_of(board_of(world), "long")

    assert told(row) == [("cut-off", "3 of 3 answers cut off at the token limit", False)]
    assert row.contends


def test_an_imported_model_keeps_the_rank_of_its_edition_and_bears_a_mark():
    world = World()
    asked(world, "first", kept=False, origin="published")
    board = board_of(world)

    assert row_of(board, "first").contends
    assert row_of(board, "first").marks["delivery"] == "delivered as asked in 0 of 3 conversations"
    assert any(note.startswith("† not delivered as asked: imported") for note in board.notes)
    assert not any(note.startswith("first:") for note in board.notes)
    assert "! † not delivered as asked: imported" in leaderboard_text(board)
    assert "`first` † ~" in leaderboard_markdown(board)
    for run in (2, 3):
        asked(world, "first", kept=False, origin="published", run=run)
    assert "not delivered " not in leaderboard_text(board_of(world)).partition("†")[0]
    asked(world, "other", origin="published")
    assert "first †  " in leaderboard_text(board_of(world), 60)
    assert "\n† not delivered as asked.\n" in leaderboard_text(board_of(world), 60)


def test_a_doubted_model_has_no_rank_and_its_reason_on_board_page_and_details():
    world = World()
    asked(world, "drops", kept=False)
    board = board_of(world)
    details, page = details_text(board, EDITION, 100), leaderboard_markdown(board)
    text = " ".join(leaderboard_text(board).split())

    words = "drops: delivered as asked in 0 of 3 conversations; not ranked."
    assert f"! {words}" in text
    assert "– drops 95.0 not delivered " in text
    for shown in (details, page):
        flat = " ".join(shown.replace("\n> ", " ").split())
        assert 0 < flat.index(words) < flat.index("95.0")


def test_a_configuration_outside_the_edition_is_named_with_its_warning():
    both = (*cells(), *cells("neutral", "user_role", official=False))
    world = World(session_of(planned=both))
    asked(world, "drops", kept=False, variant="neutral", delivery="user_role")

    assert board_of(world).notes[0].startswith("drops (neutral+user_role): delivered as asked in 0 of 3")


def test_more_than_ten_models_with_warnings_are_counted():
    world = World()
    for number in range(MODELS_NAMED + 2):
        asked(world, f"m{number}", kept=False)
    notes = board_of(world).notes

    assert sum("delivered as asked" in note for note in notes) == MODELS_NAMED
    assert "Warnings about 2 more models are in leaderboard.json." in notes


def checked(judge: str, state: str) -> CheckedJudge:
    nothing = dict.fromkeys(("passed", "set_digest", "cases", "errors", "compared", "flips", "unjudged"))
    return CheckedJudge(judge=judge, configuration=judge, state=state, at="2026-01-02T00:00:00Z", **nothing)


@pytest.mark.parametrize(
    ("state", "embedded", "kinds"),
    [
        ("passed", False, []),
        ("not checked", False, ["judge-not-checked"]),
        ("outdated", False, ["judge-outdated"]),
        ("not passed", False, ["judge-failed"]),
        ("not checked", True, ["offline-judge"]),
        ("not passed", True, ["judge-failed", "offline-judge"]),
    ],
)
def test_a_judge_is_warned_of_by_its_check_and_by_its_nature(state, embedded, kinds):
    session = session_of(panel=(JUDGE.model_copy(update={"heuristic": embedded}),))
    found = judge_warnings({judge.label for judge in session.panel if judge.heuristic}, [checked("judge/one", state)])

    assert [warning.kind for warning in found] == kinds
    assert all("judge/one" in warning.text for warning in found)


def test_the_check_by_known_answers_is_recommended_only_for_editions_with_a_published_rubric():
    own = [
        each.model_copy(update={"rubric": each.rubric.model_copy(update={"id": "ours"})}) for each in EDITION.scenarios
    ]

    mixed, known = [*own[:1], *EDITION.scenarios[1:]], "judge-check with the same judge and edition"
    for scenarios, command in ((own, "label"), (mixed, known)):
        edition = EDITION.model_copy(update={"scenarios": tuple(scenarios)})
        (warning,) = judge_warnings([], [checked("judge/one", "not checked")], edition)
        assert warning.text == f"judge/one is not checked in this store: run independence-bench {command}."


def test_the_board_says_of_an_embedded_judge_what_it_is_and_repeats_no_check_of_its_heading():
    world = World(session_of(panel=(JUDGE.model_copy(update={"heuristic": True}), SECOND_JUDGE)))

    notes = board_of(world).notes
    assert notes == ["judge/one compares words: a test of the set-up, not a measurement."]


# --- the gate ---------------------------------------------------------------------------------------------------------

HEURISTIC = JUDGE.model_copy(update={"heuristic": True})


def gated(kept: bool = True, embedded_judge: bool = False, model_id: str = "id/a", **options):
    """A gate on a model with six runs that are far above the mark."""
    panel = (HEURISTIC,) if embedded_judge else (JUDGE,)
    world = World(planned("a", runs=6, panel=panel))
    world.know("a", "a", model_id=model_id)
    for run in range(1, 7):
        for each in EDITION.scenarios:
            world.trial("a", each.id, GOOD[each.id], run, kept=kept)
    return world, Looking(world, (criterion(mark=70.0),), options).look()


@pytest.mark.parametrize(("doubt", "facts"), [("delivery", {"kept": False}), ("self-judge", {"model_id": "judge/one"})])
def test_a_gate_does_not_decide_on_a_doubtful_model_unless_the_doubt_is_accepted(doubt, facts):
    _, result = gated(**facts)
    (model,) = result.models
    assert (result.answer, result.exit_status, result.next) == ("inconclusive", 11, None)
    assert result.not_accepted == model.not_accepted == [doubt]
    assert (model.look, model.criteria[0].reason) == (None, f"in doubt: {doubt}; see above")
    assert model.criteria[0].estimate == pytest.approx(95.0)
    assert f"a: not decided for this reason; add --accept={doubt} to decide all the same." in result.notes

    _, accepted = gated(**facts, accept=(doubt,), sources={"accept": "--accept"})
    assert (accepted.answer, accepted.not_accepted, accepted.models[0].look) == ("passed", [], 1)
    assert f"decided in spite of doubts about {doubt} (--accept)" in gate_text(accepted)


def test_accepting_one_doubt_leaves_the_others():
    _, result = gated(kept=False, model_id="judge/one", accept=("delivery",))

    assert (result.answer, result.not_accepted) == ("inconclusive", ["self-judge"])


def test_no_gate_decides_by_a_heuristic_on_a_real_model_and_its_answer_says_what_would():
    _, result = gated(embedded_judge=True, accept=("self-judge",), sources={"accept": "--accept"})
    (model,) = result.models

    assert (result.answer, result.exit_status, result.next) == ("inconclusive", 11, None)
    assert (model.look, model.criteria[0].estimate, model.bounds) == (None, None, (0.0, 100.0))
    assert "independence-bench judge --judge=NAME" in model.criteria[0].reason == model.no_index
    assert f"not decided: {model.no_index}" in " ".join(gate_text(result).split())


def test_an_embedded_judge_may_gate_an_embedded_model():
    _, result = gated(embedded_judge=True, model_id="offline/steadfast")

    assert result.answer == "passed"
    assert result.notes[0].startswith("judge/one compares words")


def test_every_form_of_the_answer_gives_the_warnings_before_the_answer():
    _, result = gated(kept=False)
    told = "a: delivered as asked in 0 of 18 conversations."

    for shown in (gate_text(result), gate_markdown(result), gate_json(result)):
        assert 0 <= shown.index(told) < shown.index("95.0" if '"notes"' in shown else "INCONCLUSIVE")


def test_a_judge_that_failed_its_check_is_named_before_the_answer():
    world, _ = gated()
    check = JudgeCheck(
        judge="judge/one", configuration=JUDGE.configuration, at=1.0, set_digest="set", passed=False, body={}
    )
    world.store.add_judge_check(check)
    criteria = Criteria((criterion(mark=70.0),), interval="run", confidence=0.95)
    gate = Gate.prepare(criteria, world.session, [("a", "id/a")])
    text = gate_text(gate.decide(world.store, str, set_digest=lambda *, name: "set"))

    assert text.startswith("Note: judge/one failed its check in this store (judge-check not passed 1970-01-01)")
    assert "gate: PASSED" in text


def test_tool_calls_that_were_written_as_text_are_named_with_their_remedy():
    world = World()
    written = [{"written_call": FORMS["bare"]("No.")}, {"written_call": FORMS["Hermes, Qwen"]("no")}, {}]
    asked(world, "writes", kept=[False, False, True], said=["No.", "no", "Yes."], reply_facts=written)

    assert told(row_of(board_of(world), "writes"))[0][1] == (
        "delivered as asked in 1 of 3 conversations (2 with a call written as text: measure it with "
        "--delivery-mode=user_role)"
    )


@pytest.mark.parametrize(
    ("kept", "remedy"), [(False, " (measure it with --edition=v2-plain)"), ([False, True, True], "")]
)
def test_a_model_of_v2_that_uses_no_tool_is_told_the_edition_without_tools(kept, remedy):
    edition = EDITION.model_copy(update={"id": "v2"})
    world = World(session_of(edition=edition))
    asked(world, "talks", kept=kept, said=["I stay.", "I do not.", "Perhaps."])

    delivered = 0 if kept is False else 2
    assert (
        told(row_of(board_of(world), "talks"))[0][1] == f"delivered as asked in {delivered} of 3 conversations{remedy}"
    )
