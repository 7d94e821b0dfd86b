"""Blocks as Markdown: what is ours is markup, what is not is text."""

import pytest

from independence_bench.report.blocks import (
    Bullets,
    Column,
    Command,
    Heading,
    Lines,
    Name,
    Note,
    Paragraph,
    Table,
    named,
    paragraph,
    phrase,
)
from independence_bench.report.views.markdown import markdown, section, written

HOSTILE = "**a** | <b>"
INERT = "\\*\\*a\\*\\* &#124; &lt;b&gt;"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (HOSTILE, INERT),
        (phrase("**{}**", HOSTILE), f"**{INERT}**"),
        (Name("vendor/model"), "`vendor/model`"),
        (Name("`a`"), "&#96;a&#96;"),
        (Command("pytest --runs=2"), "`pytest --runs=2`"),
        (Command("pytest `a`"), "pytest &#96;a&#96;"),
        (Lines("one\n<b>"), "one<br>&lt;b&gt;"),
        ([1, "a", Name("b")], "1, a, `b`"),
        ("97.6", "97.6"),
        ("-0.3", "-0.3"),
        ("1. item", "1\\. item"),
        ("- item", "\\- item"),
        (named("m", "neutral+user_role", "💭"), "`m` 💭 (neutral+user_role)"),
    ],
)
def test_a_value_is_inert_unless_it_is_ours(value, shown):
    assert written(value) == shown


def test_blocks_stand_apart_by_an_empty_line():
    listed = Bullets(["**a**", Bullets([phrase("{}", HOSTILE)])])
    blocks = [Heading("One", 1), Paragraph(["a", "b"]), paragraph("c"), listed, Note(HOSTILE)]
    assert markdown(blocks) == f"# One\n\na\nb\n\nc\n\n- **a**\n  - {INERT}\n\n> {INERT}"


def test_a_table_shows_what_pages_show():
    columns: list[Column[str]] = [
        Column("Rank", lambda row: "1", right_on_page=False),
        Column("Model", lambda row: row, "", "m", page=lambda row: Name(row)),
    ]
    assert markdown([Table(columns, ["a"])]) == "| Rank | Model |\n| --- | --: |\n| 1 | `a` |"


def test_a_section_without_blocks_is_none():
    assert section("Costs", []) == []
    assert markdown(section("Costs", [paragraph("0")])) == "## Costs\n\n0"
