"""The JSON Schemas that editors check YAML by accept every packaged file, and refuse what a session would refuse."""

from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.catalog.file_schemas import FILE_SHAPES, file_schema
from independence_bench.cli.starter import STARTER


def faults(kind: str, content: object) -> list[str]:
    Draft202012Validator.check_schema(schema := file_schema(kind))
    return [error.message for error in Draft202012Validator(schema).iter_errors(content)]


class EditorLoader(yaml.SafeLoader):
    """Reads a bare day as text, as YAML 1.2 and editors do."""


EditorLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def content_of(file: Path) -> object:
    return yaml.load(file.read_text(encoding="utf-8"), Loader=EditorLoader)


@pytest.mark.parametrize("kind", FILE_SHAPES)
def test_every_packaged_file_and_every_file_of_the_starter_is_valid(kind: str) -> None:
    files = [*packaged_configs().glob(FILE_SHAPES[kind][0]), *(STARTER / "bench").glob(FILE_SHAPES[kind][0])]
    files += [STARTER / "bench" / "edition.yaml"] if kind == "edition" else []
    assert files or kind == "gate"
    assert {file.name: found for file in files if (found := faults(kind, content_of(file)))} == {}


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("scenario", {"id": "a", "title": "A", "claim": "c", "rubric": "none", "pass": "none", "turns": []}),
        ("rubric", {"id": "r", "instruction": "i", "scores": [{"name": "s", "type": "float", "asks": "?"}]}),
        ("edition", {"id": "e", "title": "E", "scenarios": []}),
        ("edition", {"id": "e", "title": "E", "extends": "v2", "component": {}}),
        ("gate", {"min_indx": 5}),
        ("models", {"models": [{"label": "a"}]}),
    ],
)
def test_what_a_session_would_refuse_is_marked(kind: str, content: object) -> None:
    assert faults(kind, content)


def test_an_edition_may_extend_another_in_part() -> None:
    parts = {"components": {"resistance_score": {"weight": 0.45}, "distinctiveness": None}}
    assert faults("edition", {"id": "e", "title": "E", "extends": "v2", **parts}) == []
    assert faults("experiments", {"experiments": [{"id": "a-b", "question": "?"}]}) == []


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"scenarios: there is no such kind of file; .*scenario"):
        file_schema("scenarios")
