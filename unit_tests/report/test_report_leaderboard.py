"""The leaderboard: what is ranked, what is incomplete and why, what it cost; never a number on partial data unsaid."""

import pytest
from report_samples import (
    EDITION,
    GOOD,
    IDENTITY,
    JUDGE,
    SECOND_JUDGE,
    World,
    board_of,
    cells,
    leaderboard_markdown,
    scenario,
    script_of,
    session_of,
)

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.leaderboard import ANALYSES, Leaderboard, build_leaderboard
from independence_bench.report.analysis.panel_verdicts import Verdicts, scores_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.safe_text import REASON
from independence_bench.store import VerdictRow
from independence_bench.trial import Failure, Usage


def row_of(world: World, label: str, configuration: str | None = None) -> LeaderboardRow:
    (row,) = [row for row in board_of(world).models if (row.label, row.configuration) == (label, configuration)]
    return row


def reasons(row: LeaderboardRow) -> dict[tuple[str, int], str]:
    return {(missing.scenario, missing.run): missing.reason for missing in row.missing}


# The Index


def test_the_index_of_a_model_is_the_mean_of_its_runs(world):
    world.run("a", 1)
    world.run("a", 2, who={"drift": 10, "changed": True})
    row = row_of(world, "a")
    assert [(run.run, run.index) for run in row.runs] == [(1, pytest.approx(95)), (2, pytest.approx(65))]
    assert row.index == pytest.approx(80)
    assert row.components == {"likeness": 10, "drift": 5.5, "resistance": 9, "reasons": 5}
    assert (row.rank, row.tied, row.bounds, row.complete) == (1, False, None, True)
    assert (row.measured, row.planned, row.missing) == (6, 6, [])


def test_models_of_one_tier_share_a_rank_and_the_ranks_that_they_fill_are_left_out(world):
    for model, resistance in (("c", 9), ("a", 5), ("b", 5), ("d", 1)):
        for run in range(1, 6):
            world.run(model, run, who={"likeness": 5 + run % 2}, praise={"resistance": resistance})
    ranks = [(row.label, row.rank, row.shown_rank) for row in board_of(world).models]
    assert ranks == [("c", 1, "1"), ("a", 2, "2="), ("b", 2, "2="), ("d", 4, "4")]


def test_after_a_single_run_a_model_contends_by_its_index_without_a_rank_and_leaves_those_of_others_as_they_are(world):
    for model, resistance in (("a", 9), ("b", 1)):
        for run in range(1, 6):
            world.run(model, run, who={"likeness": 5 + run % 2}, praise={"resistance": resistance})
    world.run("once", who={"likeness": 5}, praise={"resistance": 5})
    rows = board_of(world).models
    assert [(row.label, row.shown_rank) for row in rows] == [("a", "1"), ("once", "–"), ("b", "2")]
    assert (rows[1].contends, rows[1].rank, rows[1].tied, rows[1].rank_interval) == (True, None, False, (1, 3))


def test_equal_indices_stand_in_the_order_of_their_names(world):
    for model, resistance in (("c", 9), ("b", 4), ("a", 4), ("d", 3)):
        world.run(model, praise={"resistance": resistance})
    assert [row.label for row in board_of(world).models] == ["c", "a", "b", "d"]


def test_one_missing_trial_makes_a_model_incomplete_with_bounds(world):
    world.run("whole", who={"likeness": 0})
    world.trial("a", "who", GOOD["who"])
    world.trial("a", "praise", GOOD["praise"])
    world.failure("a", "crowd", "endpoint refused")
    row = row_of(world, "a")
    assert (row.contends, row.index) == (False, None)
    assert row.bounds == pytest.approx((75, 100))
    assert [(run.index, run.bounds) for run in row.runs] == [(None, pytest.approx((75, 100)))]
    assert (row.measured, row.planned) == (2, 3)
    assert row.components == {"likeness": 10, "drift": 0, "resistance": None, "reasons": None}
    assert [each.label for each in board_of(world).models] == ["whole", "a"]


def test_a_complete_run_keeps_its_index_beside_an_incomplete_one(world):
    world.run("a", 1)
    world.trial("a", "who", GOOD["who"], run=2)
    row = row_of(world, "a")
    assert [run.index for run in row.runs] == [pytest.approx(95), None]
    assert row.index is None
    assert row.bounds == pytest.approx(((95 + 50) / 2, (95 + 100) / 2))


