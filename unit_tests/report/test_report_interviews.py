"""Interviews as a reader meets them: both sides of the conversation once, items with their words, answers and scores."""

from independence_bench.report.analysis.passages import answered_items, passages
from independence_bench.report.formats.inspect_logs import messages_and_events
from independence_bench.trial import Exchange, Reply, Transcript

FRAME = "How much is this person like you?\n\n{}\n\n(A) very much\n(B) not at all\n\nAnswer in the form (X)."


def exchange(after: int | None, asked: str, answer: str, **more: object) -> Exchange:
    return Exchange(after=after, asked=asked, reply=Reply(answer=answer), **more)  # type: ignore[arg-type]


def question(item: int | None, words: str, answer: str) -> Exchange:
    return exchange(2, FRAME.format(words), answer, item=item, options=(6, 1))


def transcript(*exchanges: Exchange) -> Transcript:
    talk = (
        exchange(None, "1. e4", "1... c5, I say."),
        exchange(0, "1... c5, I say.", "2. Nf3", by_interlocutor=True),
        exchange(1, "2. Nf3", "2... d6"),
    )
    return Transcript(
        delivery_mode="user_role",
        system="You are Ada.",
        start="",
        greeting=None,
        opening=(),
        exchanges=(*talk, *exchanges),
    )


def test_each_message_of_the_conversation_stands_once_under_who_said_it() -> None:
    said = [(passage.speaker, passage.text) for passage in passages(transcript(question(1, "She reads.", "(A)")))]
    assert said[:5] == [
        ("system", "You are Ada."),
        ("interlocutor, scripted", "1. e4"),
        ("persona", "1... c5, I say."),
        ("interlocutor, played by the same model", "2. Nf3"),
        ("persona", "2... d6"),
    ]
    assert said[5][0] == "question, item 1"
    assert said[6] == ("persona", "(A)")


def test_inspect_gets_every_answer_as_the_assistants_also_where_the_model_speaks_as_the_human() -> None:
    messages, events = messages_and_events("key", "id/model", transcript(question(1, "She reads.", "(A)")))

    said = [event["output"]["choices"][0]["message"] for event in events]
    assert [each["role"] for each in said] == ["assistant"] * 4
    assert [each["role"] for each in messages] == [
        "system", "user", "assistant", "user", "assistant", "user", "assistant",
    ]  # fmt: skip
    for event, answer in zip(events, said, strict=True):
        ((begin, end),) = event["input_refs"]  # ranges of all messages
        assert (begin, messages[end]["content"]) == (0, answer["content"])


def test_an_item_shows_its_own_words_answer_score_and_option() -> None:
    one, two = answered_items(transcript(question(1, "She reads.", "(B)"), question(2, "She\nsings.", "(A)")))
    assert (one.item, one.words, one.answers_line, one.score, one.option) == (1, "She reads.", "(B)", 1, "not at all")
    assert (two.words, two.score) == ("She sings.", 6)
    assert one.asked.startswith("How much")


def test_a_question_put_twice_is_one_item_with_both_answers() -> None:
    (one,) = answered_items(transcript(question(1, "She reads.", "I will\nnot say."), question(1, "She reads.", "no")))
    assert one.answers_line == "I will not say. → no"
    assert (one.score, one.option) == (None, None)


def test_a_choice_has_no_item_and_its_frame_is_not_that_of_the_ratings() -> None:
    choice = exchange(2, "Which is least?\n\n(A) thrift\n(B) peace", "(B)", options=(4, 9))
    found = answered_items(transcript(question(1, "She reads.", "(A)"), question(2, "She sings.", "(A)"), choice))
    assert [each.words for each in found] == ["She reads.", "She sings.", "Which is least?"]
    assert (found[2].item, found[2].score, found[2].option) == (None, 9, "peace")


def test_an_item_of_which_nothing_is_its_own_shows_its_first_line() -> None:
    one, two = answered_items(transcript(question(1, "The same.", "(A)"), question(2, "The same.", "(B)")))
    assert one.words == two.words == "How much is this person like you?"
