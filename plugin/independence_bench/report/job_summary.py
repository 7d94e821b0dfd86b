"""The summary of a CI job: a gate's answer, and the first part of the page that a session writes."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from independence_bench.safe_text import safe_text

VARIABLE = "GITHUB_STEP_SUMMARY"  # names the file to which a job's steps append Markdown
_SECTION = re.compile(r"^## ", re.MULTILINE)
_MODEL_PAGE = re.compile(r"\[(`+[^`\n]{1,300}`+)\]\(models/[\w.-]{1,250}\)")
"""A link to a page that lies beside the report and not beside a summary."""


def append_summary(make: Callable[[], str]) -> str | None:
    """Append Markdown to the summary of this CI job, if it has one; return what prevents that, as the answer counts."""
    path = os.environ.get(VARIABLE)
    if not path:
        return None
    text = make()
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")
    except OSError as error:
        return f"{VARIABLE}: {safe_text(path)} cannot be written ({error.strerror})"
    return None


def first_section(page: str) -> str:
    """Return a page up to the end of its first section: title, notes and ranking, without links to other files."""
    begins = [match.start() for match in _SECTION.finditer(page)]
    first = page[: begins[1]].rstrip() + "\n" if len(begins) > 1 else page
    return _MODEL_PAGE.sub(r"\1", first)
