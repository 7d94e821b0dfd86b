"""The packaged verdicts of the earlier benchmark are a source like any other, without a word of an answer."""

import gzip
import json
from pathlib import Path

import pytest
from published_cache.score_tables import read_published_scores
from published_export import PACKAGED, export_of_tables
from published_table import SCORES, by_hand

import independence_bench as ib
from independence_bench.bad_input import BadInput
from independence_bench.cli import main


def few(folder: Path, *labels: str, change: tuple[str, str] = ("", "")) -> Path:
    """Return a folder with the rows of these models, one text in their lines replaced."""
    folder.mkdir()
    for name in ("models.csv", "scores.csv"):
        head, *lines = (SCORES / name).read_text("utf-8").splitlines()
        kept = [line.replace(*change) if name == "scores.csv" else line for line in lines if line.startswith(labels)]
        (folder / name).write_text("\n".join([head, *kept]) + "\n", "utf-8")
    return folder


def exported(folder: Path) -> Path:
    """Return the export of a folder's tables, beside them."""
    file = folder / "scores.jsonl"
    file.write_bytes(export_of_tables(folder))
    return file


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return few(tmp_path / "two", "claude-haiku-4.5@none-t0.7,", "gpt-5.4@low-t1.0,")


def test_the_index_is_that_of_the_table(two: Path) -> None:
    with ib.open(exported(two)) as results:
        found = {row["label"]: row["index"] for row in results.leaderboard().to_dicts()}
    assert found == pytest.approx(by_hand(two)) and len(found) == 2


def test_no_answer_and_no_question_is_made_up(two: Path) -> None:
    with ib.open(exported(two)) as results:
        said = results.transcript("gpt-5.4@low-t1.0", "creativity", run=1)
    assert all(
        "only the scores" in str(turn["text"]) for turn in said.to_dicts() if turn["speaker"] in ("human", "model")
    )


def test_how_a_withheld_answer_was_delivered_is_not_known_anywhere(two: Path, tmp_path: Path) -> None:
    with ib.open(exported(two)) as results:
        assert {row["delivery_share"] for row in results.leaderboard().to_dicts()} == {None}
        assert {row["delivery_kept"] for row in results.trials().to_dicts()} == {None}
    store = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["import", str(exported(two)), store]) == main(["site", store, f"--reports={tmp_path}"]) == 0
    data = tmp_path / "site" / "data"
    answer = (data / "answers-1.js").read_text("ascii")
    assert '"withheld":true' in answer and '"kept"' not in answer


def test_without_texts_relevance_is_unknown_withholds_nothing_and_the_row_says_so(two: Path, tmp_path: Path) -> None:
    store = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["import", str(exported(two)), store]) == main(["report", store, f"--reports={tmp_path}"]) == 0
    for row in json.loads((tmp_path / "leaderboard.json").read_text("utf-8"))["models"]:
        assert (row["relevance"], row["relevance_unknown"]) == (None, "its texts are withheld")
        assert row["index"] is not None and row["no_index"] is None
    (page, _) = (tmp_path / "models").iterdir()
    assert "relevance unknown (its texts are withheld)" in page.read_text("utf-8")


def test_the_packaged_export_is_that_of_the_tables_and_needs_no_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = export_of_tables()
    assert gzip.decompress(PACKAGED.read_bytes()) == tables, "python benchmarks/published_export.py writes another"
    assert main(["import", "published-scores", f"--store={tmp_path / 'store.sqlite'}"]) == 0
    assert "7209 verdicts, 1 session and 130 model configurations new" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ((",creativity,", ",cretivity,"), "cretivity"),
        ((",tool_role,", ",by_post,"), "user_role"),
        ((",10,10,", ",10,11,"), "10"),
        ((",1,strong_", ",-1,strong_"), "run: '-1' is not a whole number from 1 to 10,000"),
        ((",1,strong_", ",1000000000,strong_"), "run: '1000000000' is not a whole number"),
        ((",1,strong_", f",{'9' * 5000},strong_"), "run: '999"),
        ((",1,strong_", ",1,2,strong_"), "not as many fields"),
        (("claude-haiku", "claude-koan"), "label: 'claude-koan-4.5@none-t0.7' is not known"),
        ((",creativity,", f",{'x' * 140_000},"), "field larger"),
    ],
)
def test_a_table_that_contradicts_the_edition_is_refused_by_its_line(
    tmp_path: Path, change: tuple[str, str], why: str
) -> None:
    folder = few(tmp_path / "bad", "claude-haiku-4.5@none-t0.7,", change=change)
    with pytest.raises(BadInput, match=r"scores\.csv.* line \d+.*" + why + ".*; correct it, or take both tables from"):
        read_published_scores(folder)


def test_whatever_shows_the_published_scores_says_whose_they_are(two: Path, tmp_path: Path) -> None:
    store, reports = f"--store={tmp_path / 'store.sqlite'}", f"--reports={tmp_path}"
    assert main(["import", str(exported(two)), store]) == main(["report", store, reports]) == 0
    assert main(["site", store, reports]) == 0
    for name in ("LEADERBOARD.md", "site/README.md", "site/index.html", "site/scenarios.html", "site/method.html"):
        text = (tmp_path / name).read_text("utf-8")
        assert "AI Independence Bench by mikhailsal, MIT licence" in text, name
    assert "@misc{data" in text and 'id="about"' in text
