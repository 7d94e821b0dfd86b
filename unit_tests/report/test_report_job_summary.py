"""The summary of a CI job: appended, cut to a page's first part, and never a reason to lose an answer."""

import pytest

from independence_bench.report.job_summary import VARIABLE, append_summary, first_section

PAGE = "# Leaderboard\n\nA note.\n\n## Ranking\n\n| a |\n|---|\n\n### More\n\n## Costs\n\nMany.\n"


def test_a_summary_is_appended_and_a_broken_one_loses_nothing(tmp_path, monkeypatch):
    file = tmp_path / "summary.md"
    file.write_text("before\n")

    monkeypatch.delenv(VARIABLE, raising=False)
    assert append_summary(lambda: pytest.fail("nobody reads it")) is None
    monkeypatch.setenv(VARIABLE, str(file))
    assert append_summary(lambda: "after") is None
    assert file.read_text(encoding="utf-8") == "before\n\nafter"
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert str(append_summary(lambda: "after")).startswith(f"{VARIABLE}: {tmp_path} cannot be")


def test_a_page_is_cut_after_its_first_section():
    assert first_section(PAGE) == PAGE.split("\n## Costs")[0]
    assert first_section("# Title\n\nNothing.\n") == "# Title\n\nNothing.\n"
