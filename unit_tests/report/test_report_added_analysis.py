"""An analysis that a developer adds, to ANALYSES and with its field, is in every report without further change."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import Field
from report_samples import board_of, details_text, leaderboard_markdown
from test_report_site import world_of, written

from independence_bench.report.analysis import leaderboard
from independence_bench.report.analysis.leaderboard import ANALYSES, Leaderboard
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.analysis.tidy_tables import TABLES
from independence_bench.report.blocks import Block, Column, Name, Table, paragraph
from independence_bench.report.views.json_text import json_text


class Survival(ModelName):
    """How many trials of one model held."""

    held: int


def _compute(measured: Measurements) -> list[Survival]:
    return [
        Survival(
            **entry.row.fields_of(ModelName), held=sum(trial.outcome.held is True for trial in entry.result.trials)
        )
        for entry in measured.own
    ]


def _blocks(found: list[Survival]) -> Iterator[Block[Survival]]:
    yield paragraph("How many trials survive?")
    yield Table(
        [Column("Model", lambda row: Name(row.label), right=False), Column("Held out", lambda r: r.held)], found
    )


class WithSurvival(Leaderboard):
    """The leaderboard with the analysis' field."""

    survival: list[Survival] = Field(default_factory=list)


@pytest.fixture(params=["analyses.html", "scenarios.html", "judges.html"])
def page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page of the viewer that an added analysis asks for."""
    added = Analysis("survival", "Who survives", _compute, _blocks, page=request.param)
    monkeypatch.setattr(leaderboard, "ANALYSES", (*ANALYSES, added))
    monkeypatch.setattr(leaderboard, "Leaderboard", WithSurvival)
    return request.param


def test_an_added_analysis_is_in_terminal_page_json_viewer_and_tables(page: str, tmp_path: Path) -> None:
    world = world_of("a/one", "b/two")
    board = board_of(world)

    details = details_text(board, world.session.edition)
    assert "\nWho survives  --" in details and "\n\nHow many trials survive?\n\nModel" in details
    text = leaderboard_markdown(board)
    assert "\n## Who survives\n" in text and "| Model | Held out |" in text
    assert json.loads(json_text(board, "models"))["survival"] == [
        {"label": "b/two", "identity": "b/two", "held": 0},
        {"label": "a/one", "identity": "a/one", "held": 0},
    ]
    site = written(tmp_path, world)
    showing = {path.name for path in site.glob("*.html") if "How many trials survive?" in path.read_text("utf-8")}
    assert showing == {page}
    assert '<section aria-labelledby="survival">' in (site / page).read_text("utf-8")
    source = BoardRecords.of(world.store, world.session, board)
    rows = [row for row in TABLES["analyses"].records(source) if row["analysis"] == "survival"]
    assert [(row["subject"], row["column"], row["value"], row["text"]) for row in rows] == [
        ("b/two", "Held out", 0, "0"),
        ("a/one", "Held out", 0, "0"),
    ]
    assert any(",survival," in line for line in (site / "downloads" / "analyses.csv").read_text("utf-8").splitlines())
