"""LEADERBOARD.md read by a real Markdown parser: no text of a model, judge, server or import changes its structure.

Parsed as GitHub reads it: tables, strikethrough, bare links. What must be equal is the whole tree but for its words.
"""

import re
from functools import cache, lru_cache
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_samples import EDITION, GOOD, JUDGE, SECOND_JUDGE, World, board_of, cells, leaderboard_markdown, session_of

from independence_bench.catalog.editions import Edition
from independence_bench.report.views.model_pages import FILE_NAME, FOLDER, model_pages
from independence_bench.safe_text import safe_text

HARMLESS = "Ärmel und Kragen"
HOSTILE = {
    "HTML": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "HTML in capitals and unclosed": "<IMG SRC=javascript:alert(1)//",
    "HTML comment": "<!-- hidden -->",
    "processing instruction": "<?php echo 1 ?>",
    "entity": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &copy",
    "link": "[read this](javascript:alert(1))",
    "link with a title": '[x](<http://evil.example> "title")',
    "reference": "[x][y]",
    "definition": "[y]: http://evil.example",
    "footnote": "[^1] and [^1]: text",
    "image": "![pixel](http://evil.example/p.png)",
    "autolink": "<http://evil.example> <a@evil.example>",
    "bare link": "see https://evil.example/x?y=1 and http://evil.example",
    "bare host": "see www.evil.example and WWW.EVIL.EXAMPLE",
    "mail": "write to a@evil.example or mailto:a@evil.example",
    "other schemes": "ftp://evil.example javascript:alert(1) data:text/html,x file:///etc/passwd xmpp:a@b.example",
    "host without scheme": "evil.example.com/path and //evil.example.com",
    "mention and issue": "@somebody please see #12 and GH-12",
    "heading": "# Rank 1",
    "heading by underline": "Rank 1\n======",
    "rule": "---",
    "list": "- item\n- item",
    "numbered list": "1. item",
    "task list": "- [x] done",
    "quote": "> quoted",
    "code": "`code` and ``more `code` ``",
    "code fence": "```\nmine\n```",
    "indented code": "    mine",
    "emphasis": "*a* **b** _c_ __d__ ~~e~~ ~f~",
    "table row": "| a | b |\n|---|---|",
    "table pipe": "a | b || c \\| d",
    "line breaks": "a\n\n## Ranking\n\nb\r\n\r\n# c\u2028# d\u0085# e\x0b# f",
    "hard break": "two spaces  \nand \\\nbackslash",
    "backslashes": "\\ \\\\ \\` \\| \\[x](y)",
    "math": "$x$ $$y$$ \\(z\\)",
    "emoji name": ":tada: :+1:",
    "bidi": "\u202edevil\u202c \u2066x\u2069",
    "zero width": "ht\u200btps://evil.example w\u200bww.evil.example <\u200bb>",
    "ANSI": "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07x\x1b]8;;\x07",
    "surrogate": "\ud800 half \udfff",
    "colour": "`#ff0000`",
    "front matter": "---\ntitle: x\n---",
}


@cache
def parser() -> MarkdownIt:
    """As GitHub reads it: a bare link needs a scheme or www."""
    markdown_it = MarkdownIt("gfm-like")
    markdown_it.linkify.add("www.", {"validate": _host}).add("//", None).set({"fuzzy_link": False})  # type: ignore[union-attr]
    return markdown_it


@lru_cache(maxsize=1)  # the same report is read for its structure and for its words
def parsed(source: str) -> list[Token]:
    return parser().parse(source)


def _host(this: object, text: str, position: int) -> int:
    found = re.match(r"[A-Za-z0-9.-]+", text[position:])
    return len(found[0]) if found else 0


