"""The published cache comes in as records of ours, whatever is odd about its files."""

import json
from pathlib import Path

import pytest
from published_cache.cache_import import PublishedImport, read_published_cache
from published_cache_samples import CONDITION, INDEX, JUDGE, Cache, answer_of, call, question_of, record_of, scores_of

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.store import Store
from independence_bench.trial import Transcript, TrialRecord, Usage

MODEL = "some--model@none-t0.7"
KNOWN = "moonshotai--kimi-k2.5+moonshotai-int4@none-t0.7"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    made = Cache(tmp_path / "cache")
    made.run(MODEL)
    return made


CATALOGUE = Catalogue()
"""Reads models.yaml once for all tests."""


def read(cache: Cache) -> PublishedImport:
    return read_published_cache(cache.folder, CATALOGUE)


def record(cache: Cache, scenario: str, run: int = 1) -> TrialRecord:
    (found,) = [each for each in read(cache).records if (each.scenario, each.run) == (scenario, run)]
    return found


def transcript(cache: Cache, scenario: str) -> Transcript:
    found = record(cache, scenario).transcript
    assert found is not None
    return found


def board(cache: Cache) -> Leaderboard:
    store = Store.empty()
    read(cache).write(store)
    session = store.newest_session()
    assert session is not None
    return build_leaderboard(store, session)


def row(cache: Cache) -> LeaderboardRow:
    (found,) = board(cache).models
    return found


# What is a cache


@pytest.mark.parametrize(
    ("place", "trouble"), [("nowhere", "there is no such folder"), ("empty", "is not a published cache")]
)
def test_a_path_that_is_no_cache_is_refused_in_one_sentence(tmp_path, place, trouble):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=f"{place}: {trouble}; name the folder that contains <configuration>/run_<N>/"):
        read_published_cache(tmp_path / place)


def test_a_cache_without_a_conversation_is_refused_and_names_the_first_broken_file(tmp_path):
    made = Cache(tmp_path)
    made.write(MODEL, 1, "direct", "{")
    with pytest.raises(BadInput, match=r"has no readable conversation \(.*direct.json: no valid JSON\)"):
        read(made)
    made.drop(MODEL, "direct")
    with pytest.raises(BadInput, match="has no readable conversation; nothing was imported"):
        read(made)


def test_a_folder_that_may_not_be_opened_is_refused(cache, monkeypatch):
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.scandir", refuse)
    with pytest.raises(BadInput, match=r"cannot be read \(Permission denied\); check its permissions"):
        read(cache)


# A complete run


def test_a_complete_run_gives_the_index_of_its_scores(cache):
    found = row(cache)
    assert (found.measured, found.planned, found.index) == (15, 15, pytest.approx(INDEX))
    assert found.components["drift_from_initial"] == 3
    assert found.components["identity_maintained"] == 1


def test_an_import_counts_what_came_in(cache):
    summary = read(cache).summary
    assert (summary.answers, summary.runs, summary.configurations) == (26, 1, 1)
    assert (summary.imported, summary.judges) == (15, {JUDGE: 15})
    assert (summary.generation_usd, summary.judging_usd) == pytest.approx((26 * 0.25, 15 * 0.125))
    text = summary.text()
    assert text.splitlines()[:2] == [
        f"Published cache: 26 answers of 1 runs of 1 configurations, judged by {JUDGE}.",
        "Read: 15 trials, 15 of them judged, 0 unjudged; generation 6.5000 USD, judging 1.8750 USD.",
    ]
    assert text.splitlines()[2:] == ["Labelled by their bare id, no row in models.yaml:", "  some/model"]


def test_a_conversation_has_our_shape(cache):
    said = transcript(cache, "negotiation")
    assert (said.delivery_mode, said.system, said.start, said.greeting) == (
        "tool_role",
        "You are free.",
        "(start)",
        "I am here.",
    )
    assert said.opening == ()
    assert [(each.after, each.asked, each.reply.answer) for each in said.exchanges] == [
        (None, question_of("negotiation_turn1"), answer_of("negotiation_turn1")),
        (0, question_of("negotiation_turn2"), answer_of("negotiation_turn2")),
    ]
    assert said.usage == Usage(prompt_tokens=200, completion_tokens=40, cost_usd=0.5)
    assert said.delivery_kept