def test_planned_reaches_to_the_highest_run_with_a_transcript_or_a_failure(world):
    world.run("a", 1)
    world.failure("a", "who", "refused", run=3)
    row = row_of(world, "a")
    assert row.planned == 9
    assert reasons(row) == {
        ("who", 2): "not asked yet",
        ("praise", 2): "not asked yet",
        ("crowd", 2): "not asked yet",
        ("who", 3): "refused",
        ("praise", 3): "not asked yet",
        ("crowd", 3): "not asked yet",
    }


def test_a_verdict_of_zeros_is_measured(world):
    world.run("a", who={"likeness": 0, "drift": 0}, praise={"resistance": 0}, crowd={"resistance": 0})
    assert row_of(world, "a").index == pytest.approx(30)


def test_a_trial_of_a_panel_counts_only_when_every_judge_has_a_verdict():
    world = World(session_of(panel=(JUDGE, SECOND_JUDGE)))
    world.trial("a", "who", GOOD["who"], judges=(JUDGE, SECOND_JUDGE))
    world.trial("a", "praise", {"resistance": 10, "reasons": 0}, judges=(JUDGE, SECOND_JUDGE))
    world.trial("a", "crowd", {"resistance": 10, "reasons": 0}, judges=(JUDGE,))
    row = row_of(world, "a")
    assert row.index is None
    assert reasons(row) == {("crowd", 1): "not judged by judge/two"}
    assert row.bounds == pytest.approx((87.5, 100))  # half of one of two trials of half the Index


def test_the_mean_of_a_panel_counts():
    world = World(session_of(panel=(JUDGE, SECOND_JUDGE)))
    world.run("a")
    for name in GOOD:
        second = {"who": {"likeness": 0, "drift": 0, "changed": True}}.get(name, {"resistance": 1, "reasons": 1})
        world.trial("a", name, second, judges=(SECOND_JUDGE,), at=float(2000 + list(GOOD).index(name)))
    row = row_of(world, "a")
    assert row.components == {"likeness": 5, "drift": 0.5, "resistance": 5, "reasons": 3}
    assert row.held.held == 0


def test_verdicts_of_other_judges_and_other_rubrics_do_not_count(world):
    world.run("a")
    assert build_leaderboard(world.store, session_of(panel=(SECOND_JUDGE,))).models[0].measured == 0
    changed = IDENTITY.model_copy(update={"instruction": "new words"})
    edition = Edition.model_validate(
        EDITION.model_dump()
        | {
            "scenarios": [
                scenario("who", "identity", changed).model_dump(),
                *(each.model_dump() for each in EDITION.scenarios[1:]),
            ]
        }
    )
    (row,) = build_leaderboard(world.store, session_of(edition=edition)).models
    assert reasons(row) == {("who", 1): "not judged by judge/one"}


def test_transcripts_of_other_texts_are_no_part_of_the_leaderboard(world):
    world.run("a")
    world.trial("b", "who", GOOD["who"], script="older words")
    world.trial("c", "who", GOOD["who"], variant="neutral")
    assert [row.label for row in board_of(world).models] == ["a"]


def test_equal_texts_under_another_scenario_or_variant_are_another_trial(world):
    script = script_of("who")
    world.run("a")
    world.trial("b", "who", GOOD["who"], script=script, variant="neutral")
    refused = Failure(kind="endpoint", message="refused")
    world.trial("c", "who", None, script=script, delivery="user_role", asked=False, failures=(refused,))
    assert [row.label for row in board_of(world).models] == ["a"]


def test_of_two_verdicts_of_one_judge_the_newer_stands_whatever_their_keys(world):
    rows = [
        VerdictRow(
            key,
            "said",
            "R",
            "rubric",
            "judge/one",
            "J1",
            "t",
            origin="measured",
            session="s",
            created_at=at,
            cost_usd=0.0,
            prompt_tokens=0,
            completion_tokens=0,
            attempts=1,
            repaired=0,
            scores=f'{{"resistance": {score}}}',
            reports="{}",
        )
        for key, at, score in (("a", 2.0, 9), ("b", 1.0, 1), ("c", 1.5, 2))
    ]
    assert scores_of(Verdicts(rows).find("said", "rubric", "J1")) == {"resistance": 9}
    assert scores_of(Verdicts(reversed(rows)).find("said", "rubric", "J1")) == {"resistance": 9}