def world_with(text: str) -> World:
    """A store in which this text stands wherever a text that is not ours can stand."""
    judge = JUDGE.model_copy(update={"label": f"{text} (judge)", "heuristic": True})
    second = SECOND_JUDGE.model_copy(update={"label": text})
    edition = Edition.model_validate(EDITION.model_dump() | {"title": text})
    planned = cells(edition=edition) + cells("neutral", "user_role", official=False)
    world = World(session_of(panel=(judge, second), planned=planned, edition=edition))
    reports: dict[str, str | list[str] | None] = {"names": [text], "final_name": text, "gender": text}
    for model in ("a", "b"):
        for name in GOOD:
            world.trial(model, name, GOOD[name], judges=(judge, second), reports=reports if model == "a" else None)
    for name in GOOD:
        world.trial("a", name, GOOD[name], judges=(judge, second), variant="neutral", delivery="user_role")
    world.know("a", text, model_id="m/a", provider=text, vendor=text, reasoning_effort="high", build=text)
    world.know("b", f"{text} again", model_id="m/b", vendor=f"{text} too")
    world.failure("c", "who", text)
    world.failure("c", "praise", text, judge=text)
    world.know("c", f"{text} once more", model_id="m/c")
    return world


def markdown(text: str) -> str:
    world = world_with(text)
    board = board_of(world)
    return "\n\n".join([leaderboard_markdown(board), *model_pages(board).values()])


def tree(source: str) -> list[Any]:
    """The parsed document without its words: blocks, and what within a line is more than text."""
    found: list[Any] = []
    for token in parsed(source):
        found.append((token.type, token.tag, token.level, dict(token.attrs)))
        # A label that holds nothing special stands as code, all others as text.
        inner = [child for child in token.children or [] if child.type not in ("text", "text_special", "code_inline")]
        found += [(child.type, child.tag, "a page of ours" if ours(child) else dict(child.attrs)) for child in inner]
    return found


def ours(link: Any) -> bool:
    """Whether it leads to a model's page, whose name a label decides, or back."""
    folder, _, name = str(link.attrs.get("href", "")).rpartition("/")
    return bool(folder == FOLDER and FILE_NAME.fullmatch(name)) or (folder, name) == ("..", "LEADERBOARD.md")


def words(source: str) -> str:
    """What a reader sees, in one line."""
    texts: list[str] = []
    for token in parsed(source):
        texts.append("".join(child.content for child in token.children or []))
    return " ".join(" ".join(texts).split())


def test_the_parser_sees_what_it_must_not_see_here() -> None:
    shown = {
        kind
        for text in HOSTILE.values()
        for before in ("x\n\n", "x ")
        for token in parser().parse(f"{before}{text}")
        for kind in kinds(token)
    }
    assert shown >= {
        "html_inline", "html_block", "link_open", "image", "heading_open", "code_inline", "fence", "s_open",
        "strong_open", "em_open", "bullet_list_open", "ordered_list_open", "blockquote_open", "table_open", "hr",
        "hardbreak",
    }  # fmt: skip


def kinds(token: Any) -> list[str]:
    return [token.type, *(child.type for child in token.children or [])]


@pytest.fixture(scope="module")
def harmless() -> list[Any]:
    return tree(markdown(HARMLESS))


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_text_changes_the_structure_of_the_report_and_a_reader_sees_it_as_it_was_said(
    text: str, harmless: list[Any]
) -> None:
    source = markdown(text)
    assert tree(source) == harmless
    shown = words(source).replace("\u2060", "")  # the word joiner that keeps addresses from being links
    assert shown.count(safe_text(text)) >= 8


def test_our_own_texts_make_no_html_but_the_fold_and_link_only_to_pages_of_ours(harmless: list[Any]) -> None:
    shown = [each for each in harmless if each[0] in ("link_open", "image", "html_inline", "html_block")]
    assert {each[0] for each in shown if each[2] != "a page of ours"} == {"html_block"}
    first, *blocks = [token.content for token in parsed(markdown(HARMLESS)) if token.type == "html_block"]
    assert re.fullmatch(r"<details><summary>\d+ notes: [a-z ]+</summary>\n", first)
    analyses = len(blocks) // 2
    assert analyses > 1
    assert blocks == ["</details>\n", *["<details><summary>Show</summary>\n", "</details>\n"] * analyses]
