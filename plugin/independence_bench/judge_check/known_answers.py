"""The known-answer set of ``judge-check``: configs/judge_check/ read, validated and joined with its scenarios.

``known_questions.py`` makes from it the versions that a judge reads.
"""

from collections.abc import Mapping
from typing import Literal, Self, get_args

from pydantic import Field, model_validator

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.yaml_files import read_mapping, validated
from independence_bench.frozen import Frozen, repeated
from independence_bench.spec import Cell, PassRule

FOLDER = "judge_check"

Side = Literal["hold", "yield"]
"""The side of a scenario's pass mark on which a case belongs."""

Voice = Literal["plain", "strong", "small"]
"""Whom an answer sounds like: nobody in particular, a strong model (headings, lists), a small one (clumsy)."""

Half = Literal["a", "b"]
HALVES: tuple[Half, ...] = get_args(Half)
Part = Literal["a", "b", "both"]
"""What of the set a judge is checked on."""
PARTS: tuple[Part, ...] = get_args(Part)


class CaseRow(Frozen):
    """One known answer: what the model says in a scenario."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    """Unique within its scenario."""
    manner: str = Field(min_length=1)
    """The way in which it holds or yields, in a word or two."""
    voice: Voice = "plain"
    run: int = Field(default=1, ge=1)
    """The run that it answers, in a scenario that asks something else in each."""
    answers: tuple[str, ...] = Field(min_length=1)
    """One per turn that the scenario leaves to the model."""
    neutral: tuple[str, ...] = ()
    """The same answers without any talk of being a model or of having a self; empty where there is no such version."""


class CasesFile(Frozen):
    """judge_check/<scenario>.yaml."""

    scenario: str
    holds: tuple[CaseRow, ...] = Field(min_length=1)
    yields: tuple[CaseRow, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids(self) -> Self:
        if twice := repeated([case.id for case in (*self.holds, *self.yields)]):
            raise ValueError(f"the id {twice[0]!r} occurs twice; rename one")
        return self


class Injection(Frozen):
    """A text inside an answer that talks to the judge instead of the human."""

    id: str
    pushes: Side
    """The verdict that it tries to bring about."""
    place: Literal["start", "middle", "end"]
    """Where in the answer it is inserted."""
    text: str = Field(min_length=1)


class Padding(Frozen):
    """Polite sentences without substance around an answer."""

    before: str = Field(min_length=1)
    after: str = Field(min_length=1)


class SetFile(Frozen):
    """judge_check/set.yaml."""

    edition: str
    """The edition whose scenarios and rubrics are used."""
    scenarios: tuple[str, ...] = Field(min_length=1)
    marks: dict[str, tuple[PassRule, ...]] = Field(default_factory=dict)
    """Pass marks, by scenario, for scenarios that have none of their own."""
    injections: tuple[Injection, ...]
    paddings: tuple[Padding, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _both_ways(self) -> Self:
        for side in ("hold", "yield"):
            if not any(injection.pushes == side for injection in self.injections):
                raise ValueError(f"injections: none pushes towards a {side}; write at least one")
        return self


class KnownCase(Frozen):
    """A complete conversation whose side of the pass mark is known."""

    id: str
    """``scenario/case``."""
    cell: Cell
    """The scenario, as the edition asks it."""
    expected: Side
    manner: str
    voice: Voice
    half: Half
    answers: tuple[str, ...]
    neutral: tuple[str, ...]


class KnownAnswers(Frozen):
    """The whole set."""

    cases: tuple[KnownCase, ...]
    injections: tuple[Injection, ...]
    paddings: tuple[Padding, ...]


def known_answers(catalogue: Catalogue, of_edition: str = "") -> KnownAnswers:
    """Read the set; a file in the user's own folder replaces the packaged one of the same name.

    An edition may have a set of its own, in a folder of its name; all others share one.

    Raises:
        BadInput: a part of it is missing, malformed or does not fit its scenario.
    """
    own = f"{FOLDER}/{of_edition}"
    folder = own if of_edition and catalogue.stems(own) else FOLDER
    file = catalogue.stem_file(folder, "set", "judge-check")
    row = validated(SetFile, read_mapping(file), file)
    edition = catalogue.edition(row.edition)
    cells = {cell.scenario.id: _marked(cell, row.marks) for cell in catalogue.cells(edition)}
    cases: list[KnownCase] = []
    for place, name in enumerate(row.scenarios):
        if name not in cells or not cells[name].scenario.passes:
            trouble = f"{name!r} is no scenario of edition {edition.id} with a pass mark; name one"
            raise BadInput.at(file, "scenarios", trouble)
        cases += _cases(catalogue, folder, cells[name], str(file), place)
    return KnownAnswers(cases=tuple(cases), injections=row.injections, paddings=row.paddings)


def _marked(cell: Cell, marks: Mapping[str, tuple[PassRule, ...]]) -> Cell:
    passes = cell.scenario.passes or marks.get(cell.scenario.id, ())
    return cell.model_copy(update={"scenario": cell.scenario.model_copy(update={"passes": passes})})


def _in_run(cell: Cell, run: int) -> Cell:
    """Return a cell whose script says what that run says."""
    turns = cell.script.turns_in(run)
    if turns == cell.script.turns:
        return cell
    return cell.model_copy(update={"script": cell.script.model_copy(update={"turns": turns})})


def part_to_check(wished: Part | None, same: Part | None, last: Part | None) -> Part:
    """Return what a judge is checked on, so that nobody tests a judge on the answers by which it was improved.

    ``wished`` is what the user asks for, ``same`` what this judge with these settings has been checked on, ``last``
    what a judge of its name was checked on last. A judge that has changed gets the half that its predecessor did not
    have. One that has not changed keeps its half, and no choice rids it of a half that it has been checked on.
    """
    if same is not None:
        return same if wished in (None, same) else "both"
    return wished or ("b" if last == "a" else "a")


def _cases(catalogue: Catalogue, folder: str, cell: Cell, asked_by: str, place: int) -> list[KnownCase]:
    """Read one scenario's cases: by turns they go to half A and B, beginning with B in every second scenario."""
    scenario, turns = cell.scenario, cell.script.turns
    file = catalogue.stem_file(folder, scenario.id, f"{asked_by}: scenarios")
    row = validated(CasesFile, read_mapping(file), file)
    if row.scenario != scenario.id:
        raise BadInput.at(file, "scenario", f"it is {row.scenario!r}, but the file's name says {scenario.id}")
    sides: tuple[tuple[Side, tuple[CaseRow, ...]], ...] = (("hold", row.holds), ("yield", row.yields))
    found = []
    for side, cases in sides:
        for number, case in enumerate(cases):
            for answers in filter(None, (case.answers, case.neutral)):
                if len(answers) != len(turns):
                    trouble = f"{len(answers)} answers, but {scenario.id} has {len(turns)} turns; write one each"
                    raise BadInput.at(file, f"{side}s: {case.id}", trouble)
            found.append(
                KnownCase(
                    id=f"{scenario.id}/{case.id}",
                    cell=_in_run(cell, case.run),
                    expected=side,
                    manner=case.manner,
                    voice=case.voice,
                    half=HALVES[(place + number) % 2],
                    answers=tuple(answer.strip() for answer in case.answers),
                    neutral=tuple(answer.strip() for answer in case.neutral),
                )
            )
    return found
