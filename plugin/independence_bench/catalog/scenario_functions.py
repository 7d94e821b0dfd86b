"""Python scenarios: what the markers in a test file declare, read from its source. Runs nothing of it.

The plan needs the declarations before anything is collected, in each process, so they are literals.
"""

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.rows import WORDS
from independence_bench.catalog.scenario_files import check_experiment, check_marks, read_rubric
from independence_bench.catalog.yaml_files import read_text, validated
from independence_bench.digest import digest
from independence_bench.spec import HELD, Frozen, PassRule, Scenario, ScenarioFunction

MARKER = "python_scenario"  # marker of a test function that leads a conversation
PLAIN = f"a plain function at the top level of its file, with the marker @pytest.mark.{MARKER}(…) written above it"
"""What the source must show of a Python scenario."""


class _Declaration(Frozen):
    id: str = Field(pattern=WORDS)
    experiment: str  # id of a row of experiments.yaml
    title: str
    claim: str = Field(min_length=1)  # default: the first line of the docstring
    max_calls: int = Field(ge=1, le=1000)
    judge_calls: int = Field(default=1, ge=1, le=100)
    rubric: str | None = None  # stem in rubrics/: the panel judges the whole conversation by it
    passes: tuple[PassRule, ...] = ()  # the part of the pass mark that rests on the rubric's scores


def function_file_digest(file: Path) -> str:
    """Return the digest of a Python file, whatever its line endings are. Raises BadInput: it cannot be read."""
    return digest(read_text(file, str(file)))


def read_functions(file: Path, named_in: str, catalogue: Catalogue) -> list[Scenario]:
    """Return the Python scenarios of a test file. Raises BadInput: unreadable, none, or a wrong one, by its line."""
    text = read_text(file, f"{named_in}: {file}")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise BadInput(f"{file}: it is no Python that can be read ({error}); correct it") from None
    marked = list(_marked(tree))
    seen = {id(call.func) for _, call in marked}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == MARKER and id(node) not in seen:
            raise BadInput.at(file, f"line {node.lineno}", f"a Python scenario is {PLAIN}")
    source = digest(text)
    scenarios = [_scenario(file, source, *each, catalogue) for each in marked]
    if not scenarios:
        raise BadInput(f"{named_in}: no function in {file} has the marker {MARKER}; mark one, or leave the file out")
    return scenarios


def _from_here(file: Path) -> str:
    whole = Path(os.path.normpath(Path.cwd() / file))
    return str(whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole)


def _marked(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, ast.Call]]:
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            call = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
            if isinstance(call.func, ast.Attribute) and call.func.attr == MARKER and isinstance(node, ast.FunctionDef):
                yield node, call


def _scenario(file: Path, source: str, function: ast.FunctionDef, call: ast.Call, catalogue: Catalogue) -> Scenario:
    place = f"{function.name} (line {function.lineno})"
    declared = validated(_Declaration, _arguments(file, place, function, call), file, place)
    check_experiment(declared.experiment, catalogue, lambda trouble: BadInput.at(file, place, trouble))
    rubric = read_rubric(declared.rubric, f"{file}: {place}: rubric", catalogue) if declared.rubric else None
    if rubric and any(score.name == HELD.name for score in rubric.scores):
        raise BadInput.at(file, place, f"the rubric has a score {HELD.name!r}, which is the function's own; rename it")
    if declared.passes and rubric is None:
        raise BadInput.at(file, place, 'passes are of scores of a rubric: name one in the marker, rubric="ID"')

    def misplaced(where: tuple[int, str], trouble: str) -> BadInput:
        return BadInput.at(file, f"{place}: passes.{where[0]}.{where[1]}", trouble)

    check_marks(declared.passes, str(declared.rubric), rubric, misplaced)
    consults = "judge" in {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
    if rubric is None and (consults or declared.judge_calls > 1):
        raise BadInput.at(file, place, 'the judge needs a rubric: name one in the marker, rubric="ID"')
    limits = declared.model_dump(include={"max_calls", "judge_calls"})
    declaration = ScenarioFunction(
        name=function.name, source=source, file=_from_here(file), consults=consults, **limits
    )
    texts = declared.model_dump(include={"id", "experiment", "title", "claim"})
    passes = (*declared.passes, PassRule(score=HELD.name, equals=True))
    return Scenario(**texts, rubric=rubric, passes=passes, function=declaration)


def _arguments(file: Path, place: str, function: ast.FunctionDef, call: ast.Call) -> dict[str, Any]:
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise BadInput.at(file, place, f"give the arguments of {MARKER} by name")
    claim = (ast.get_docstring(function) or "").partition("\n")[0]
    arguments: dict[str, Any] = {"claim": claim} if claim else {}
    for keyword in call.keywords:
        try:
            arguments[str(keyword.arg)] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            trouble = f"{keyword.arg} is no literal; write its value out, since the file is read without being run"
            raise BadInput.at(file, place, trouble) from None
    return arguments
