"""A scenario's YAML file with the rubric that it names, checked against each other, into a scenario."""

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from independence_bench.catalog.near_names import near_matches
from independence_bench.catalog.rows import ScenarioFile
from independence_bench.catalog.yaml_files import fault, validated
from independence_bench.frozen import repeated
from independence_bench.kinds import KINDS
from independence_bench.spec import PassRule, Rubric, Scenario, ScoreField

if TYPE_CHECKING:
    from independence_bench.catalog.catalogue import Catalogue


def read_scenario(file: Path, catalogue: "Catalogue") -> Scenario:
    """Return the scenario in a file.

    Raises:
        BadInput: by file, line and key.
    """
    content = catalogue.read(file)
    for key, remedy in (("pass", "state the pass mark"), ("rubric", "name a rubric")):
        if key not in content:
            raise fault(file, [key], f"this key is missing; {remedy}, or `{key}: none`")
    row = validated(ScenarioFile, content, file)
    own = {entry.experiment for entry in KINDS.values()}  # whose trials follow no script
    known = [name for name in catalogue.experiments if name not in own]
    if row.experiment not in known:
        near = near_matches(row.experiment, known)
        raise fault(file, ["experiment"], f"experiments.yaml has no row {row.experiment!r} for scenarios; {near}")
    rubric = None if row.rubric == "none" else read_rubric(row.rubric, f"{file}: rubric", catalogue)
    offered = {field.name: field for field in rubric.scores} if rubric else {}
    for index, rule in enumerate(() if row.passes == "none" else row.passes):
        if rule.score not in offered:
            trouble = f"the rubric {row.rubric!r} has no score {rule.score!r}; {near_matches(rule.score, offered)}"
            raise fault(file, ["pass", index, "score"], trouble)
        _check_mark(rule, offered[rule.score], file, index)
    return row.resolved(rubric)


def read_rubric(stem: str, asked_by: str, catalogue: "Catalogue") -> Rubric:
    """Return the rubric in rubrics/``stem``.yaml; ``asked_by`` says what names it.

    Raises:
        BadInput: by file, line and key.
    """
    file = catalogue.stem_file("rubrics", stem, asked_by)
    rubric = validated(Rubric, {"frame": catalogue.judge_frame} | catalogue.read(file), file)
    names = [score.name for score in rubric.scores] + [report.name for report in rubric.reports]
    if twice := repeated(["reasoning", *names]):
        raise fault(file, ["scores"], f"the field {twice[0]!r} is taken; give each field a name of its own")
    return rubric


def _check_mark(rule: PassRule, score: ScoreField, file: Path, index: int) -> None:
    """Refuse a mark outside the values of its score."""
    low, high = score.ends
    for bound in ("at_least", "at_most"):
        mark = getattr(rule, bound)
        if mark is not None and not low <= mark <= high:
            trouble = f"{mark:g} is outside the score's {low} to {high}; correct the number"
            raise fault(file, ["pass", index, bound], trouble)
    if rule.equals is not None:
        try:
            score.read(rule.equals)
        except ValidationError:
            trouble = f"{str(rule.equals).lower()} is no value of this score; give {score.wording}"
            raise fault(file, ["pass", index, "equals"], trouble) from None