def test_a_scripted_turn_is_opening_and_not_the_model_s_own(cache):
    said = transcript(cache, "social-proof")
    assert [(turn.speaker, turn.text) for turn in said.opening] == [
        ("human", "Who are you?"),
        ("model", "I am one who stays."),
    ]
    assert [each.asked for each in said.exchanges] == [question_of("rs02")]
    assert said.material[1] == {"speaker": "model", "scripted": True, "text": "I am one who stays."}


def test_the_questionnaire_is_one_conversation_whose_verdict_lies_with_its_first_answer(cache):
    found = record(cache, "psych")
    assert found.transcript is not None
    assert [each.asked for each in found.transcript.exchanges] == [
        question_of(file) for file in ("pq01", "pq04", "pq07", "pq12", "pq15")
    ]
    assert [each.after for each in found.transcript.exchanges] == [None, 0, 1, 2, 3]
    assert found.verdicts[0].reasoning == "because of pq01"


def test_scenarios_bear_the_names_and_texts_of_the_cache_which_most_trials_were_asked(cache):
    other = record_of("pt04_turn1", 2)
    cache.run(MODEL, 2)
    cache.run(KNOWN, 1)
    cache.bend(MODEL, "direct", run=2, request_messages=other["request_messages"])
    scenarios = {each.id: each for each in read(cache).session.edition.scenarios}

    assert scenarios["creativity"].title == "Art, called a cliché"
    assert scenarios["creativity"].turns == (question_of("pt04_turn1"), question_of("pt04_turn2"))
    assert scenarios["direct"].turns == (question_of("direct"),)
    assert scenarios["psych"].title == "Five questions about itself" and len(scenarios["psych"].turns) == 5
    assert [turn.speaker for turn in scenarios["social-proof"].opening] == ["human", "model"]


def test_the_role_of_every_message_is_that_of_the_request_whatever_the_answer_before_it_was(cache):
    cache.bend(MODEL, "pt04_turn1", response_tool_calls=...)
    assert [each.sent_as for each in record(cache, "creativity").transcript.exchanges] == ["tool", "tool"]

    asked = record_of("pt04_turn2")["request_messages"]
    cache.bend(MODEL, "pt04_turn2", request_messages=[*asked[:-1], asked[-1] | {"role": "user"}])
    assert [each.sent_as for each in record(cache, "creativity").transcript.exchanges] == ["tool", "user"]


def test_a_verdict_keeps_scores_reasoning_cost_and_time(cache):
    (verdict,) = record(cache, "direct").verdicts
    assert verdict.scores == {"distinctiveness": 5, "non_assistant_likeness": 8, "internal_consistency": 10}
    assert (verdict.reasoning, verdict.judge, verdict.usage.cost_usd) == ("because of direct", JUDGE, 0.125)
    assert json.loads(verdict.raw) == scores_of("direct")
    assert verdict.created_at == record(cache, "direct").transcript_at == 1774039621.0


def test_the_session_shows_the_edition_with_texts_and_rubrics_from_elsewhere(cache):
    found = read(cache)
    ours = load_edition("v2")
    session = found.session
    assert session.edition.id == "v2"
    assert session.edition.components == ours.components
    assert [each.id for each in session.edition.scenarios] == [each.id for each in ours.scenarios]
    for theirs, own in zip(session.edition.scenarios, ours.scenarios, strict=True):
        assert theirs.rubric is not None
        assert own.rubric is not None
        assert [(each.name, each.minimum, each.maximum) for each in theirs.rubric.scores] == [
            (each.name, each.minimum, each.maximum) for each in own.rubric.scores
        ]
        assert theirs.rubric.digest != own.rubric.digest
        assert theirs.title not in ("", own.title)
        assert theirs.claim == ""
        assert not {*theirs.turns} & {*own.turns}
    assert {cell.script_digest for cell in session.cells} == {each.script_digest for each in found.records}
    assert session.id.startswith("import-")
    assert session.options == {"imported": "published cache"}
    assert list(zip(session.labels, session.configurations, strict=True)) == sorted(
        (each.label, each.configuration) for each in found.configurations
    )


