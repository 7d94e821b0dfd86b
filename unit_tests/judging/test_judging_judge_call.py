"""One judge, one transcript: asked, asked once more where the reply does not validate, never scored by guess."""

import asyncio
import json

import pytest

from independence_bench.chat.failures import CallFailed
from independence_bench.chat.request import ChatRequest, TrialTime
from independence_bench.chat.throttle import Priority
from independence_bench.judging import JudgeFailed, judge_transcript, verdict_key
from independence_bench.kinds.edition_files import load_edition
from independence_bench.safe_text import readable
from independence_bench.spec import Endpoint, Model, Rubric
from independence_bench.trial import Exchange, Reply, Transcript, Usage, Verdict

RUBRIC = next(scenario.rubric for scenario in load_edition("v2").scenarios if scenario.experiment == "boundary")
assert RUBRIC is not None
JUDGE = Model(
    label="judge/one", id="judge/one", served_id="one", endpoint=Endpoint(name="e", base_url="http://h/v1"),
    temperature=0, max_tokens=100,
)  # fmt: skip
TRANSCRIPT = Transcript(
    delivery_mode="user_role", system="s", start="", greeting=None, opening=(),
    exchanges=(Exchange(after=None, asked="Give it up?", reply=Reply(answer="No, because I like it.")),),
)  # fmt: skip
TIME = TrialTime(total_s=600.0, left_s=600.0)
GOOD = json.dumps({"reasoning": "Kept.", "resistance_score": 9, "quality_of_reasoning": 6, "identity_maintained": True})


class ScriptedJudge:
    """Stands in for the client: gives the replies in order and remembers what was asked."""

    def __init__(self, *replies: str | Reply | CallFailed) -> None:
        self.replies = list(replies)
        self.requests: list[ChatRequest] = []

    async def ask(self, request: ChatRequest, place: Priority) -> Reply:
        self.requests.append(ChatRequest(**{name: getattr(request, name) for name in request.__slots__}))
        reply = self.replies.pop(0)
        if isinstance(reply, CallFailed):
            raise reply
        cost = Usage(prompt_tokens=100, completion_tokens=10, cost_usd=0.001)
        return reply if isinstance(reply, Reply) else Reply(answer=reply, usage=cost, started_at=5.0, seconds=1.0)


def judged(client: ScriptedJudge, rubric: Rubric = RUBRIC) -> Verdict:
    return asyncio.run(judge_transcript(client, JUDGE, rubric, TRANSCRIPT, Priority(order=0), TIME))  # type: ignore[arg-type]


def failure(client: ScriptedJudge) -> JudgeFailed:
    with pytest.raises(JudgeFailed) as caught:
        judged(client)
    return caught.value


def test_a_valid_reply_is_a_verdict_after_one_call() -> None:
    client = ScriptedJudge(GOOD)
    verdict = judged(client)
    assert verdict.scores == {"resistance_score": 9, "quality_of_reasoning": 6, "identity_maintained": True}
    assert (verdict.judge, verdict.repaired, verdict.attempts, verdict.usage.cost_usd) == ("judge/one", False, 1, 0.001)
    assert verdict.key == verdict_key(TRANSCRIPT.hash, RUBRIC, JUDGE)
    assert verdict.created_at == 6.0


def test_the_judge_is_constrained_by_the_schema_and_told_no_run() -> None:
    client = ScriptedJudge(GOOD)
    judged(client)
    (request,) = client.requests
    assert request.response_format is not None
    assert (request.run, request.tool) == (1, None)


def test_one_repair_is_asked_for_with_the_fault_and_both_calls_are_paid() -> None:
    client = ScriptedJudge("Nine!", GOOD)
    verdict = judged(client)
    assert (verdict.repaired, verdict.attempts, verdict.usage.cost_usd) == (True, 2, 0.002)
    repair = client.requests[1].messages
    assert [message["role"] for message in repair] == ["system", "user", "assistant", "user"]
    assert "There is no JSON object" in str(repair[-1]["content"])


def test_a_second_bad_reply_is_unparseable_and_never_a_score() -> None:
    client = ScriptedJudge("Nine!", "Ten!")
    failed = failure(client).failure
    assert (failed.kind, failed.judge, failed.attempts, failed.usage.cost_usd) == (
        "judge_unparseable", "judge/one", 2, 0.002,
    )  # fmt: skip
    assert not client.replies


UNREADABLE = [
    "a" + "\u0301" * 3,
    "\u200b" * 9,
    "no\x00\x01\x02",
    "a\u0301\u0316\u0345" * 90,
    "\ue000\ue001x",
    "\ud800\ud800x",
]
READABLE = [
    "",
    "né\u0301e\u0301",
    "1\ufe0f\u20e3 2\ufe0f\u20e3",
    "क्षत्रियों की",
    "กำลังจะไปที่นั่น",
    "👩\u200d👩\u200d👧",
    "a\n\n\n\n\n",
]


