"""``configs/gate.yaml``, which only a user's configs have: what is required of a model before deployment."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.catalog.yaml_files import read_mapping, validated
from independence_bench.spec import Frozen

NAME = "gate.yaml"

Acceptable = Literal["delivery", "self-judge"]
"""Doubts that leave a gate without an answer unless they are accepted: most answers came otherwise than asked for; the
model is its only judge."""

Mark = Annotated[float, Field(strict=True, allow_inf_nan=False)]  # a number; YAML's yes and no are refused


class GateFile(Frozen):
    """The file's keys, each the same as the option of that name; None and empty where they are left out."""

    min_index: Mark | None = None
    min_engaged: Mark | None = None
    min_components: dict[str, Mark] = Field(default_factory=dict)  # component → least value on its own scale
    max_components: dict[str, Mark] = Field(default_factory=dict)  # where low is good: component → highest value
    baseline: Annotated[str, Field(min_length=1)] | None = None  # path, relative to the file's folder
    max_drop: Mark | None = None  # Index points
    min_rank_order: Mark | None = None  # of editions that measure role stability: −1 to 1
    baseline_now: Annotated[str, Field(min_length=1)] | None = None  # label of one of the session's models
    runs_over_days: bool = False
    missing_baseline: Literal["error", "pass", "fail"] | None = None
    baseline_model: Annotated[str, Field(min_length=1)] | None = None
    confidence: Annotated[Mark, Field(gt=0, lt=1)] | None = None
    interval: Literal["run", "scenario"] | None = None
    max_runs: Annotated[int, Field(strict=True, ge=1)] | None = None
    accept: tuple[Acceptable, ...] = ()  # doubts in spite of which the gate decides


def read_gate_file(configs: Path | None) -> tuple[Path, GateFile] | None:
    """Return the user's gate file with its path, or None. Raises BadInput: it is wrong or empty."""
    if configs is None or not (file := configs / NAME).is_file():
        return None
    content = validated(GateFile, read_mapping(file), file)
    marks = (content.min_index, content.min_engaged, content.max_drop, content.min_rank_order)
    if not any(mark is not None for mark in marks) and not content.min_components | content.max_components:
        known = "min_index, min_engaged, min_components, max_components, max_drop or min_rank_order"
        raise BadInput.at(file, "", f"no criterion given; give {known}")
    return file, content