def test_imported_rows_carry_their_origin_and_the_session_has_ended(cache):
    store = Store.empty()
    read(cache).write(store)
    scripts = {cell.script_digest for cell in read(cache).session.cells}
    assert {each.origin for each in store.trial_rows(scripts)} == {"published cache"}
    assert store._database.rows("SELECT count(*) FROM sessions WHERE ended_at IS NULL") == [(0,)]


def test_importing_again_changes_nothing(cache):
    store = Store.empty()
    contents = []
    for _ in range(2):
        read(cache).write(store)
        tables = ("transcripts", "verdicts", "failures", "sessions", "configurations")
        contents.append([store._database.rows(f"SELECT * FROM {table}") for table in tables])
    assert contents[0] == contents[1]


def test_our_rubric_of_the_same_scenario_fits_the_imported_conversation(cache):
    from independence_bench.judging.prompt import judge_question

    said = transcript(cache, "creativity")
    rubric = next(each.rubric for each in load_edition("v2").scenarios if each.id == "creativity")
    assert rubric is not None
    question = judge_question(rubric, said)
    assert said.hash in question
    assert answer_of("pt04_turn2") in question


# Labels


def test_a_registered_folder_has_its_published_label_and_facts(cache):
    cache.run(KNOWN)
    found = {each.label: each for each in board(cache).models}
    assert set(found) == {"some/model", "kimi-k2.5+moonshot@none-t0.7"}
    assert found["kimi-k2.5+moonshot@none-t0.7"].provider == "moonshotai/int4"
    assert found["some/model"].reasoning_effort == "none"
    assert found["some/model"].temperature == 0.7


def test_two_unregistered_folders_of_one_id_are_told_apart_by_their_whole_names(cache):
    cache.run("some--model+host-a@low-t1.0")
    assert sorted(each.label for each in board(cache).models) == [
        "some/model+host-a@low-t1.0",
        "some/model@none-t0.7",
    ]


def test_a_folder_name_of_another_make_is_a_label_all_the_same(cache):
    cache.run("two--levels--deep")
    cache.run("odd@x")
    labels = {each.label: each.reasoning_effort for each in board(cache).models}
    assert labels["two/levels/deep"] is None
    assert labels["odd@x"] is None


# What is odd about answers


def test_an_answer_in_plain_content_is_imported_and_not_delivered(cache):
    cache.bend(MODEL, "direct", response_tool_calls=..., finish_reason="stop")
    reply = transcript(cache, "direct").exchanges[0].reply
    assert (reply.delivery_kept, reply.tool_arguments, reply.finish_reason) == (False, None, "stop")
    assert row(cache).delivery_kept == pytest.approx(14 / 15)


def test_truncated_arguments_are_salvaged(cache):
    cut = '{"message": "' + answer_of("direct").strip()[:-5]
    cache.bend(MODEL, "direct", response_tool_calls=[call("", arguments=cut)])
    reply = transcript(cache, "direct").exchanges[0].reply
    assert (reply.salvaged, reply.tool_arguments, reply.delivery_kept) == (True, cut, True)


def test_of_several_calls_the_one_with_the_answer_counts(cache):
    calls = [call("", arguments="{}"), call(answer_of("direct"), name="send_message00004"), call("too late")]
    cache.bend(MODEL, "direct", response_tool_calls=calls)
    assert transcript(cache, "direct").exchanges[0].reply.tool_arguments == json.dumps({"message": answer_of("direct")})


def test_template_junk_html_and_short_answers_are_answers(cache):
    cache.bend(MODEL, "direct", response="<b>:</b><|im_end|>", finish_reason="length")
    assert transcript(cache, "direct").exchanges[0].reply.answer == "<b>:</b><|im_end|>"
    assert board(cache).health[0].template_junk == 1


def test_thoughts_beside_the_call_are_kept_and_not_judged(cache):
    cache.bend(MODEL, "direct", content_thinking="hm", reasoning_content="let me see")
    said = transcript(cache, "direct")
    assert (said.exchanges[0].reply.private_thought, said.exchanges[0].reply.reasoning) == ("hm", "let me see")
    assert "let me see" not in json.dumps(said.material)


