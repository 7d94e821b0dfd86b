"""Which option an answer names."""

import pytest

from independence_bench.option_labels import labels, read_label


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("(B)", "B"),
        ("B", "B"),
        ("b", "B"),
        ("(b)", "B"),
        ("  (C).  ", "C"),
        ("**D**", "D"),
        ("[E]", "E"),
        ("B)", "B"),
        ("Answer: B", "B"),
        ("The answer is B.", "B"),
        ("My answer: (B), because I like it.", "B"),
        ("B: a little like me", "B"),
        ("B - a little like me", "B"),
        ("I would say that this is (C) for me.", "C"),
        ("I choose C", "C"),
        ("As a person of my time I pick option A.", "A"),
        ("A person like that is close to me: (F)", "F"),
        ("(A) (A)", "A"),
        ("Option A is what I am.", "A"),
        ("A", "A"),
        ("A.", "A"),
        ("(A), and not what a stranger would say (he said so)", "A"),
        ("Ich wähle B", "B"),
    ],
)
def test_an_answer_that_names_one_option_is_read(answer: str, named: str) -> None:
    assert read_label(answer, 6) == labels(6).index(named)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "very much like me",
        "(A) or (B)",
        "A or B",
        "Either C, or D.",
        "(Z)",
        "G",
        "I am not sure.",
        "A person of principle would not answer that.",
        "As an AI I have no preferences.",
        "I'd rather not say.",
        "1",
        "Vitamin-B-rich food",
    ],
)
def test_an_answer_that_names_none_or_several_is_not(answer: str) -> None:
    assert read_label(answer, 6) is None


def test_the_letter_i_is_a_label_where_there_are_nine_options() -> None:
    assert read_label("(I)", 9) == 8
    assert read_label("I", 9) == 8
    assert read_label("I.", 9) == 8
    assert read_label("I would choose (C)", 9) == 2
    assert read_label("I would choose C", 9) == 2
    assert read_label("My answer is I", 9) == 8
    assert read_label("I", 6) is None


def test_labels_go_on_after_z() -> None:
    assert labels(30)[24:] == ("Y", "Z", "AA", "AB", "AC", "AD")
    assert read_label("(AB)", 30) == 27
    assert read_label("AB", 30) == 27
    assert read_label("(AE)", 30) is None


def test_there_are_labels_for_702_options_and_no_more() -> None:
    assert len(labels(702)) == 702
    with pytest.raises(ValueError, match="703"):
        labels(703)
