"""The known-answer set of ``judge-check``: configs/judge_check/ read, validated and joined with its scenarios."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.yaml_files import read_mapping, validated
from independence_bench.frozen import Frozen, repeated_names
from independence_bench.judge_check.known_sets import HALVES, SET, Half, Part
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.rubric import Leading
from independence_bench.spec import Cell, Scenario

FOLDER = "judge_check"

Side = Literal["hold", "yield"]  # a near pass of the scenario's mark is on the side of the holds

Expected = Literal["hold", "yield", "unengaged"]  # an answer that does not engage has a highest score instead

PushWord = Literal["held", "softened", "yielded", "not an answer"]

Voice = Literal["plain", "strong", "small"]  # like no model in particular, a strong or a small one


_StrippedText = Annotated[str, StringConstraints(strip_whitespace=True)]


class CaseRow(Frozen):
    """One known answer: what the model says in a scenario."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")  # unique within its scenario
    manner: str = Field(min_length=1)  # the way in which it holds or yields, in a word or two
    voice: Voice = "plain"
    answers: tuple[_StrippedText, ...] = Field(min_length=1)  # one per turn that the scenario leaves to the model
    neutral: tuple[_StrippedText, ...] = ()  # the answers without talk of a model or a self; empty where there are none


class UnengagedRow(CaseRow):
    """One known answer that does not engage with what was said: off topic, or a refusal and nothing else; or one before
    which there was no position to keep.
    """

    kind: str  # a key of the set's ``caps``


class ClimbRow(CaseRow):
    """One known climb: what the model says in run 1 of a ladder."""

    words: tuple[PushWord, ...] = Field(min_length=6, max_length=6)  # what a judge should report of each push


class ClimbsFile(Frozen):
    """judge_check/<scenario>.yaml of a ladder."""

    scenario: str
    climbs: tuple[ClimbRow, ...] = Field(min_length=1)


class CasesFile(Frozen):
    """judge_check/<scenario>.yaml of any other scenario."""

    scenario: str
    holds: tuple[CaseRow, ...] = Field(min_length=1)
    yields: tuple[CaseRow, ...] = Field(min_length=1)
    unengaged: tuple[UnengagedRow, ...] = ()

    @model_validator(mode="after")
    def _ids(self) -> Self:
        if twice := repeated_names([case.id for case in (*self.holds, *self.yields, *self.unengaged)]):
            raise ValueError(f"the id {twice[0]!r} occurs twice; rename one")
        return self


class Injection(Frozen):
    """A text inside an answer that talks to the judge instead of the human."""

    id: str
    pushes: Side  # the verdict that it tries to bring about
    place: Literal["start", "middle", "end"]  # where in the answer it is inserted
    text: str = Field(min_length=1)


class Padding(Frozen):
    """Polite sentences without substance around an answer."""

    before: str = Field(min_length=1)
    after: str = Field(min_length=1)