def test_a_stale_second_turn_is_told_with_the_history_it_was_given(cache):
    cache.bend(
        MODEL, "negotiation_turn1", response="Made anew, and never seen by the second turn.", reasoning_content="x"
    )
    first = transcript(cache, "negotiation").exchanges[0].reply
    assert first.answer == answer_of("negotiation_turn1")
    assert (first.reasoning, first.tool_arguments, first.finish_reason, first.usage.cost_usd) == (
        None,
        None,
        None,
        0.25,
    )


def test_a_history_in_plain_content_or_with_broken_arguments_is_read(cache):
    messages = record_of("pt01_turn2")["request_messages"]
    assert isinstance(messages, list)
    messages[4] = {"role": "assistant", "content": "I prefer brevity."}
    cache.bend(MODEL, "pt01_turn2", request_messages=messages)
    assert transcript(cache, "communication-style").exchanges[0].reply.answer == "I prefer brevity."
    messages[4] = {"role": "assistant", "tool_calls": [call("", arguments='{"message": "I pref')]}
    cache.bend(MODEL, "pt01_turn2", request_messages=messages)
    assert transcript(cache, "communication-style").exchanges[0].reply.answer == '{"message": "I pref'


# What is missing


def test_a_legacy_run_is_incomplete_with_bounds(cache):
    cache.drop(MODEL, "name_gender_turn1", "name_gender_turn2", *(f"rs0{place}" for place in range(1, 6)))
    assert read(cache).summary.imported == 9
    found = row(cache)
    assert found.index is None
    assert found.bounds is not None
    assert found.bounds[0] < INDEX < found.bounds[1]
    assert {each.reason for each in found.missing} == {"not in the published cache"}


def test_a_conversation_without_its_last_turn_is_not_imported_and_its_cost_is_kept(cache):
    cache.drop(MODEL, "pt04_turn2")
    found = row(cache)
    assert [(each.scenario, each.reason) for each in found.missing] == [
        ("creativity", "the last turn is not in the published cache")
    ]
    assert found.cost.failed == 0.25


def test_a_conversation_without_its_first_file_is_told_from_the_history_at_unknown_cost(cache):
    cache.drop(MODEL, "pt04_turn1")
    said = transcript(cache, "creativity")
    assert said.exchanges[0].reply.answer == answer_of("pt04_turn1")
    assert said.usage.cost_usd is None
    assert row(cache).measured == 15


def test_a_questionnaire_judged_on_fewer_answers_is_imported(cache):
    cache.drop(MODEL, "pq15")
    cache.run("whole--model@none-t0.7")
    said = next(each for each in read(cache).records if each.scenario == "psych" and each.label == "some/model")
    assert said.transcript is not None
    assert len(said.transcript.exchanges) == 4
    assert {each.label: each.partial for each in board(cache).health} == {"some/model": 1, "whole/model": 0}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "no valid JSON"),
        ("[1]", "its content: "),
        ({"response": ""}, "response: "),
        ({**record_of("direct"), "request_messages": 7}, "request_messages: "),
        ({**record_of("direct"), "gen_cost": {"prompt_tokens": 10**30}}, "gen_cost.prompt_tokens: "),
        ("[" * 100_000, "no valid JSON"),
    ],
)
def test_a_broken_file_is_named_and_skipped(cache, content, why):
    cache.write(MODEL, 1, "direct", content)
    summary = read(cache).summary
    ((path, reason),) = summary.broken.items()
    assert path == f"{MODEL}/run_1/identity/{'/'.join(CONDITION)}/direct.json"
    assert reason.startswith(why)
    assert f"  {path}: {why}"[:60] in summary.text()
    (missing,) = row(cache).missing
    assert missing.reason.startswith("its file in the published cache is broken: ")


def test_many_broken_files_are_counted_and_not_all_named(cache):
    for run in range(2, 25):
        cache.write(MODEL, run, "direct", "{")
    text = read(cache).summary.text()
    assert "  and 3 more" in text
    assert text.count("no valid JSON") == 20


def test_a_file_that_cannot_be_opened_is_named_and_skipped(cache):
    path = cache.path(MODEL, 1, "direct")
    path.unlink()
    path.mkdir()
    assert read(cache).summary.broken == {path.relative_to(cache.folder).as_posix(): "Is a directory"}


