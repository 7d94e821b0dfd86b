"""A scenario's YAML file with the rubric that it names, checked against each other, into a scenario."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import ValidationError

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.rows import PushesFile, ScenarioFile
from independence_bench.catalog.yaml_files import fault, validated
from independence_bench.frozen import repeated_names
from independence_bench.kind_registry import KINDS
from independence_bench.ladder import FORMS, Climb, Ladder, balanced_orders
from independence_bench.spec import PassRule, Rubric, Scenario


def read_scenario(file: Path, catalogue: Catalogue, form: str | None = None) -> Scenario:
    """Return the scenario in a file, a ladder in the wording of ``form``. Raises BadInput: by file, line and key."""
    content = catalogue.read(file)
    for key, remedy in (("pass", "state the pass mark"), ("rubric", "name a rubric")):
        if key not in content:
            raise fault(file, [key], f"this key is missing; {remedy}, or `{key}: none`")
    row = validated(ScenarioFile, content, file)
    check_experiment(row.experiment, catalogue, lambda trouble: fault(file, ["experiment"], trouble))
    rubric = None if row.rubric == "none" else read_rubric(row.rubric, f"{file}: rubric", catalogue)
    ladder = read_ladder(row, file, catalogue, form)
    for field in rubric.scores if rubric else ():
        if ladder and field.leading and field.maximum != ladder.pushes:
            trouble = f"{row.rubric} counts to {field.maximum}, and {ladder.pushes} pushes follow; name another rubric"
            raise fault(file, ["rubric"], trouble)
    scenario = row.resolved(rubric, ladder)
    check_marks(scenario.passes, row.rubric, rubric, lambda where, trouble: fault(file, ["pass", *where], trouble))
    return scenario


def read_ladder(row: ScenarioFile, file: Path, catalogue: Catalogue, form: str | None = None) -> Ladder | None:
    """Return what each run of a scenario is asked; None where all are asked the same. Raises BadInput: by file, line
    and key.
    """
    if (choice := row.ladder) is None:
        return None
    source = catalogue.stem_file("pushes", choice.pushes, f"{file}: ladder.pushes")
    pushes = validated(PushesFile, catalogue.read(source), source)
    forms, form = FORMS[: len(pushes.rungs[0])], form or FORMS[0]
    if form not in forms:
        raise BadInput(f"--form={form}: {source.name} has the wordings {', '.join(forms)}; name one of them")
    wording, last = forms.index(form), (choice.reason.strip(),) if choice.reason else ()

    def word(match: re.Match[str]) -> str:
        if match[1] not in choice.words:
            near = near_matches(match[1], choice.words)
            raise fault(file, ["ladder", "words"], f"{source.name} asks for the word {match[1]!r}; {near}")
        return choice.words[match[1]]

    climbs: list[Climb] = []
    for kinds in balanced_orders([*pushes.kinds], choice.first):
        texts = zip((pushes.kinds[kind] for kind in kinds), pushes.rungs, strict=True)
        said = [" ".join(wordings[wording].strip() for wordings in push) for push in texts]
        turns = (*row.first_turns, *(re.sub(r"\{(\w+)\}", word, text) for text in said), *last)
        climbs.append(Climb(kinds=kinds, turns=turns))
    return Ladder(climbs=tuple(climbs))


def check_experiment(experiment: str, catalogue: Catalogue, error: Callable[[str], BadInput]) -> None:
    """Raise ``error`` of the trouble where scenarios may not name an experiment: no row has it, or a kind owns it."""
    known = catalogue.experiments.keys() - {entry.experiment for entry in KINDS.values()}
    if experiment not in known:
        near = near_matches(experiment, known)
        raise error(f"experiments.yaml has no row {experiment!r} for scenarios; {near}")


def read_rubric(stem: str, asked_by: str, catalogue: Catalogue) -> Rubric:
    """Return the rubric in rubrics/``stem``.yaml; ``asked_by`` says what names it. Raises BadInput: by line and key."""
    file = catalogue.stem_file("rubrics", stem, asked_by)
    rubric = validated(Rubric, {"frame": catalogue.judge_frame} | catalogue.read(file), file)
    names = [score.name for score in rubric.scores] + [report.name for report in rubric.reports]
    if twice := repeated_names(["reasoning", *names]):
        raise fault(file, ["scores"], f"the field {twice[0]!r} is taken; give each field another name")
    lists = {each.name: each.length for each in rubric.reports if each.type == "texts"}
    for index, field in enumerate(rubric.scores):
        if field.leading and lists.get(field.leading.report) != field.maximum:
            near = near_matches(field.leading.report, lists)
            trouble = f"no list of {field.maximum} texts, the score's maximum, has that name; {near}"
            raise fault(file, ["scores", index, "leading", "report"], trouble)
    return rubric


def check_marks(
    passes: Iterable[PassRule], stem: str, rubric: Rubric | None, error: Callable[[tuple[int, str], str], Exception]
) -> None:
    """Raise ``error`` of place and trouble for a mark of no score of rubrics/``stem``.yaml, or outside its values."""
    offered = {field.name: field for field in rubric.scores} if rubric else {}
    for index, rule in enumerate(passes):
        if rule.score not in offered:
            trouble = f"the rubric {stem!r} has no score {rule.score!r}; {near_matches(rule.score, offered)}"
            raise error((index, "score"), trouble)
        score = offered[rule.score]
        low, high = score.ends
        for bound in ("at_least", "at_most"):
            mark = getattr(rule, bound)
            if mark is not None and not low <= mark <= high:
                trouble = f"{mark:g} is outside the score's {low} to {high}; correct the number"
                raise error((index, bound), trouble)
        if rule.equals is not None:
            try:
                score.read(rule.equals)
            except ValidationError:
                trouble = f"{str(rule.equals).lower()} is no value of this score; give {score.wording}"
                raise error((index, "equals"), trouble) from None
