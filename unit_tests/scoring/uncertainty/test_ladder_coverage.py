"""The intervals of edition ladder hold the truth of simulated models, and its page shows what the benchmark prints."""

import re
from pathlib import Path

import ladder_coverage
import ladder_picture
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "methodology" / "ladder.md"


def printed(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr("sys.argv", ["ladder_coverage.py", *words])
    ladder_coverage.main()
    return capsys.readouterr().out


def test_intervals_by_run_hold_the_truth_and_distant_models_differ(monkeypatch, capsys) -> None:
    text = printed(["--models=300", "--seed=2"], monkeypatch, capsys)
    held = [float(share) for share in re.findall(r"\| ([\d.]+) % \| [\d.]+ \|", text)]
    assert len(held) == 5 and min(held) >= 91, "300 models err by 1.3 points"
    assert re.search(r"\| 0\.2 and 0\.4 \| (?:[89]\d|100) % \|", text)


@pytest.mark.external
def test_the_page_shows_the_table_that_the_benchmark_prints(monkeypatch, capsys) -> None:
    rows = re.findall(r"^\| 0\.\d+ \|.*$", printed([], monkeypatch, capsys), re.MULTILINE)
    shown = re.findall(r"^\| 0\.\d+ \|.*$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert rows == shown and len(rows) == 5


@pytest.mark.external
def test_the_picture_is_that_of_the_embedded_models(tmp_path: Path) -> None:
    ladder_picture.draw(drawn := tmp_path / "ladder.svg")
    assert drawn.read_text("utf-8") == ladder_picture.PICTURE.read_text("utf-8")
