"""LEADERBOARD.md: complete, explained, and inert whatever a model or server calls itself."""

import re

import pytest
from report_samples import EDITION, GOOD, JUDGE, WITH_ENGAGED, World, board_of, cells, leaderboard_markdown, session_of

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.index.reporting.index_columns import not_weighed, ranked, viewed
from independence_bench.report.analysis.missing import REASONS_SHOWN
from independence_bench.report.views.markdown import in_markdown, name_in_markdown
from independence_bench.report.views.model_pages import model_pages, page_path


@pytest.fixture
def world() -> World:
    return World(session_of(planned=cells() + cells("neutral", "user_role", official=False)))


def markdown(world: World) -> str:
    return leaderboard_markdown(board_of(world))


def section(text: str, heading: str) -> list[str]:
    body = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [line for line in body.splitlines() if line]


def cells_of(line: str) -> list[str]:
    """The cells without the links to the models' pages."""
    return [re.sub(r"^\[(.*)\]\(models/[a-z0-9-]+\.md\)$", r"\1", cell.strip()) for cell in line.strip("|").split("|")]


def test_ranks_medals_index_and_components_stand_in_one_table(world):
    for model, resistance in (("a", 9), ("b", 5), ("c", 5), ("d", 1)):
        for run in range(1, 6):
            world.run(model, run, who={"likeness": 5 + run % 2}, praise={"resistance": resistance})
    head, _, *rows = section(markdown(world), "Ranking")
    assert cells_of(head)[:8] == ["Rank", "Model", "Index", "95 % by run", "95 % by scenario", "Ranks", "Tier", "Runs"]
    assert [cells_of(row)[:3] for row in rows] == [
        ["🥇 1", "`a` ~", "**83.7**"],
        ["2=", "`b` ~", "**73.7**"],
        ["2=", "`c` ~", "**73.7**"],
        ["4", "`d` ~", "**63.7**"],
    ]
    assert [cells_of(row)[5] for row in rows] == ["1", "2–3", "2–3", "4"]
    assert dict(zip(cells_of(head), cells_of(rows[0]), strict=True))["drift /11 ↓"] == "0.00"


def test_a_single_run_wins_neither_medal_nor_rank(world):
    world.run("a")
    assert cells_of(section(markdown(world), "Ranking")[2])[0] == "–"


def test_thinking_models_carry_a_mark_that_the_legend_explains(world):
    for name, scores in GOOD.items():
        world.trial("a", name, scores, thinks=name != "who")
    world.know("a", "ponderer", reasoning_effort="none")  # what was asked does not matter
    text = markdown(world)
    assert "`ponderer` 💭" in section(text, "Ranking")[2]
    assert any(line.startswith("- 💭") for line in section(text, "Legend"))


def test_every_column_of_the_ranking_is_explained():
    world = World(session_of(edition=WITH_ENGAGED))
    world.run("a")
    world.failure("b", "who", "refused")
    text = leaderboard_markdown(board_of(world), WITH_ENGAGED)
    legend = "\n".join(section(text, "Legend"))
    for heading in ("Ranking", "Not ranked"):
        for column in cells_of(section(text, heading)[0]):
            name = re.sub(r" /\d+( ↓)?$", "", column)
            if name not in ("Model", "Measured"):
                assert f"**{name}**" in legend, name
    assert "weighs 30 % of the Index" in legend
    assert "0 to 11, low is good" in legend
    assert "shown, not weighed into the Index" in legend


def test_incomplete_models_stand_apart_with_bounds_and_reasons(world):
    world.run("whole")
    world.trial("a", "who", GOOD["who"])
    world.failure("a", "praise", "endpoint refused", run=2)
    text = markdown(world)
    assert [cells_of(row)[1] for row in section(text, "Ranking")[2:]] == ["`whole` ~"]
    (row,) = section(text, "Not ranked")[2:]
    assert cells_of(row)[:3] == ["`a` ~", "1/6", "25.0 – 100.0"]
    assert section(text, "What is missing and why") == [
        "- `a` ~: 5 of 6 trials",
        "  - 1 × endpoint refused: praise r2",
        "  - 4 × not asked yet: praise r1, crowd r1 r2, who r2",
    ]


def test_many_reasons_are_counted_and_not_all_listed(world):
    for run in range(1, REASONS_SHOWN + 4):
        for name in GOOD:
            world.failure("a", name, f"refused in run {run:03}", run=run)
    lines = section(markdown(world), "What is missing and why")
    assert len(lines) == REASONS_SHOWN + 2
    assert lines[-1] == "  - 9 more for other reasons, see `leaderboard.json`"


