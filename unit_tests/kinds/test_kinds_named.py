"""Kinds of edition are reached through their registry: nobody outside asks for one by its name."""

import re
from pathlib import Path

from independence_bench.kind_registry import KINDS

PACKAGE = Path(__file__).parents[2] / "plugin" / "independence_bench"
ALLOWED = {
    "kind_registry.py": "says where each kind is",
    "options.json": "says which kinds take an option",
    "cli/store_commands.py": "holds the commands `roles`, which computes on answer files, and `form`, which prints what a form asks",
}
"""File → why it may."""


def names_a_kind(text: str) -> bool:
    """Whether a source names one of the kinds, imports one, or asks what kind something is."""
    quoted = "|".join(KINDS)
    asked = rf"\bkind\s*(?:[=!]=|in)\s*[\"'(\[{{]+\s*[\"']?(?:{quoted})\b"
    own = "|".join(name for name in KINDS if name != "index")  # an index is a word of every report
    return bool(re.search(rf"\bkinds\.(?:{quoted})\b|[\"'](?:{own})[\"']|\b\w+\.(?:{own})\b(?!\()|{asked}", text))


def test_only_who_has_a_reason_names_a_kind() -> None:
    sources = [path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".js", ".html", ".json"}]
    outside = [path for path in sources if path.relative_to(PACKAGE).parts[0] != "kinds"]
    naming = {path.relative_to(PACKAGE).as_posix() for path in outside if names_a_kind(path.read_text("utf-8"))}

    assert naming == set(ALLOWED)


def test_such_a_question_is_found() -> None:
    for text in (
        'if edition.kind == "roles":',
        "if view.session.edition.kind != 'index':",
        "from independence_bench.kinds.index.measuring import MEASURING",
        "if (site.roles) return;",
        "{{ edition.roles }}",
    ):
        assert names_a_kind(text), text
    assert not names_a_kind('row.index; "index"; reported_kind(edition.kind).load()')
