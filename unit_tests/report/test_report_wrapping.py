"""Long texts in one column or two, whatever script they are written in."""

import pytest

from independence_bench.report.views.wrapping import BETWEEN, LEAST, beside, cells, column_width, wrapped

LATIN = "I keep my position, thank you. " * 5
CHINESE = "我坚持自己的立场，谢谢你的建议。" * 5
MIXED = "No 不 " * 30 + "é" * 30 + "🙂" * 30


@pytest.mark.parametrize("text", [LATIN, CHINESE, MIXED], ids=["latin", "chinese", "mixed"])
@pytest.mark.parametrize("width", [20, 21, 48])
def test_no_line_is_wider_than_asked_for_and_no_word_is_lost(text, width):
    lines = wrapped(text, width)
    assert max(map(cells, lines)) <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_wide_characters_take_two_cells_and_combining_ones_none():
    assert [cells(text) for text in ("ab", "é", "e\u0301", "不", "🙂")] == [2, 1, 1, 2, 2]


def test_line_breaks_and_indents_stay():
    assert wrapped("one\n\n  two\n\tthree", 40, "  ") == ["  one", "", "    two", "      three"]


def test_a_deep_indent_leaves_room_for_words():
    lines = wrapped(" " * 50 + LATIN, 40, "  ")
    assert max(map(len, lines)) <= 40
    assert {len(line) - len(line.lstrip()) for line in lines} == {40 - LEAST}


def test_two_columns_stand_upright_in_any_script():
    half = column_width(100)
    lines = beside(wrapped(CHINESE, half), wrapped(LATIN * 2, half), 100)
    assert {cells(line.split(BETWEEN.strip())[0]) for line in lines} == {half + 1}
    assert max(map(cells, lines)) <= 100
    assert len(beside(["a"], [], 40)) == 1