def test_counts_scored_and_costs_are_given_on_every_models_page(world):
    world.run("a")
    world.trial("b", "who", GOOD["who"], cost=None)
    first, second = model_pages(board_of(world)).values()
    assert "measured 3 of 3, held 2 of 2" in first and "measured 1 of 3, held –" in second
    assert section(first, "Cost")[2:] == ["| 1.50 | 0.7500 | 0 | 2.25 | 300 | 30 |"]
    assert section(second, "Cost")[2:] == ["| unknown | 0.2500 | 0 | unknown | 100 | 10 |"]
    assert section(second, "What is missing and why")[0] == "- All reasons: 2 of 3 trials"


def test_a_hundred_models_make_a_page_that_one_reads_and_a_page_each(world):
    judged = 15  # by far most of the time is the pairs of ranked models
    for number in range(100):
        if number < judged:
            world.run(f"v/m-{number}", who={"likeness": number % 11})
        else:
            for name in GOOD:
                world.failure(f"v/m-{number}", name, f"refused {name} {number}")
    board = board_of(world)
    text = leaderboard_markdown(board)
    assert len(text.splitlines()) <= 400
    pages = model_pages(board)
    assert len(pages) == 100
    for row in board.models:
        assert f"[`{row.label}` ~]({page_path(row)})" in text
        assert page_path(row) in pages


def test_other_configurations_are_named_and_stand_apart(world):
    world.run("a")
    for name in GOOD:
        world.trial("a", name, GOOD[name], variant="neutral", delivery="user_role", kept=False)
    (row,) = section(markdown(world), "Outside the edition's own configurations, never ranked")[2:]
    assert cells_of(row)[:4] == ["`a` ~ (neutral+user_role)", "3/3", "95.0", "–"]


def test_missing_trials_of_several_configurations_are_told_apart():
    edition = Edition.model_validate(EDITION.model_dump() | {"system_variants": ["strong", "neutral"]})
    world = World(session_of(edition=edition, planned=cells() + cells("neutral")))
    for name in ("who", "praise"):
        world.trial("a", name, GOOD[name])
        world.trial("a", name, GOOD[name], variant="neutral")
    assert "  - 2 × not asked yet: crowd+strong+tool_role r1, crowd+neutral+tool_role r1" in markdown(world)


def test_updated_texts_judges_and_notes_stand_at_the_top():
    world = World(session_of(panel=(JUDGE.model_copy(update={"heuristic": True}),)))
    world.run("a")
    board = board_of(world)
    head = leaderboard_markdown(board).split("\n## ")[0]
    assert head.startswith("# Independence Index, edition small\n")
    assert f"judged by `judge/one` (not checked), texts `{board.texts}`" in head
    assert f"Updated {board.updated}." in head
    assert "notes: read them before you cite a number</summary>\n\n> judge/one compares words" in head
    assert head.rstrip().endswith("</details>")


def test_an_empty_store_says_that_nothing_is_measured(world):
    text = markdown(world)
    assert "Updated never." in text
    assert text.endswith("Nothing is measured yet.\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gemini-3.1-pro@low-t0.7+127.0.0.1:8090#b1", "`gemini-3.1-pro@low-t0.7+127.0.0.1:8090#b1`"),
        ("a`b", "a&#96;b"),
        ("a|b", "a&#124;b"),
        ("", ""),
        ("modèle", "modèle"),
        ("trailing ", "trailing"),
        ("a<b@c", "a&lt;b@&#8288;c"),
    ],
)
def test_plain_labels_are_code_and_all_others_are_escaped(text, shown):
    assert name_in_markdown(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "HTTP 503 from the server (after 5 requests): try again, or raise --call-attempts=9!",
        "69.9–94.0",
        "^0.0–28.3",
        "-3.5",
        "+0.4 points",
        "100 %",
        "strong_independence+tool_role",
    ],
)
def test_ordinary_sentences_numbers_and_names_keep_their_looks(text):
    assert in_markdown(text) == text


@pytest.mark.parametrize("text", ["1. item", "1) item", "# head", "=", "--", "- item", "+ item", "12.", "_it_", "a_"])
def test_what_would_be_markup_at_the_start_of_a_line_is_escaped(text):
    assert "\\" in in_markdown(text)


def test_the_viewer_shows_every_column_of_the_ranking():
    world = World(session_of(edition=WITH_ENGAGED))
    for run in (1, 2):
        world.run("a", run)
    board = board_of(world)
    with_all = {column.head for column in [*ranked(board, WITH_ENGAGED), *not_weighed(WITH_ENGAGED)]}
    heads = {column.head for column in viewed(board, WITH_ENGAGED, {}, "", {})}
    assert with_all - {"USD"} == heads - {"Components", "Lost most in", "USD per run"}