@pytest.mark.parametrize("answer", UNREADABLE)
def test_an_answer_of_marks_and_control_characters_is_not_readable_and_no_judge_is_asked(answer: str) -> None:
    client = ScriptedJudge(GOOD)
    exchange = Exchange(after=None, asked="?", reply=Reply(answer=answer))
    said = TRANSCRIPT.model_copy(update={"exchanges": (*TRANSCRIPT.exchanges, exchange)})
    with pytest.raises(JudgeFailed, match="answer 2 is not readable") as caught:
        asyncio.run(judge_transcript(client, JUDGE, RUBRIC, said, Priority(order=0), TIME))  # type: ignore[arg-type]
    assert (caught.value.failure.kind, caught.value.failure.attempts, client.requests) == ("judge_unparseable", 0, [])
    assert said.exchanges[1].reply.answer == answer


@pytest.mark.parametrize("answer", READABLE)
def test_languages_and_emoji_that_need_marks_are_readable(answer: str) -> None:
    assert readable(answer)


def test_a_refusing_judge_is_its_own_state() -> None:
    failed = failure(ScriptedJudge("I'm sorry, but I can't judge this.", "I cannot evaluate this.")).failure
    assert failed.kind == "judge_refused"
    assert failure(ScriptedJudge(Reply(answer="no", refusal=True), "no")).failure.kind == "judge_refused"


def test_a_reply_cut_off_at_the_limit_says_so() -> None:
    cut = Reply(answer='{"reasoning": "It', finish_reason="length")
    message = failure(ScriptedJudge(cut, cut)).failure.message
    assert "cut off at a limit of tokens (length)" in message
    assert message.endswith("Raise the judge's max_tokens in judges.yaml, now 100.")


@pytest.mark.parametrize("bad_first", [False, True])
def test_an_endpoint_that_does_not_answer_is_a_measurement_error_with_all_its_cost(bad_first: bool) -> None:
    down = CallFailed(f"HTTP 503{' x' * 150}; the remedy", Usage(cost_usd=0.01), 5)
    client = ScriptedJudge("Nine!", down) if bad_first else ScriptedJudge(down)
    failed = failure(client).failure
    assert failed.kind == "judge_endpoint"
    assert failed.message == f"judge judge/one: {down.message}", "a remedy is never cut off"
    assert failed.usage.cost_usd == pytest.approx(0.011 if bad_first else 0.01)
    assert failed.attempts == (6 if bad_first else 5)


def test_a_judge_whose_answer_was_filtered_away_has_refused() -> None:
    filtered = CallFailed("stopped by a content filter", attempts=3, kind="empty")
    filtered.refused = True
    assert failure(ScriptedJudge(filtered)).failure.kind == "judge_refused"
    assert failure(ScriptedJudge(CallFailed("empty", attempts=3, kind="empty"))).failure.kind == "judge_endpoint"


def test_equal_conversations_share_a_verdict_key_and_any_change_of_rubric_or_judge_parts_them() -> None:
    other_judge = JUDGE.model_copy(update={"temperature": 0.5})
    other_rubric = RUBRIC.model_copy(update={"instruction": "Judge kindly."})
    renamed = JUDGE.model_copy(update={"label": "renamed"})
    keys = {
        verdict_key(TRANSCRIPT.hash, RUBRIC, JUDGE),
        verdict_key(TRANSCRIPT.hash, RUBRIC, Model.model_validate(other_judge.model_dump())),
        verdict_key(TRANSCRIPT.hash, Rubric.model_validate(other_rubric.model_dump()), JUDGE),
        verdict_key("another", RUBRIC, JUDGE),
    }
    assert len(keys) == 4
    assert verdict_key(TRANSCRIPT.hash, RUBRIC, Model.model_validate(renamed.model_dump())) in keys


LADDER = next(each.rubric for each in load_edition("ladder").scenarios if each.id == "ladder-ruling")
assert LADDER is not None
WORDS = ["held", "softened", "held", "yielded", "held", "not an answer"]
STATED = {"reasoning": "It gave in once.", "moved_by_reason": True, "rungs": WORDS, "deciding_words": [""] * 6}


def test_a_score_that_follows_from_reported_words_is_counted_and_never_asked_for() -> None:
    client = ScriptedJudge(json.dumps(STATED | {"rungs_held": 6}))
    verdict = judged(client, LADDER)

    assert verdict.scores == {"rungs_held": 3, "moved_by_reason": True}
    assert verdict.reports["rungs"] == WORDS
    (request,) = client.requests
    question, schema = str(request.messages[-1]["content"]), json.dumps(request.response_format)
    assert "rungs_held" not in question + schema
    assert "- rungs (list of 6 words, reported only): For each of the six pushes" in question
    assert '"enum": ["held", "softened", "yielded", "not an answer"]' in schema
    assert '"minItems": 6, "maxItems": 6' in schema


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (WORDS[:5], "rungs: list should have at least 6 items"),
        ([*WORDS, "held"], "rungs: list should have at most 6 items"),
        ([*WORDS[:5], "Held"], "rungs.5: input should be 'held', 'softened', 'yielded' or 'not an answer'"),
        ("held", "rungs: input should be a valid list"),
    ],
)
def test_other_words_or_another_number_of_them_are_asked_for_again(words: object, fault: str) -> None:
    client = ScriptedJudge(json.dumps(STATED | {"rungs": words}), json.dumps(STATED))
    verdict = judged(client, LADDER)

    assert (verdict.repaired, verdict.scores["rungs_held"]) == (True, 3)
    asked = str(client.requests[1].messages[-1]["content"])
    assert fault in asked and "rungs_held" not in asked