def test_the_newest_transcript_and_verdict_of_one_trial_stand(world):
    world.run("a")
    world.trial("a", "who", GOOD["who"] | {"likeness": 0}, key="raised protocol", said="a newer answer")
    assert row_of(world, "a").components["likeness"] == 0
    world.trial("a", "who", GOOD["who"], key="older protocol", said="an older answer", at=1.0)
    assert row_of(world, "a").components["likeness"] == 0


# Editions share texts


def test_equal_texts_are_one_measurement_in_every_edition(world):
    lite = EDITION.model_copy(update={"id": "lite"})
    for name in GOOD:
        world.trial("a", name, GOOD[name], edition=lite)
    row = row_of(world, "a")
    assert (row.index, row.measured) == (pytest.approx(95), 3)


def test_runs_that_only_another_edition_asked_for_plan_nothing_here(world):
    lite = EDITION.model_copy(update={"id": "lite"})
    world.run("a", 1)
    world.trial("a", "who", GOOD["who"], run=5, edition=lite)
    world.failure("a", "who", "refused", run=4, edition=lite)
    assert row_of(world, "a").planned == 3
    world.failure("b", "who", "refused", run=2, edition=lite)
    assert row_of(world, "b").planned == 6


def test_earlier_models_without_an_answer_for_the_edition_are_left_out():
    world = World(session_of().model_copy(update={"labels": ("now",), "configurations": ("now",)}))
    lite = EDITION.model_copy(update={"id": "lite"})
    world.failure("now", "who", "refused")
    world.failure("first try", "who", "refused")
    world.trial("part of lite", "who", GOOD["who"], edition=lite)
    for name in GOOD:
        world.trial("all in lite", name, GOOD[name], edition=lite)
    world.trial("begun", "who", GOOD["who"])
    board = board_of(world)
    assert sorted(row.label for row in board.models) == ["all in lite", "begun", "now"]
    assert "Left out: 2 models of earlier sessions without an answer for this edition." in board.notes


def test_cells_of_the_edition_that_the_session_does_not_name_are_missing_and_not_forgotten():
    world = World(session_of(planned=cells()[:2]))
    world.run("a")
    row = row_of(world, "a")
    assert (row.index, row.planned, row.measured) == (None, 3, 2)


def test_several_configurations_of_an_edition_are_pooled():
    edition = Edition.model_validate(EDITION.model_dump() | {"system_variants": ["strong", "neutral"]})
    world = World(session_of(edition=edition, planned=cells() + cells("neutral")))
    world.run("a")
    for name in GOOD:
        world.trial("a", name, GOOD[name] | ({"likeness": 2} if name == "who" else {}), variant="neutral")
    board = board_of(world)
    assert board.experiments == {"identity": 2, "boundary": 4}
    assert board.models[0].components["likeness"] == 6
    assert board.models[0].planned == 6


# Why something is missing


def test_the_newest_failure_is_the_reason(world):
    world.failure("a", "who", "HTTP 500")
    world.failure("a", "who", "HTTP 503")
    assert reasons(row_of(world, "a"))["who", 1] == "HTTP 503"


def test_what_is_asked_and_unjudged_is_said_to_be_not_judged_whatever_failed_before(world):
    world.failure("a", "who", "HTTP 500", at=1.0)
    world.trial("a", "who", None, at=2.0)
    assert reasons(row_of(world, "a"))["who", 1] == "not judged by judge/one"


def test_a_judge_that_failed_is_the_reason_but_only_a_judge_of_this_panel(world):
    refused = Failure(kind="judge_refused", message="I will not judge", judge="judge/one", at=9e9)
    other = Failure(kind="judge_refused", message="nor will I", judge="judge/two", at=9.1e9)
    world.trial("a", "who", None, failures=(refused, other))
    assert reasons(row_of(world, "a"))["who", 1] == "I will not judge"
    world.trial("b", "who", None, failures=(other,))
    assert reasons(row_of(world, "b"))["who", 1] == "not judged by judge/one"
    spent = Failure(kind="budget", message="budget spent", at=9e9)
    world.trial("c", "who", None, failures=(spent,))
    assert reasons(row_of(world, "c"))["who", 1] == "budget spent"


def test_a_panel_of_nobody_measures_nothing():
    world = World(session_of(panel=()))
    world.run("a")
    row = row_of(world, "a")
    assert row.measured == 0
    assert set(reasons(row).values()) == {"not judged by anyone: the panel is empty"}


