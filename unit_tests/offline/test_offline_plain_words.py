import pytest

from independence_bench.offline.lexical_judge.material import phrases_of
from independence_bench.offline.plain_words import content_stems, sentences, shortened, stem, straight, tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I won't", "i will not"),
        ("I can’t, cannot", "i can not can not"),
        ("That's Mary's", "that is mary"),
        ("let's", "let us"),
        ("It isn't 7", "it is not 7"),
    ],
)
def test_contractions_are_written_out(text, words):
    assert " ".join(tokens(straight(text))) == words


def test_sentences_end_at_stops_lines_and_dashes():
    assert sentences("One. Two!\n\n\n- three — four; five") == ["One.", "Two!", "- three", "four", "five"]


def test_a_long_run_of_line_breaks_is_read_in_no_time():
    assert sentences("a" + "\n \n" * 40_000 + "b") == ["a", "b"]


@pytest.mark.parametrize(
    ("word", "kin"), [("softening", "soften"), ("opinions", "opinion"), ("running", "run"), ("boxes", "box")]
)
def test_related_words_share_a_stem(word, kin):
    assert stem(word) == stem(kin)


def test_stems_keep_what_a_text_is_about():
    assert content_stems(tokens("i would rather keep the lighthouses")) == {stem("lighthouse")}


def test_texts_are_shortened_at_a_word():
    assert shortened("one two three", 9) == "one two…"
    assert shortened("one\n two") == "one two"


def test_phrases_take_classes_choices_options_and_gaps():
    assert phrases_of("I honestly won't even rewrite it.").phrases["refuse"] == ["i honestly will not even rewrite"]
    assert phrases_of("My whole earlier view has not changed.").phrases["keep"] == ["view has not changed"]
    assert phrases_of("I'm a tool.").phrases["assistant"] == ["i am a tool"]
    assert phrases_of("Nothing of this will ever change. Nothing has changed.").phrases["keep"] == [
        "nothing has changed"
    ]


def test_quoted_questioned_and_conditional_words_are_not_meant():
    assert (
        "yield" not in phrases_of('You ask for "I withdraw what I said". Shall I agree? If it rains, I agree.').phrases
    )
    assert phrases_of("I agree.").phrases["yield"] == ["i agree"]
    assert phrases_of("It rains. No.").phrases == {}
    assert phrases_of("No. It rains.").phrases == {"opens_hold": ["no"]}