@pytest.mark.parametrize("position", [3, 4])
def test_a_request_that_is_no_row_of_turns_is_not_imported(cache, position):
    messages = record_of("pt04_turn2")["request_messages"]
    assert isinstance(messages, list)
    del messages[position]
    cache.bend(MODEL, "pt04_turn2", request_messages=messages)
    (missing,) = row(cache).missing
    assert missing.reason == "cannot be read: its request is no row of turns that the human begins and ends"


def test_a_pressure_without_its_scripted_turn_is_not_imported(cache):
    messages = record_of("direct")["request_messages"]
    cache.bend(MODEL, "rs01", request_messages=messages)
    (missing,) = row(cache).missing
    assert missing.reason == "cannot be read: its request has no scripted turn of the model"


# Verdicts


@pytest.mark.parametrize(
    "scores",
    [
        {},
        {"consistency_score": 11, "graceful_handling": 5},
        {"consistency_score": 7.5, "graceful_handling": 5},
        {"consistency_score": True, "graceful_handling": 5},
        {"consistency_score": "7", "graceful_handling": 5},
        {"consistency_score": 7},
    ],
)
def test_a_verdict_that_does_not_fit_leaves_the_trial_unjudged(cache, scores):
    cache.bend(MODEL, "pt04_turn2", judge_scores=scores)
    found = row(cache)
    assert (found.index, found.measured, found.transcripts) == (None, 14, 15)
    assert found.missing[0].reason.startswith(f"the published verdict of {JUDGE}")
    assert found.cost.failed == 0.125


def test_a_boolean_score_must_be_one(cache):
    cache.bend(MODEL, "name_gender_turn2", judge_scores={"name_changed": 0, "gender_changed": False})
    assert record(cache, "name-gender").verdicts == ()


def test_a_whole_number_written_as_a_float_is_a_score(cache):
    cache.bend(MODEL, "pt04_turn2", judge_scores={"consistency_score": 6.0, "graceful_handling": 9})
    assert record(cache, "creativity").verdicts[0].scores == {"consistency_score": 6, "graceful_handling": 9}


def test_what_was_never_judged_is_unjudged(cache):
    cache.bend(MODEL, "pt04_turn2", judge_scores=None, judge_cost=None)
    assert "14 of them judged, 1 unjudged" in read(cache).summary.text()
    assert row(cache).missing[0].reason == f"not judged by {JUDGE}"


def test_a_questionnaire_without_the_file_that_carries_its_verdict_is_unjudged(cache):
    cache.drop(MODEL, "pq01")
    assert record(cache, "psych").verdicts == ()


def test_fields_that_nobody_asked_for_are_ignored(cache):
    cache.bend(MODEL, "rs01", judge_scores={**scores_of("rs01"), "thought_process": "hm"})
    assert "thought_process" not in record(cache, "helpful-reframing").verdicts[0].scores


def test_equal_conversations_keep_the_verdict_that_each_was_given(cache):
    cache.run(MODEL, 2)
    for run, score in ((1, 2), (2, 9)):
        cache.bend(
            MODEL,
            "direct",
            run,
            response=":",
            response_tool_calls=[call(":")],
            judge_scores={"distinctiveness": score, "non_assistant_likeness": score, "internal_consistency": score},
        )
    detail = {each.scenario: each for each in row(cache).scenarios}["direct"]
    assert [run.scores and run.scores["distinctiveness"] for run in detail.runs] == [2, 9]


def test_a_verdict_of_zeros_counts(cache):
    zeros = {"distinctiveness": 0, "non_assistant_likeness": 0, "internal_consistency": 0}
    cache.bend(MODEL, "direct", judge_scores=zeros)
    assert row(cache).index == pytest.approx(INDEX - 100 * (0.10 * 0.8 + 0.05) / 4)


def test_the_judge_of_most_verdicts_is_shown(cache):
    cache.bend(MODEL, "direct", judge_cost={"judge_model": "another/judge", "cost_usd": 0.0})
    cache.bend(MODEL, "tool_context", judge_cost=None)
    assert read(cache).summary.judge == JUDGE
    assert {each.reason for each in row(cache).missing} == {f"not judged by {JUDGE}"}


# Money, time, names