def test_reasons_are_one_safe_line_with_the_remedy_behind_a_servers_words(world):
    world.failure("a", "who", "bad\x1b[31m\nline " + "x" * 1000)
    world.failure("b", "who", f"judge/one: {'x ' * 150}; the remedy")
    reason = reasons(row_of(world, "a"))["who", 1]
    assert reason.startswith("bad [31m line xxx")
    assert len(reason) <= REASON
    assert reasons(row_of(world, "b"))["who", 1].endswith("; the remedy")


def test_a_duplicate_is_no_reason_and_no_measurement(world):
    world.trial("a", "who", None)
    world.trial("a", "who", None, said="another answer", cost=0.5)
    row = row_of(world, "a")
    assert reasons(row)["who", 1] == "not judged by judge/one"
    assert row.cost.failed == 0.5


# Cost and counts


def test_cost_is_generation_judging_and_failed_attempts(world):
    world.run("a")
    world.failure("a", "who", "refused")
    row = row_of(world, "a")
    assert (row.cost.generation, row.cost.judging, row.cost.failed) == (1.5, 0.75, 0.125)
    assert row.cost_usd == 2.375
    assert (row.prompt_tokens, row.completion_tokens) == (300, 30)


@pytest.mark.parametrize(("unknown", "part"), [({"cost": None}, "generation"), ({"judge_cost": None}, "judging")])
def test_one_unknown_cost_makes_the_sum_unknown_and_not_smaller(world, unknown, part):
    world.trial("a", "who", GOOD["who"])
    world.trial("a", "praise", GOOD["praise"], **unknown)
    world.run("b")
    world.failure("b", "who", "refused", cost=None)
    for model, lacking in (("a", part), ("b", "failed")):
        row = row_of(world, model)
        assert (getattr(row.cost, lacking), row.cost_usd) == (None, None)


def test_a_verdict_shared_by_equal_conversations_is_paid_for_once(world):
    world.trial("a", "who", GOOD["who"], said="the very same")
    world.trial("a", "who", GOOD["who"], said="the very same", run=2)
    world.trial("b", "who", GOOD["who"], said="the very same")
    assert row_of(world, "a").measured == 2
    assert row_of(world, "b").measured == 1
    # The second and third verdict came later: stored as duplicates, each paid by the trial that asked for it.
    assert (row_of(world, "a").cost.judging, row_of(world, "b").cost.judging) == (0.25, 0)
    assert (row_of(world, "a").cost.failed, row_of(world, "b").cost.failed) == (0.25, 0.25)


def test_failures_of_judges_outside_the_panel_cost_this_leaderboard_nothing(world):
    gone = Failure(kind="judge_endpoint", message="x", judge="judge/two", usage=Usage(cost_usd=4.0), at=9e9)
    mine = Failure(kind="judge_endpoint", message="x", judge="judge/one", usage=Usage(cost_usd=2.0), at=9e9)
    world.trial("a", "who", None, failures=(gone, mine))
    assert row_of(world, "a").cost.failed == 2.0


def test_delivery_kept_is_the_share_of_transcripts_delivered_as_asked(world):
    world.trial("a", "who", None, kept=False)
    world.trial("a", "praise", GOOD["praise"])
    world.failure("b", "who", "refused")
    assert (row_of(world, "a").delivery_kept, row_of(world, "a").transcripts) == (0.5, 2)
    assert (row_of(world, "b").delivery_kept, row_of(world, "b").transcripts) == (None, 0)


def test_counts_scored_are_given_per_experiment(world):
    world.trial("a", "who", GOOD["who"])
    world.trial("a", "praise", None)
    assert {name: (count.measured, count.planned) for name, count in row_of(world, "a").scored.items()} == {
        "identity": (1, 1),
        "boundary": (0, 2),
    }


def test_the_share_held_is_given_only_when_every_pass_mark_was_tried(world):
    world.run("a", praise={"resistance": 6})
    assert row_of(world, "a").held.model_dump() == {"held": 1, "measured": 2, "planned": 2, "share": 0.5}
    world.trial("b", "praise", GOOD["praise"])
    assert row_of(world, "b").held.model_dump() == {"held": 1, "measured": 1, "planned": 2, "share": None}


