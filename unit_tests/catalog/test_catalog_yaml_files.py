"""YAML files become frozen models, or one sentence that names file, line, key and remedy."""

import os
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Component
from independence_bench.catalog.rows import ModelRow, ScenarioFile
from independence_bench.catalog.yaml_files import read_mapping, validated


def refusal(tmp_path: Path, text: str) -> str:
    file = tmp_path / "models.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_mapping(file)
    assert "\n" not in str(caught.value)
    assert str(file) in str(caught.value)
    return str(caught.value)


def test_malformed_yaml_is_told_by_its_line(tmp_path: Path) -> None:
    assert "line 3" in refusal(tmp_path, "models:\n  - label: a\n   id: b\n")


def test_a_duplicate_key_is_refused_with_its_line(tmp_path: Path) -> None:
    told = refusal(tmp_path, "models: []\nmodels: []\n")
    assert "line 2" in told
    assert "'models'" in told
    assert "twice" in told


def test_a_duplicate_key_deep_inside_is_refused_too(tmp_path: Path) -> None:
    assert "'id'" in refusal(tmp_path, "models:\n  - id: a\n    id: b\n")


def test_a_python_tag_is_not_executed(tmp_path: Path) -> None:
    left_behind = tmp_path / "executed"
    assert "python/object" in refusal(tmp_path, f"models: !!python/object/apply:os.mkdir ['{left_behind}']\n")
    assert not left_behind.exists()


def test_a_key_that_is_no_text_is_refused(tmp_path: Path) -> None:
    assert "quotes" in refusal(tmp_path, "off: 1\n")


@pytest.mark.parametrize(
    "text", ["? !!str [a]\n: 1\n", "? !!str {a: b}\n: 1\n", "? !!str {=: a}\n: 1\n", "!!int x: 1\n", "a: !!int x\n"]
)
def test_a_tag_that_its_value_does_not_fit_is_refused(tmp_path: Path, text: str) -> None:
    refusal(tmp_path, text)


@pytest.mark.parametrize("text", ["- a\n- b\n", "", "just text\n"])
def test_a_file_without_a_mapping_is_refused(tmp_path: Path, text: str) -> None:
    assert "mapping" in refusal(tmp_path, text)


def test_a_missing_file_and_bytes_that_are_no_text_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_mapping(tmp_path / "none.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(BadInput, match="UTF-8"):
        read_mapping(tmp_path / "binary.yaml")


def test_a_wrong_type_names_the_dotted_key_and_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"models\.0\.temperature: .*'warm'"):
        validated(ModelRow, {"label": "a", "id": "a/b", "temperature": "warm"}, tmp_path / "m.yaml", "models.0")


def test_an_unknown_key_gets_its_near_match(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"temprature: unknown key; did you mean 'temperature'"):
        validated(ModelRow, {"label": "a", "id": "a/b", "temprature": 1}, tmp_path / "m.yaml")


@pytest.mark.parametrize(
    ("shape", "content", "told"),
    [
        (ScenarioFile, {"id": "a", "turn": []}, "turn: unknown key; did you mean 'turns'?"),
        (
            Component,
            {"wieght": 1, "parts": [{"score": "s", "scenarios": ["a"]}]},
            "wieght: unknown key; did you mean 'weight'?",
        ),
        (
            ScenarioFile,
            {
                "id": "a",
                "title": "A",
                "claim": "c",
                "experiment": "x",
                "rubric": "r",
                "turns": [{"human": "?"}],
                "pass": [{"score": "s", "atleast": 7}],
            },
            "pass.0.atleast: unknown key; did you mean 'at_least'?",
        ),
        (ScenarioFile, {"id": "a", "zzz": []}, "zzz: unknown key; remove it"),
    ],
)
def test_an_unknown_key_inside_or_in_place_of_a_needed_one_gets_its_near_match(
    tmp_path: Path, shape: type[BaseModel], content: dict[str, object], told: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(told)):
        validated(shape, content, tmp_path / "m.yaml")


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"m\.yaml: id: this key is missing; add it"):
        validated(ModelRow, {"label": "a"}, tmp_path / "m.yaml")


def test_a_bare_off_that_yaml_read_as_false_is_explained(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match='in quotes: "off"'):
        validated(ModelRow, {"label": "a", "id": "a/b", "reasoning_effort": False}, tmp_path / "m.yaml")


def test_a_model_that_must_reason_cannot_be_listed_without_reasoning(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs reasoning"):
        validated(ModelRow, {"label": "a", "id": "a/b", "reasoning_required": True}, tmp_path / "m.yaml")


@pytest.mark.parametrize("text", ["[" * 100_000, "a: " + "{a: " * 5000, "- " * 100_000, "[" * 450, "? " * 50_000])
def test_a_file_nested_deeper_than_any_of_ours_is_refused(tmp_path: Path, text: str) -> None:
    said = refusal(tmp_path, text)
    assert "nested too deeply" in said or "expected" in said


def test_many_rows_are_no_depth(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    file.write_text("models:\n" + "- {a: [1, 2]}\n" * 2000)
    assert len(read_mapping(file)["models"]) == 2000


def test_a_device_a_pipe_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    for place in ("/dev/zero", "pipe", "huge"):
        file.unlink(missing_ok=True)
        file.symlink_to(place)
        if place == "pipe":
            os.mkfifo(tmp_path / place)
        elif place == "huge":
            with (tmp_path / place).open("wb") as huge:
                huge.truncate(1 << 33)
        with pytest.raises(BadInput, match=r"no regular file|text \(it is larger than 4 MB\);"):
            read_mapping(file)
