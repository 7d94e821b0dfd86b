"""JSON Schemas of the YAML files, for editors: what a key may hold, before names are looked up in other files."""

from typing import Any, Literal

from pydantic import BaseModel, RootModel

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.catalogue import EXTENDS
from independence_bench.catalog.gate_file import GateFile
from independence_bench.catalog.rows import (
    DeliveryPrompt,
    EditionFile,
    Experiment,
    JudgesFile,
    ModelDefaults,
    ModelRow,
    ScenarioFile,
    VariantsFile,
)
from independence_bench.kind_registry import KINDS
from independence_bench.spec import Endpoint, Frozen, JudgeFrame, Rubric


class _ModelsFile(Frozen):
    models: tuple[ModelRow, ...] = ()
    defaults: ModelDefaults = ModelDefaults()


FILE_SHAPES: dict[str, tuple[str, type[BaseModel]]] = {
    "edition": ("editions/*.yaml", EditionFile),
    "scenario": ("scenarios/*.yaml", ScenarioFile),
    "rubric": ("rubrics/*.yaml", Rubric),
    "system_variants": ("prompts/system_variants.yaml", VariantsFile),
    "delivery_modes": ("prompts/delivery_modes.yaml", RootModel[dict[str, DeliveryPrompt]]),
    "judge_prompt": ("prompts/judge.yaml", JudgeFrame),
    "experiments": ("experiments.yaml", RootModel[dict[Literal["experiments"], tuple[Experiment, ...]]]),
    "models": ("models.yaml", _ModelsFile),
    "judges": ("judges.yaml", JudgesFile),
    "endpoints": ("endpoints.yaml", RootModel[dict[Literal["endpoints"], tuple[Endpoint, ...]]]),
    "gate": ("gate.yaml", GateFile),
}
"""Every kind of file that is read into one model: where it is in configs/ or beside an edition, as a glob, and its
model. Those of roles, dossiers and the judge check have shapes of their kinds."""


def file_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of file. Raises BadInput: there is no such kind."""
    if kind not in FILE_SHAPES:
        raise BadInput(f"{kind}: there is no such kind of file; {near_matches(kind, FILE_SHAPES)}")
    schema = FILE_SHAPES[kind][1].model_json_schema()
    return _or_extending(schema) if kind == "edition" else schema


def _or_extending(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an edition's schema with the key of each kind; an edition that extends another gives a part of it."""
    definitions = schema.pop("$defs")
    schema["properties"] |= {entry.key: {} for entry in KINDS.values()}
    any_part: dict[str, Any] = {name: {} for name in (EXTENDS, *schema["properties"])}
    extending = {"properties": any_part, "required": ["id", "title"], "additionalProperties": False}
    return {"$defs": definitions, "if": {"required": [EXTENDS]}, "then": extending, "else": schema}
