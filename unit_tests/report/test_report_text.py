"""Blocks in a terminal: tables that fit its width, and nothing that could steer it."""

import pytest

from independence_bench.report.blocks import Column, Name, Table, phrase, plain_text
from independence_bench.report.views.text import shorten_text, shortened_apart, table_text


def column(head: str, place: int, **shape: object) -> Column[tuple[str, ...]]:
    return Column(head, lambda row: row[place], **shape)  # type: ignore[arg-type]


def test_long_texts_are_cut_in_the_middle():
    assert shorten_text("abcdefghij", 10) == "abcdefghij"
    assert shorten_text("abcdefghijk", 10) == "abcdef…ijk"
    assert len(shorten_text("x" * 99, 18)) == 18


def test_a_text_that_is_cut_keeps_its_url_where_there_is_room():
    url = "http://127.0.0.1:8080/v1"
    text = f"15 × no connection to {url}: refused; no answer so far. Is the server running, and is its URL right (--endpoint, --judge-endpoint)?"
    for width in range(len(url) + 2, len(text) + 1):
        cut = shorten_text(text, width)
        assert url in cut, width
        assert len(cut) <= width
    assert shorten_text(text, 60) == f"15 × no connection to {url}: refused; no…"
    assert shorten_text(text, 30) == f"… to {url}…"
    assert len(shorten_text(text, 20)) == 20


@pytest.mark.parametrize("width", [22, 30, 40])
@pytest.mark.parametrize(
    "own", [("@off-t0+h:1+max=80", "@off-t1.3+h:1+max=80"), ("#w1", "#w2", "#w10"), ("", "+max=80")]
)
def test_texts_that_a_cut_would_make_equal_keep_what_they_differ_in(own, width):
    ends = ("", "+127.0.0.1:18080+max=80#2026-11-21")
    for labels in ([f"local/smollm2-135m-instruct{each}{end}" for each in own] for end in ends):
        cut = shortened_apart([*labels, labels[0]], width)
        assert len(set(cut)) == len(labels)
        assert cut[-1] == cut[0]
        assert max(map(len, cut)) <= width
    assert shortened_apart(["a" * 50, "b" * 50], 10) == [shorten_text("a" * 50, 10), shorten_text("b" * 50, 10)]


def test_the_widest_column_is_cut_first_and_none_below_its_least():
    table = Table(
        [column("a", 0, right=False, least=20), column("b", 1, right=False, least=10)], [("x" * 30, "y" * 40)]
    )
    assert table_text(table, 62).splitlines()[-1] == "x" * 30 + "  " + shorten_text("y" * 40, 30)
    assert table_text(table, 32).splitlines()[-1] == shorten_text("x" * 30, 20) + "  " + shorten_text("y" * 40, 10)
    assert table_text(table, 20).splitlines()[-1] == shorten_text("x" * 30, 20) + "  " + shorten_text("y" * 40, 10)


def test_columns_that_must_stay_stay_even_where_there_is_no_room():
    table = Table([column("a", 0), column("b", 1, importance=0.5)], [("x" * 30, "y")])
    text = table_text(table, 10, say_left_out=True).replace("\n", " ")
    assert "x" * 30 in text and text.endswith("b.")


def test_columns_left_out_are_named_as_a_sentence_names_them():
    narrow = column("Delivered", 1, narrow="deliv-\nered", importance=0.5)
    table = Table([column("a", 0), narrow], [("x" * 30, "y")])
    assert "too narrow): delivered." in table_text(table, 50 - 20, say_left_out=True).replace("\n", " ")


def test_a_column_for_pages_is_not_in_a_terminal():
    table = Table([column("a", 0), column("b", 1, only="page")], [("x", "y")])
    assert table_text(table, 80).split() == ["a", "-", "x"]


def test_a_phrase_loses_its_marks_and_its_values_what_steers_a_terminal():
    told = phrase("**{}** of {}, `--runs`", Name("a\x1b[2J"), ["b\n", phrase("{} more", 2)])
    assert plain_text(told) == "a [2J of b, 2 more, --runs"
