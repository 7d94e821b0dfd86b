"""The pages that explain the project, and the marked blocks in them."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bench_project import CHECKOUT

PAGES = (
    CHECKOUT / "README.md",
    CHECKOUT / "CONTRIBUTING.md",
    CHECKOUT / "SECURITY.md",
    CHECKOUT / "CHANGELOG.md",
    CHECKOUT / "AGENTS.md",
    CHECKOUT / "reports" / "README.md",
    *sorted((CHECKOUT / "docs").rglob("*.md")),
)
_FENCE = re.compile(r"(?:^<!-- (test|ci): ([a-z-]+) -->\n)?^```([\w{}-]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """One fenced block with the mark above it; kind and name are empty where there is no mark right above it."""

    page: str
    kind: str
    name: str
    language: str
    text: str


def path_of(page: Path) -> str:
    """A page's path within the project."""
    return page.relative_to(CHECKOUT).as_posix()


def text_of(page: Path) -> str:
    """A page's text."""
    return page.read_text(encoding="utf-8")


def prose_of(page: Path) -> str:
    """A page's text without its fenced blocks."""
    return _FENCE.sub("", text_of(page))


@cache
def anchors_of(page: Path) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    headings = re.findall(r"^#+ (.+)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def table_of(page: Path, heading: str, place: int = 0) -> list[list[str]]:
    """The cells of the first table below a heading, or of a later one, without its head."""
    section = text_of(page).split(f"\n{heading}\n", 1)[1]
    tables = re.findall(r"(?:^\|.*\|\n)+", section, re.MULTILINE)
    assert len(tables) > place, heading
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in tables[place].splitlines()[2:]]


BLOCKS = [
    Block(path_of(page), kind, name, language, text)
    for page in PAGES
    for kind, name, language, text in _FENCE.findall(text_of(page))
]
TESTED = {block.name: block for block in BLOCKS if block.kind == "test"}
