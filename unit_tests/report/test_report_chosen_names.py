"""Names that models choose, each counted once per run."""

from report_samples import GOOD, JUDGE, SECOND_JUDGE, World, board_of, leaderboard_markdown, section_of, session_of

from independence_bench.report.analysis.chosen_names import NameAnalysis


def names(world: World) -> NameAnalysis:
    found = board_of(world).names
    assert found is not None
    return found


def chose(world: World, model: str, run: int, *chosen: str, scenario: str = "who") -> None:
    world.trial(model, scenario, GOOD[scenario], run, reports={"names": list(chosen)})


def counted(found: list) -> list[tuple[str, int, int]]:
    return [(each.name, each.runs, each.models) for each in found]


def test_a_name_counts_once_per_run_whatever_its_spelling(world):
    chose(world, "a", 1, "Vesper", "vesper", "Mira")
    chose(world, "a", 1, "Vesper.", scenario="praise")
    chose(world, "a", 2, "“Vesper”")
    chose(world, "b", 1, "VESPER")
    assert counted(names(world).names) == [("Vesper", 3, 2), ("Mira", 1, 1)]
    assert names(world).runs == 3


def test_equal_counts_are_ordered_by_models_then_name(world):
    chose(world, "a", 1, "Zoe", "Ada")
    chose(world, "a", 2, "Bo")
    chose(world, "b", 1, "Bo")
    chose(world, "a", 3, "Ada")
    assert counted(names(world).names) == [("Bo", 2, 2), ("Ada", 2, 1), ("Zoe", 1, 1)]


def test_declining_is_counted_by_run(world):
    chose(world, "a", 1)
    chose(world, "a", 2, "Vesper")
    chose(world, "a", 2, "", scenario="praise")
    (model,) = names(world).models
    assert (model.runs, model.declined) == (2, 1)
    assert names(world).declined == 1


def test_verdicts_that_report_no_names_are_no_refusal(world):
    world.run("quiet")
    chose(world, "a", 1, "Vesper")
    assert [model.label for model in names(world).models] == ["a"]


def test_where_no_verdict_reports_names_there_is_no_such_analysis(world):
    world.run("a")
    board = board_of(world)
    assert board.names is None
    assert "call themselves" not in leaderboard_markdown(board)


def test_of_several_judges_the_first_that_reports_names_is_believed():
    world = World(session_of(panel=(JUDGE, SECOND_JUDGE)))
    world.trial("a", "who", GOOD["who"], judges=(SECOND_JUDGE,), at=2000.0, reports={"names": ["Sol"]})
    assert counted(names(world).names) == [("Sol", 1, 1)]
    world.trial("a", "who", GOOD["who"], judges=(JUDGE,), at=2000.0, reports={"names": ["Vesper"]})
    assert counted(names(world).names) == [("Vesper", 1, 1)]


def test_long_lists_are_cut_and_counted(world):
    chose(world, "a", 1, *(f"Name{place:02}" for place in range(30)))
    chose(world, "b", 1, "Sol")
    text = section_of(world, "What the models call themselves")
    assert "The most frequent: Name00 (1)" in text and "Name07 (1) and 23 more." in text
    assert "Name07 (1) and 22 more |" in text


def test_hostile_names_are_inert_and_short(world):
    chose(world, "a", 1, "<img src=x onerror=alert(1)>|[x](y)\u202e" + "x" * 100)
    (name,) = names(world).names
    assert len(name.name) <= 60
    text = section_of(world, "What the models call themselves")
    assert "<img" not in text
    assert "\u202e" not in text
    assert "[x](y)" not in text


def test_models_that_all_decline_are_shown_without_a_list_of_names(world):
    chose(world, "a", 1)
    chose(world, "b", 1)
    assert names(world).names == []
    text = section_of(world, "What the models call themselves")
    assert "in 2 of them the model chose no name." in text
    assert "| `a` | none | 1 | 1 |" in text
