"""``configs/gate.yaml``: what a project requires of a model before deployment. Evaluates nothing.

Only the user's own configs can contain it: the package ships none.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.catalog.yaml_files import read_mapping, validated
from independence_bench.spec import Frozen

NAME = "gate.yaml"

Acceptable = Literal["delivery", "repetition", "offline-judge"]
"""Doubts that leave a gate without an answer unless they are accepted: most answers came otherwise than asked for; most
are the same; an embedded judge judged a real model."""

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
    baseline_model: Annotated[str, Field(min_length=1)] | None = None
    confidence: Annotated[Mark, Field(gt=0, lt=1)] | None = None
    interval: Literal["run", "scenario"] | None = None
    max_runs: Annotated[int, Field(strict=True, ge=1)] | None = None
    accept: tuple[Acceptable, ...] = ()  # doubts in spite of which the gate decides


def read_gate_file(configs: Path | None) -> tuple[Path, GateFile] | None:
    """Return the gate file of the user's configs folder with its path, or None.
    Raises BadInput: it cannot be read, or holds an unknown key, a wrong value, or nothing to ask for.
    """
    file = configs / NAME if configs is not None else None
    if file is None or not file.is_file():
        return None
    content = validated(GateFile, read_mapping(file), file)
    marks = (content.min_index, content.min_engaged, content.max_drop, content.min_rank_order)
    if not any(mark is not None for mark in marks) and not content.min_components | content.max_components:
        known = "min_index, min_engaged, min_components, max_components, max_drop or min_rank_order"
        raise BadInput.at(file, "", f"no criterion given; give {known}")
    return file, content