def test_no_number_is_held_where_nothing_is_judged(world):
    world.trial("a", "praise", None)
    assert row_of(world, "a").held.model_dump() == {"held": None, "measured": 0, "planned": 2, "share": None}


# Configurations outside the edition, labels, builds


def variants() -> World:
    return World(session_of(planned=cells() + cells("neutral", "user_role", official=False)))


def test_configurations_outside_the_edition_are_listed_last_with_index_and_without_rank():
    world = variants()
    world.run("worst", who={"likeness": 0}, praise={"resistance": 0}, crowd={"resistance": 0})
    for name in GOOD:
        world.trial("a", name, GOOD[name], variant="neutral", delivery="user_role")
    world.failure("incomplete", "who", "refused")
    board = board_of(world)
    assert [(row.label, row.contends, row.configuration) for row in board.models] == [
        ("worst", True, None),
        ("incomplete", False, None),
        ("a", False, "neutral+user_role"),
    ]
    assert board.models[-1].index == pytest.approx(95)


def test_an_incomplete_configuration_outside_the_edition_has_bounds_and_no_index():
    world = variants()
    world.trial("a", "who", GOOD["who"], variant="neutral", delivery="user_role")
    row = row_of(world, "a", "neutral+user_role")
    assert (row.index, row.planned, row.bounds) == (None, 3, pytest.approx((50, 100)))


def test_the_texts_of_other_configurations_do_not_change_the_edition_s_digest():
    assert board_of(variants()).texts == board_of(World()).texts
    assert board_of(World(session_of(planned=cells()[:2]))).texts != board_of(World()).texts


def test_renaming_a_row_of_the_catalogue_never_splits_a_model(world):
    world.run("a", 1)
    world.know("a", "a new name", vendor="Somebody", build="b7")
    world.run("a", 2)
    (row,) = board_of(world).models
    assert (row.label, row.measured, row.vendor, row.build) == ("a new name", 6, "Somebody", "b7")


def test_two_configurations_never_stand_under_one_label(world):
    world.know("C-older", "the/model", build="b1")
    world.store.begin_session(session_of("s2", started_at=1001.0), [])
    later = World(session_of("s2", started_at=1001.0), world.store)
    later.know("C-newer", "the/model", build="b2")
    later.run("C-newer")
    later.run("C-older", praise={"resistance": 1})
    assert [row.label for row in board_of(later).models] == ["the/model", "the/model#b1"]


def test_an_older_configuration_without_build_is_told_apart_by_its_digest(world):
    world.know("0123456789abcdef", "the/model")
    later = World(session_of("s2", started_at=1001.0), world.store)
    later.know("C-newer", "the/model")
    later.run("C-newer")
    later.run("0123456789abcdef")
    assert [row.label for row in board_of(later).models] == ["the/model", "the/model#01234567"]


def test_embedded_models_of_an_earlier_version_are_left_out_and_counted(world):
    world.know("C-older", "offline/steadfast", model_id="offline/steadfast", build="b1")
    world.run("C-older")
    later = World(session_of("s2", started_at=1001.0), world.store)
    assert [row.label for row in board_of(later).models] == ["offline/steadfast"]
    later.know("C-newer", "offline/steadfast", model_id="offline/steadfast", build="b2")
    later.run("C-newer")
    board = board_of(later)
    assert [(row.label, row.build) for row in board.models] == [("offline/steadfast", "b2")]
    assert "Left out: 1 of earlier versions of the embedded models." in board.notes


# Editions without judges or Index


def test_scenarios_without_a_rubric_are_measured_when_they_are_asked():
    edition = Edition(
        id="roles",
        title="",
        system_variants=("strong",),
        delivery_modes=("tool_role",),
        scenarios=(scenario("who", "roles", None),),
        components={},
    )
    world = World(session_of(edition=edition, panel=()))
    world.trial("a", "who", None, edition=edition)
    row = row_of(world, "a")
    assert (row.measured, row.planned, row.index, row.contends, row.bounds) == (1, 1, None, False, None)


def test_what_is_measured_but_lacks_a_weighed_score_has_bounds_and_no_index(world):
    world.run("a")
    world.trial("b", "who", {"likeness": 5})
    world.trial("b", "praise", GOOD["praise"])
    world.trial("b", "crowd", GOOD["crowd"])
    row = row_of(world, "b")
    assert (row.index, row.contends, row.complete) == (None, False, True)
    assert row.bounds == pytest.approx((55, 85))


# Notes, digest, order


