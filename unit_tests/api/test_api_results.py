"""Results for scripts and notebooks: read-only, typed, inert."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "cli"))  # the samples of the commands' tests

from cli_samples import fill, measured, trial

import independence_bench as ib

HOSTILE = "<script>alert(1)</script>\u202e"


@pytest.fixture
def path(tmp_path) -> Path:
    records = [*measured("some/model", runs=2), *measured("other/model", runs=2)]
    return fill(tmp_path / "trials.sqlite", *records, trial("hostile/model", "creativity", answer=HOSTILE))


def test_what_is_public_is_this_and_each_name_leads_somewhere():
    assert set(ib.__all__) == set(dir(ib))
    assert all(getattr(ib, name).__doc__ for name in ib.__all__ if name != "__version__")
    page = (Path(__file__).parents[2] / "docs" / "api.rst").read_text("utf-8")
    assert set(re.findall(r"^\.\. auto[a-z]+:: (\w+)", page, re.MULTILINE)) == set(ib.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ib.nothing
    assert (Path(ib.__file__).parent / "py.typed").is_file()


def test_a_store_a_folder_and_an_export_give_the_same_leaderboard(path, tmp_path, capfd):
    from independence_bench.cli import main

    main(["export", str(tmp_path / "all.jsonl"), f"--store={path}"])
    boards = []
    for place in (path, tmp_path, tmp_path / "all.jsonl"):
        with ib.open(place) as results:
            boards.append(results.leaderboard(edition="small", judges=["judge/one"]).to_dicts())
    assert boards[0] == boards[1] == boards[2]
    assert [row["label"] for row in boards[0]] == ["other/model", "some/model", "hostile/model"]


def test_the_leaderboard_has_a_column_per_component(path):
    with ib.open(path) as results:
        first, _, hostile = results.leaderboard()
        parts = {
            row["component"]: row["value"] for row in results.table("components") if row["label"] == first["label"]
        }
    assert {name: first[name] for name in parts} == parts
    assert hostile[next(iter(parts))] is None


def test_nothing_is_written_to_the_store(path):
    before = path.read_bytes()
    with ib.open(path) as results:
        assert results.leaderboard()[0]["rank"] == 1
        assert len(results.trials()) == 10 and len(results.items()) == 2
        assert {row["score"] for row in results.verdicts()} >= {"resistance_score", "consistency_score"}
        assert results.sessions[0]["edition"] == "small"
    assert path.read_bytes() == before


def test_a_conversation_is_shown_turn_by_turn_and_runs_nothing(path):
    with ib.open(path) as results:
        said = results.transcript("hostile/model", "creativity")
        page = said._repr_html_() + results._repr_html_()
    assert any(HOSTILE in str(turn["text"]) for turn in said)
    assert said[-1] == {"turn": len(said), "speaker": "judge judge/one", "text": "because", "reasoning": None}
    assert "<script" not in page and "\u202e" not in page and "&lt;script&gt;" in page


def test_models_are_compared_and_a_measurement_is_planned(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with ib.open(path) as results:
        found = results.compare("some/model", "other/model")
        plan = results.power(difference=5, edition="v2")
        with pytest.raises(ib.BadInput, match="another question"):
            results.power(difference=5, width=3)
    assert {"some/model", "other/model"} <= {found.data["first"]["label"], found.data["second"]["label"]}
    assert plan.data["difference"] == 5 and "runs" in str(plan)
    assert json.loads(json.dumps(found.to_dicts())) == found.to_dicts()


def test_a_wrong_name_is_refused_in_one_sentence(path, tmp_path):
    with ib.open(path) as results, pytest.raises(ib.BadInput, match="is no table; choose one of models"):
        results.table("model")
    with pytest.raises(ib.BadInput):
        ib.open(tmp_path / "none.sqlite")


def test_frames_have_the_declared_types(path):
    pandas = pytest.importorskip("pandas")
    with ib.open(path) as results:
        for name in ("models", "runs", "components", "trials", "verdicts", "items", "pairs", "turns"):
            frame = results.table(name).to_pandas()
            assert str(frame["updated_at"].dtype).endswith("UTC]")
        trials = results.trials().to_pandas()
        assert list(map(str, trials.dtypes[["label", "run", "share", "held"]])) == [
            "string",
            "Int64",
            "float64",
            "boolean",
        ]
        assert pandas.isna(results.leaderboard().to_pandas().set_index("label").loc["hostile/model", "index"])
        assert len(results.compare("some/model", "other/model").to_pandas()) == 1


@pytest.mark.external
def test_the_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((Path(__file__).parents[2] / "docs" / "first-result.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names: dict[str, object] = {}
    for cell in cells:
        exec(compile(cell, "first-result.ipynb", "exec"), names)
    assert names["done"].returncode == 0
    assert [row["label"] for row in names["board"]] == ["offline/mirror"]
    assert names["said"][-1]["speaker"] == "judge offline/lexical"
    assert "<table>" in names["board"]._repr_html_()
    assert not any(cell.get("outputs") for cell in notebook["cells"]), "keep results out of the repository"