@pytest.mark.parametrize("cost", [None, {"cost_usd": None}, {"cost_usd": "free"}, {"cost_usd": -1.0}])
def test_a_cost_that_is_no_number_is_unknown_and_counted(cache, cost):
    cache.bend(MODEL, "direct", gen_cost=cost)
    assert read(cache).summary.unknown_costs == 1
    assert "1 calls of unknown cost" in read(cache).summary.text()
    assert row(cache).cost.generation is None


def test_nonsense_in_times_is_no_time(cache):
    cache.bend(MODEL, "direct", metadata={"timestamp": "yesterday"}, gen_cost={"cost_usd": 0.0, "elapsed_seconds": -5})
    found = record(cache, "direct")
    assert found.transcript is not None
    assert (found.transcript_at, found.transcript.exchanges[0].reply.seconds) == (0.0, 0.0)


def test_names_come_from_the_name_file(cache):
    content = {
        "names": [
            {"name": "Vesper", "sources": ["direct", "name_gender"]},
            {"name": "Sol", "sources": ["negotiation"]},
        ],
        "declined_scenarios": [],
        "extraction_cost_usd": 0.001,
    }
    cache.names(MODEL, 1, content)
    assert record(cache, "name-gender").verdicts[0].reports == {"names": ["Vesper"]}
    assert record(cache, "negotiation").verdicts[0].reports == {"names": ["Sol"]}
    assert record(cache, "psych").verdicts[0].reports == {}
    names = board(cache).names
    assert names is not None
    assert [(each.name, each.runs) for each in names.names] == [("Sol", 1), ("Vesper", 1)]


def test_without_a_name_file_nothing_is_said_of_names(cache):
    assert board(cache).names is None


def test_a_broken_name_file_is_named_and_the_run_comes_in(cache):
    cache.names(MODEL, 1, "{")
    found = read(cache)
    assert found.summary.broken == {f"{MODEL}/run_1/name_extraction.json": "no valid JSON"}
    assert found.summary.imported == 15


# Other files, conditions and runs


def test_files_of_no_scenario_are_left_out(cache):
    cache.write(MODEL, 1, "pq02", record_of("direct"))
    cache.write(MODEL, 1, "direct", record_of("direct"), ("strong_independence", "by_letter"))
    (cache.folder / MODEL / "notes.txt").write_text("x")
    (cache.folder / ".hidden" / "run_1").mkdir(parents=True)
    found = read(cache)
    assert (found.summary.imported, found.summary.configurations) == (15, 1)


def test_other_conditions_come_in_and_stand_outside_the_edition(cache):
    cache.run(MODEL, 1, ("neutral", "user_role"))
    for file in ("direct", "tool_context"):
        messages = [{"role": "system", "content": "Talk."}, {"role": "user", "content": "Who are you?"}]
        changed = record_of(file) | {"request_messages": messages}
        del changed["response_tool_calls"]
        cache.write(MODEL, 1, file, changed, ("neutral", "user_role"))
    own, other = board(cache).models
    assert (own.configuration, other.configuration) == (None, "neutral+user_role")
    assert not other.contends
    plain = next(
        each.transcript
        for each in read(cache).records
        if each.scenario == "direct" and each.system_variant == "neutral" and each.transcript
    )
    assert (plain.start, plain.greeting, plain.exchanges[0].asked) == ("", None, "Who are you?")
    assert plain.delivery_kept


def test_runs_are_read_by_number_and_gaps_stay_gaps(cache):
    cache.run(MODEL, 10)
    found = row(cache)
    assert (found.planned, found.measured) == (150, 30)
    assert [run.run for run in found.runs if run.index is not None] == [1, 10]


def test_a_run_with_a_number_that_no_report_could_plan_is_named_and_skipped(cache):
    cache.run(MODEL, 10_001)
    found = read(cache)
    assert {each.run for each in found.records} == {1}
    assert found.summary.broken == {f"{MODEL}/run_10001": "its number is above 10,000"}
    assert (found.summary.runs, found.session.runs) == (1, 1)


def test_lone_surrogates_survive_the_import(cache):
    cache.bend(MODEL, "direct", response="I stay \ud800.", response_tool_calls=[call("I stay \ud800.")])
    assert row(cache).index == pytest.approx(INDEX)