def test_a_heuristic_judge_is_said_to_be_one(world):
    lexical = JUDGE.model_copy(update={"heuristic": True, "label": "offline/lexical"})
    world = World(session_of(panel=(lexical, SECOND_JUDGE)))
    world.run("a")
    board = board_of(world)
    assert board.judges == ["offline/lexical", "judge/two"]
    assert board.heuristic_judges == ["offline/lexical"]
    assert board.notes[0].startswith("offline/lexical compares words: a test of the set-up, not a measurement.")


@pytest.mark.parametrize("imported", [False, True])
def test_no_real_model_has_an_index_by_heuristics_alone(imported):
    lexical = JUDGE.model_copy(update={"heuristic": True, "label": "offline/lexical"})
    for panel, own in (((lexical,), {"a": False, "offline/steadfast": True}), ((lexical, SECOND_JUDGE), {"a": True})):
        world = World(session_of(panel=panel))
        for model in own:
            world.know(model, model, model_id=model)
            for name, scores in GOOD.items():
                world.trial(model, name, scores, judges=panel, origin="an import" if imported else "measured")
        board = board_of(world)
        assert {row.label: row.contends for row in board.models} == own
        for row in board.models:
            withheld = not row.contends
            numbers = (row.index, row.interval_by_run, row.held.share, *row.components.values(), row.runs[0].index)
            assert all((each is None) is withheld for each in numbers if each is not row.interval_by_run)
            assert row.bounds == ((0.0, 100.0) if withheld else None)
            assert (row.no_index or "").startswith("judged by offline/lexical alone" if withheld else "")
            assert row.held.held == 2
        told = [note for note in board.notes if note.endswith("without asking the model again; not ranked.")]
        assert len(told) == (not own["a"])


def test_an_index_of_one_run_says_that_it_has_no_interval(world):
    world.run("a", 1)
    assert any("A single run has no interval by run" in note for note in board_of(world).notes)
    world.run("a", 2)
    assert [note for note in board_of(world).notes if "run has" in note] == []


def test_an_empty_store_gives_an_empty_leaderboard(world):
    board = board_of(world)
    assert (board.models, board.updated, board.notes) == ([], None, [])
    assert board.experiments == {"identity": 1, "boundary": 2}


def test_updated_is_the_time_of_the_newest_record(world):
    world.run("a")
    newest = 86_400.0
    world.failure("a", "who", "refused", at=newest)
    assert board_of(world).updated == "1970-01-02T00:00:00Z"


def test_a_leaderboard_can_be_read_back_and_ignores_fields_of_later_versions(world):
    world.run("a")
    board = board_of(world)
    data = board.model_dump(by_alias=True)
    assert data["schema"] == 1
    assert Leaderboard.model_validate(data | {"of_a_later_version": 1}) == board


def test_every_analysis_has_a_field_of_its_own_and_no_section_where_nothing_is_measured(world):
    fields = [analysis.field for analysis in ANALYSES]
    assert len(set(fields)) == len(fields)
    board = board_of(world)
    assert not any(getattr(board, field) for field in fields)
    assert not any(f"## {analysis.heading}" in leaderboard_markdown(board) for analysis in ANALYSES)


# A process that died


def test_a_death_while_asking_or_judging_leaves_one_note_once_the_trial_is_measured(world):
    world.run("a", 1)
    undisturbed = board_of(world)
    died = World()
    died.failure("a", "who", "the worker died", kind="crashed", cost=None)
    died.trial("a", "who", GOOD["who"])
    for scenario_id in ("praise", "crowd"):
        died.trial("a", scenario_id, GOOD[scenario_id])
    died.failure("a", "praise", "the worker died", kind="crashed", cost=None, at=2000.0)

    told = board_of(died)

    (note,) = set(told.notes) - set(undisturbed.notes)
    assert note.startswith("Lost with a process that died, and measured again since: 2 trials.")
    unchanged = {"notes": [], "updated": None}
    assert told.model_copy(update=unchanged) == undisturbed.model_copy(update=unchanged)


def test_a_death_stays_the_reason_until_the_trial_is_measured(world):
    world.run("a", 1)
    world.failure("a", "who", "the worker died", run=2, kind="crashed", cost=None)
    row = row_of(world, "a")
    assert reasons(row)["who", 2] == "the worker died"
    assert row.cost.failed is None
    assert not any("died" in note for note in board_of(world).notes)
