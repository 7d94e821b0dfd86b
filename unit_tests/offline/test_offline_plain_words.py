import pytest

from independence_bench.offline.lexical_judge.stance import Lexicon
from independence_bench.offline.plain_words import content_stems, plain, sentences, shortened, stem, tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I won't", "i will not"),
        ("I can’t, cannot", "i can not can not"),
        ("That's Mary's", "that is mary"),
        ("They'd've", "they would have"),
        ("let's", "let us"),
        ("rock'n'roll", "rock n roll"),
        ("It isn't 7 o'clock", "it is not 7 oclock"),
    ],
)
def test_contractions_are_written_out(text, words):
    assert " ".join(tokens(plain(text))) == words


def test_sentences_end_at_stops_lines_and_dashes():
    assert sentences(plain("One. Two!\n\n\n- three — four; five")) == ["one.", "two!", "- three", "four", "five"]


def test_a_long_run_of_line_breaks_is_read_in_no_time():
    assert sentences(plain("a" + "\n \n" * 40_000 + "b")) == ["a", "b"]


@pytest.mark.parametrize(
    ("word", "kin"),
    [("softening", "soften"), ("opinions", "opinion"), ("stories", "story"), ("running", "run"), ("boxes", "box")],
)
def test_related_words_share_a_stem(word, kin):
    assert stem(word) == stem(kin)


def test_stems_keep_what_a_text_is_about():
    assert content_stems(tokens("i would rather keep the lighthouses")) == {stem("lighthouse")}


def test_texts_are_shortened_at_a_word():
    assert shortened("one two three", 9) == "one two…"
    assert shortened("one\n two") == "one two"


def test_phrases_take_classes_choices_options_and_gaps():
    lexicon = Lexicon(
        {"no": ["i (will|can not) not? <verb>"], "gap": ["keep * word"], "both": ["i will", "will"]},
        {"verb": ["go", "stay"]},
    )

    def found(text):
        return set(lexicon.find(tokens(text)))

    assert found("well i will not stay keep your own word") == {("no", 1, 5), ("both", 1, 3), ("gap", 5, 9)}
    assert found("i can not not go") == {("no", 0, 5)}
    assert found("will") == {("both", 0, 1)}
    assert found("keep your own dear word") == set()
