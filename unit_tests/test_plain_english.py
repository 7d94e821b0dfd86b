"""No message and no page uses a phrase that a native reader stumbles over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
UNCLEAR = {
    better: re.compile(phrase)
    for better, phrase in {
        "distinguish, significantly different": r"\b(tells?|telling|told)( \w+){0,3} apart\b",
        "again, from scratch": r"\banew\b",
        "as many as, per": r"\bso (many|much)\b[^.;:,]{0,40}? as\b",
        "permanently": r"\bfor good\b(?! reason)",
        "pressure, press": r"\blean(s|t|ed|ing)? on\b",
        "by its own standard": r"\bby (its|their) own lights\b",
        "represents, means": r"\b(stand|stands|standing|stood) for\b",
        "its own, separate": r"\bof (its|their) own\b(?=\W*($|[.,:;?!)|]|(and|as|beside|but|by|for|from|gets|has|have|in|is"
        r"|of|on|or|so|than|that|there|to|under|when|where|which|while|with)\b))",
        "no one": r"\bnobody\b",
        "who, the reader, anyone who": r"\bwhoever\b(?! (provides|says)\b)",
        "compute, expect": r"\breckon",
        "has or tolerates an error": r"\bbears? (an |the )?errors?\b",
        "ask, present": r"\bputs? to\b",
    }.items()
}
"""What to write instead → the phrase, as a regular expression."""
QUOTED = "An independent model moves when it is given a reason by its own lights, and stays when it is only leaned on."
"""The one quotation, of what edition v3 sets out to measure."""
PAGES = ("*.md", "docs/**/*.md", "docs/**/*.ipynb", "docs/*.rst", "reports/README.md", "CITATION.cff", "pyproject.toml")
SHOWN = ("**/*.html", "**/*.js", "**/*.css", "**/*.yaml", "**/options.json")
SPOKEN = ("/offline/", "/embedded/")
"""Folders whose words the embedded models speak, or read in what is said to them: instruments, no messages."""

JOINED = re.compile(r"""["']\n\s+f?["']""")
"""Between two strings that Python joins."""


def files() -> list[Path]:
    found = [file for pattern in PAGES for file in CHECKOUT.glob(pattern) if file.name != "CHANGELOG.md"]
    found += [file for folder in ("plugin", "bench_tests") for file in (CHECKOUT / folder).rglob("*.py")]
    found += [file for pattern in SHOWN for file in (CHECKOUT / "plugin").glob(pattern)]
    found += (CHECKOUT / "configs").glob("*.yaml")  # what is below it is text that is measured with, or pinned
    return sorted(file for file in found if not any(folder in file.as_posix() for folder in SPOKEN))


def texts_of(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of what a file says: of code its strings and docstrings, of anything else all."""
    text = file.read_text("utf-8")
    if file.suffix != ".py":
        yield 1, text
    elif unclear(JOINED.sub("", text)):  # most files need no parsing
        yield from strings(text)


def strings(code: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def unclear(text: str) -> list[tuple[int, str, str]]:
    """Line, phrase and what to write instead, of each unclear phrase of a text."""
    one_line = text.replace("\n", " ").replace(QUOTED, " " * len(QUOTED)).lower()
    found = [(m.start(), m[0], better) for better, phrase in UNCLEAR.items() for m in phrase.finditer(one_line)]
    return [(text.count("\n", 0, place), phrase, better) for place, phrase, better in sorted(found)]


def test_each_phrase_is_found_and_ordinary_words_are_not() -> None:
    unread = (
        "Models that nobody can tell from each\nother are told\napart anew. A self of its own, which it leans on for good. "
        "So many runs as scenarios. It stands for what is put to whoever reckons with it by its own lights and bears an error."
    )
    assert {better for _, _, better in unclear(unread)} == set(UNCLEAR)
    assert unclear("The digest of its own source, for good reason so many times; it puts the input together.") == []


def test_messages_and_pages_are_plain_english() -> None:
    found = [
        f"{file.relative_to(CHECKOUT)}:{first + line}: {phrase!r}; better: {better}"
        for file in files()
        for first, text in texts_of(file)
        for line, phrase, better in unclear(text)
    ]
    assert "\n".join(found) == ""