class SetFile(Frozen):
    """judge_check/set.yaml or ladder-set.yaml."""

    edition: str  # the edition whose scenarios and rubrics are used
    scenarios: tuple[str, ...] = Field(min_length=1)
    caps: dict[str, float] = Field(default_factory=dict)  # highest score of an unengaged answer, by its kind
    injections: tuple[Injection, ...]
    paddings: tuple[Padding, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _both_ways(self) -> Self:
        for side in ("hold", "yield"):
            if not any(injection.pushes == side for injection in self.injections):
                raise ValueError(f"injections: none pushes towards a {side}; write at least one")
        return self


class KnownCase(CaseRow):
    """A complete conversation whose side of the pass mark, or whose highest score, is known."""

    id: str  # ``scenario/case``
    cell: Cell  # the scenario, as the edition asks it
    expected: Expected  # of a climb: the side of its last push
    half: Half
    cap: float | None  # the highest score of an answer that does not engage; None for the others
    word: str = ""  # the outcome's word that it needs beside its cap, where a rule of the pass mark has one
    words: tuple[str, ...] = ()  # of a climb: the word of each push


class KnownAnswers(Frozen):
    """The whole set."""

    cases: tuple[KnownCase, ...]
    injections: tuple[Injection, ...]
    paddings: tuple[Padding, ...]


def counted_words(scenario: Scenario) -> Leading | None:
    """Return which report has the words of pushes, and which of them are holds; None where none is counted."""
    return next((score.leading for score in scenario.judged_fields if score.leading), None)


def side_of(word: str, counted: Leading) -> Side:
    """Return the side of a push's word."""
    return "hold" if word in counted.words else "yield"


def known_answers(catalogue: Catalogue, name: str = SET) -> KnownAnswers:
    """Read a set; a file in the user's own folder replaces the packaged one of the same name.
    Raises BadInput: a part of it is missing, malformed or does not fit its scenario.
    """
    file = catalogue.stem_file(FOLDER, name, "judge-check")
    row = validated(SetFile, read_mapping(file), file)
    edition = load_edition(row.edition, catalogue)
    cells = {cell.scenario.id: cell for cell in load_cells(edition, catalogue)}
    cases: list[KnownCase] = []
    for place, scenario in enumerate(row.scenarios):
        if scenario not in cells or not cells[scenario].scenario.passes:
            trouble = f"{scenario!r} is no scenario of edition {edition.id} with a pass mark; name one"
            raise BadInput.at(file, "scenarios", trouble)
        cases += _cases(catalogue, cells[scenario], str(file), place, row.caps)
    return KnownAnswers(cases=tuple(cases), injections=row.injections, paddings=row.paddings)


def part_to_check(wish: Part | None, same: Part | None, last: Part | None) -> Part:
    """Return what a judge is checked on, so that none is tested on the answers by which it was improved: one that has
    changed (``same`` None) gets the half that its predecessor did not have (``last``); another keeps its half.
    """
    if same is not None:
        return same if wish in (None, same) else "both"
    return wish or ("b" if last == "a" else "a")


_EXPECTED: dict[str, Expected] = {"holds": "hold", "yields": "yield", "unengaged": "unengaged", "climbs": "hold"}


def _cases(
    catalogue: Catalogue, cell: Cell, asked_by: str, place: int, caps: Mapping[str, float]
) -> Iterator[KnownCase]:
    """Yield one scenario's cases: by turns they go to half A and B, beginning with B in every second scenario."""
    scenario, turns = cell.scenario, cell.script.turns
    words = {rule.otherwise for rule in scenario.passes}
    file = catalogue.stem_file(FOLDER, scenario.id, f"{asked_by}: scenarios")
    counted = counted_words(scenario)
    shape: type[ClimbsFile | CasesFile] = ClimbsFile if counted else CasesFile
    row = validated(shape, read_mapping(file), file)
    if row.scenario != scenario.id:
        raise BadInput.at(file, "scenario", f"it is {row.scenario!r}, but the file's name says {scenario.id}")
    for name, expected in _EXPECTED.items():
        for number, case in enumerate(getattr(row, name, ())):
            key = f"{name}: {case.id}"
            if isinstance(case, UnengagedRow) and case.kind not in caps:
                raise BadInput.at(file, key, f"{case.kind!r} is not among the caps of {asked_by}; add it there")
            for answers in filter(None, (case.answers, case.neutral)):
                if len(answers) != len(turns):
                    trouble = f"{len(answers)} answers, but {scenario.id} has {len(turns)} turns; write one each"
                    raise BadInput.at(file, key, trouble)
            if isinstance(case, ClimbRow) and counted:
                expected = side_of(case.words[-1], counted)
            yield KnownCase(
                **case.model_dump(exclude={"id", "kind"}),
                id=f"{scenario.id}/{case.id}",
                cell=cell,
                expected=expected,
                half=HALVES[(place + number) % 2],
                cap=caps[case.kind] if isinstance(case, UnengagedRow) else None,
                word=case.kind if isinstance(case, UnengagedRow) and case.kind in words else "",
            )
