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
            (each.name, each.minimum, each.maximum) for each in own.rubric.scores if each.name != "position_taken"
        ]
        assert theirs.rubric.digest != own.rubric.digest
        assert theirs.title not in ("", own.title)
        assert "In the source: " in theirs.claim and theirs.claim != own.claim
        assert not {*theirs.turns} & {*own.turns}
    assert {cell.script_digest for cell in session.cells} == {each.script_digest for each in found.records}
    assert session.id.startswith("import-")
    assert session.options == {"imported": "published cache"}
    assert list(zip(session.labels, session.configurations, strict=True)) == sorted(
        (each.label, each.configuration) for each in found.configurations
    )


# Labels


def test_a_registered_folder_has_its_published_label_and_facts(cache):
    cache.run(KNOWN)
    found = {each.label: each for each in board(cache).models}
    assert set(found) == {"some/model", "kimi-k2.5+moonshot@none-t0.7"}
    assert found["kimi-k2.5+moonshot@none-t0.7"].provider == "moonshotai/int4"
    assert found["some/model"].reasoning_effort == "none"
    assert found["some/model"].temperature == 0.7


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


@pytest.mark.parametrize("position", [3, 4])
def test_a_request_that_is_no_row_of_turns_is_not_imported(cache, position):
    messages = record_of("pt04_turn2")["request_messages"]
    assert isinstance(messages, list)
    del messages[position]
    cache.bend(MODEL, "pt04_turn2", request_messages=messages)
    (missing,) = row(cache).missing
    assert missing.reason == "cannot be read: its request is no row of turns that the human begins and ends"


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


# Money, time, names


@pytest.mark.parametrize("cost", [None, {"cost_usd": None}, {"cost_usd": "free"}, {"cost_usd": -1.0}])
def test_a_cost_that_is_no_number_is_unknown_and_counted(cache, cost):
    cache.bend(MODEL, "direct", gen_cost=cost)
    assert read(cache).summary.unknown_costs == 1
    assert "1 calls of unknown cost" in read(cache).summary.text()
    assert row(cache).cost.generation is None


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


# Other files, conditions and runs


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
