"""What the pages say is true: every block is tested, every link resolves, every option, field and weight exists."""

import re
from pathlib import Path

import pytest
import yaml
from bench_project import CHECKOUT, BenchProject
from pages import BLOCKS, PAGES, anchors_of, path_of, prose_of, table_of, text_of
from pydantic import BaseModel

from independence_bench.catalog.gate_file import GateFile
from independence_bench.catalog.rows import EditionFile, JudgeRow, ModelRow, ScenarioFile
from independence_bench.cli import main
from independence_bench.extensions import GROUPS
from independence_bench.kind_registry import KINDS
from independence_bench.kinds.dossiers.matter import Matter
from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring.components import component_values, index_or_none
from independence_bench.scoring.uncertainty.points import engaged_samples
from independence_bench.spec import Endpoint, ScoreField

README = CHECKOUT / "README.md"
RESULTS = CHECKOUT / "docs" / "guide" / "results.md"
REFERENCE = CHECKOUT / "docs" / "reference.md"
GLOSSARY = CHECKOUT / "docs" / "glossary.md"
SECURITY = CHECKOUT / "SECURITY.md"
VALIDITY = CHECKOUT / "docs" / "methodology" / "validity.md"
PRESENT = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""Pages that speak of nothing past."""
COMMANDS = [
    Path(__file__).with_name(f"test_plugin_{name}.py") for name in ("page_commands", "own_repository", "gateway")
]
FOREIGN = {"--chat-template-file", "--enable-auto-tool-choice", "--array", "--config", "--host"}
"""Options of other programs."""

LINKS = [
    (path_of(page), target) for page in PAGES for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose_of(page))
]


def test_every_block_of_commands_or_yaml_is_marked_and_every_mark_is_used_once() -> None:
    unmarked = [
        block for block in BLOCKS if not block.kind and block.language not in ("ini", "json", "text", "{eval-rst}")
    ]
    names = [block.name for block in BLOCKS if block.kind]

    assert unmarked == []
    assert len(names) > 15
    assert len(names) == len(set(names))


def test_every_fence_is_read_as_a_block() -> None:
    fences = {path_of(page): len(re.findall(r"^ *```", text_of(page), re.MULTILINE)) for page in PAGES}

    assert {page: count for page, count in fences.items() if count != 2 * sum(b.page == page for b in BLOCKS)} == {}


def test_every_tested_block_has_its_test_and_every_ci_block_its_step() -> None:
    tests = "".join(file.read_text(encoding="utf-8") for file in COMMANDS)
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")

    for block in BLOCKS:
        if block.kind == "test":
            assert f'"{block.name}"' in tests, block.name
        elif block.kind == "ci":
            assert f"$(block {block.name})" in script, block.name


def test_every_ci_step_has_its_block() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    wanted = set(re.findall(r"\$\(block ([a-z-]+)\)", script))

    assert wanted == {block.name for block in BLOCKS if block.kind == "ci"}


def test_the_readme_is_read_in_three_minutes() -> None:
    assert len(text_of(README).split()) <= 700


@pytest.mark.parametrize(("page", "target"), LINKS)
def test_every_link_leads_somewhere(page: str, target: str) -> None:
    name, _, anchor = target.partition("#")
    file = ((CHECKOUT / page).parent / name).resolve() if name else CHECKOUT / page

    assert file.exists()
    assert file.is_relative_to(CHECKOUT)
    if anchor:
        assert anchor in anchors_of(file)


def test_every_term_of_the_glossary_stands_with_its_standard_term_on_another_page() -> None:
    rows = table_of(GLOSSARY, "## Terms")
    text = " ".join(text_of(page) for page in PRESENT if page != GLOSSARY)
    text = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`]", r"\1", text).split()).lower()
    pairs = {term: standard for term, standard, _ in rows if standard != "–"}

    assert [term for term, *_ in rows] == sorted({term for term, *_ in rows})
    assert len(pairs) > 20 and all(meaning for *_, meaning in rows)
    # Plural and singular share their first letters: criteria, criterion.
    missing = [
        term for term, standard in pairs.items() if not re.search(rf"\b{term}\w* \({standard[:5]}", plural(text))
    ]
    assert missing == []


def plural(text: str) -> str:
    """A text in which a plural of a term is the term: branches, kinds of edition."""
    return text.replace("branches", "branch").replace("kinds of", "kind of")


def test_every_test_that_holds_a_promise_exists() -> None:
    named = set(re.findall(r"`(?:unit_tests/)?([\w/]*test_\w+\.py)`", text_of(SECURITY)))
    there = {file.relative_to(CHECKOUT / "unit_tests").as_posix() for file in (CHECKOUT / "unit_tests").rglob("*.py")}

    assert len(named) > 8
    assert {name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in there)} == set()


def test_every_module_that_the_architecture_names_exists() -> None:
    text = text_of(CHECKOUT / "docs" / "architecture.md")
    named = set(re.findall(r"`((?:\w+/)*\w+\.py)`", text))
    folders = (
        CHECKOUT,
        CHECKOUT / "plugin" / "independence_bench",
        CHECKOUT / "plugin" / "independence_bench" / "report",
    )

    assert len(named) > 30
    assert {name for name in named if not any((folder / name).is_file() for folder in folders)} == set()


def linked(*pages: Path) -> set[Path]:
    """The files to which pages lead."""
    names = {path_of(page) for page in pages if page in PAGES}
    return {(CHECKOUT / page).parent.joinpath(to.partition("#")[0]).resolve() for page, to in LINKS if page in names}


def test_two_links_lead_from_the_readme_to_every_page_of_the_docs() -> None:
    near = linked(README)

    assert {page for page in PAGES if path_of(page).startswith("docs/")} - near - linked(*near) == set()


def test_the_columns_of_the_first_board_are_explained_where_results_are_read() -> None:
    (board,) = (block.text for block in BLOCKS if block.name == "board")
    heads = re.split(r"  +", board.splitlines()[0].strip())
    explained = [row[0].partition(" (")[0] for row in table_of(RESULTS, "## The board")]

    assert explained == ["number", *heads[1:]]


def commands_of_the_reference() -> list[str]:
    cells = [row[0] for row in table_of(REFERENCE, "## The command line")]
    return [name for cell in cells for name in re.findall(r"`([a-z-]+)", cell)]


def test_the_reference_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0

    known = re.findall(r"^    ([a-z-]+)(?: |$)", capsys.readouterr().out, re.MULTILINE)
    assert sorted(commands_of_the_reference()) == sorted(known)


def test_the_reference_has_every_group_of_extensions() -> None:
    rows = [[f"`{name}`", *told] for name, told in GROUPS.items()]
    assert table_of(REFERENCE, "## Extensions") == rows


def known_options(project: BenchProject, capsys: pytest.CaptureFixture[str]) -> set[str]:
    text = project.run("--help").stdout.str()
    for command in commands_of_the_reference():
        assert main([command, "--help"]) == 0
        text += capsys.readouterr().out
    known = set(re.findall(r"--[a-z][a-z-]+", text)) | {"--version"}
    return known | {option.replace("--", "--bench-", 1) for option in known}


def test_every_option_that_is_shown_exists(project: BenchProject, capsys: pytest.CaptureFixture[str]) -> None:
    shown = {
        option for page in PRESENT for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z](?![\w-])", text_of(page))
    }

    unknown = shown - known_options(project, capsys) - FOREIGN

    assert unknown == set()
    assert len(shown) > 50


@pytest.mark.parametrize(
    ("heading", "shape", "apart"),
    [
        ("### models.yaml", ModelRow, set()),
        ("### endpoints.yaml", Endpoint, {"ad_hoc"}),
        ("### judges.yaml", JudgeRow, set()),
        ("### editions/ID.yaml", EditionFile, {entry.key for entry in KINDS.values()}),
        ("### scenarios/ID.yaml", ScenarioFile, set()),
        ("### rubrics/ID.yaml", ScoreField, set()),
        ("### gate.yaml", GateFile, set()),
        ("### dossiers/ID.yaml", Matter, set()),
    ],
)
def test_the_reference_names_every_field_of_a_file(heading: str, shape: type[BaseModel], apart: set[str]) -> None:
    """``apart``: fields that no file has, and those of the kinds of edition, which no shape has."""
    shown = {name for row in table_of(REFERENCE, heading) for name in re.findall(r"`(\w+)`", row[0])}

    assert shown == {field.alias or name for name, field in shape.model_fields.items()} ^ apart


def test_the_methodology_gives_the_weights_of_every_edition() -> None:
    rows = table_of(CHECKOUT / "docs" / "methodology.md", "## Scores and components")
    shown = {row[0].strip("`"): row[3:] for row in rows}

    for column, edition in enumerate(("v1", "v1.1", "lite", "v2")):
        content = yaml.load(
            (CHECKOUT / "configs" / "editions" / f"{edition}.yaml").read_text("utf-8"), yaml.CSafeLoader
        )
        weights = {name: component["weight"] for name, component in content["components"].items()}
        told = {name: float(cells[column]) for name, cells in shown.items() if cells[column] != "–"}
        assert told == {name: weights[name] for name in told}
        assert sum(told.values()) == pytest.approx(1)


def test_the_validity_page_counts_the_rows_of_its_tables() -> None:
    states = ("met", "in part", "not")
    heads = re.findall(r"^(### \w+: (\d+) met, (\d+) in part, (\d+) not)$", text_of(VALIDITY), re.MULTILINE)
    criteria = [table_of(VALIDITY, head) for head, *_ in heads]
    points = [["", "1", state, evidence] for _, state, evidence in table_of(VALIDITY, "## Construct validity")]

    def counts(*tables: list[list[str]]) -> list[str]:
        return [str(sum(int(n) for rows in tables for _, n, told, _ in rows if told == state)) for state in states]

    assert [told for _, *told in heads] == [counts(rows) for rows in criteria]
    for total, tables in ((8, [points]), (46, criteria)):
        met, part, lacking = counts(*tables)
        assert f"{met} met, {part} in part, {lacking} not." in " ".join(text_of(VALIDITY).split())
        assert int(met) + int(part) + int(lacking) == total


def test_the_worked_example_of_the_methodology_is_what_this_package_computes() -> None:
    page = CHECKOUT / "docs" / "methodology.md"
    edition = load_edition("v2")
    run: dict[str, list[list[dict[str, float]]]] = {}
    for name, scores, *_ in table_of(page, "## A worked example")[:-1]:
        component = edition.components[name.strip("`")]
        places = [(part.score, scenario) for part in component.parts for scenario in part.scenarios]
        for (score, scenario), number in zip(places, re.findall(r"\d+", scores), strict=True):
            run.setdefault(scenario, [[{}]])[0][0][score] = float(number)

    index = index_or_none(edition, component_values(edition, run))

    assert table_of(page, "## A worked example")[-1][-1] == f"**{index:.2f}**"
    assert f"= {engaged_samples(edition, [[run]])[0].mean:.2f}\n" in text_of(page)
