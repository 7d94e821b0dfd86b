"""Two models' role stability compared: paired by persona, in words, as Markdown and JSON, and from the command line."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from role_world import RoleWorld, Score, at_random, design, keeper

from independence_bench.cli import main
from independence_bench.cli.compared_sides import StoreSide
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kinds.roles.design import VALUES
from independence_bench.kinds.roles.reporting.role_comparison import RoleComparison
from independence_bench.kinds.roles.reporting.role_kind import KIND
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.presented import Compared
from independence_bench.store import Store

pytestmark = pytest.mark.slow

ROLES = design(12, survey=False)
HOSTILE = "wild](http://evil)<script>|\x1b[31m"


def stray(persona: int, context: str, item: int) -> int:
    """Person 3 answers the other way round over chess."""
    score = keeper(noise=0.5)(persona, context, item)
    return 7 - score if (persona, context) == (3, "chess") else score


def world(**models: Score) -> RoleWorld:
    made = RoleWorld(ROLES)
    for label, score in models.items():
        made.play(label.replace("HOSTILE", HOSTILE), score)
    return made


def shown(made: RoleWorld, first: str, second: str, confidence: float = 0.95, answers: int = 1) -> Compared:
    place = StoreSide(made.store, "here", made.session)
    return KIND.compared(
        ComparisonRequest(made.session, place.side(first), place.side(second), confidence, answers, current_set_digest)
    )


def compared(*names: Any, **options: Any) -> RoleComparison:
    return RoleComparison.model_validate_json(shown(*names, **options).json())


def words(found: Compared) -> str:
    return " ".join(found.text(400).split())


@cache
def clear() -> tuple[RoleComparison, Compared]:
    found = shown(world(good=keeper(noise=0.3), wild=at_random()), "good", "wild")
    return RoleComparison.model_validate_json(found.json()), found


def test_a_keeper_is_told_apart_from_chance_with_interval_p_value_and_what_could_have_been_found() -> None:
    found, text = clear()[0].difference, words(clear()[1])
    assert found is not None and clear()[0].gap == found.estimate
    assert found.significant and found.p_value < 0.01
    assert found.low < found.estimate and found.minimum_detectable > 0
    assert "good (A) is 0." in text
    assert "above wild (B) in rank order (95 % over personas: " in text
    assert "significantly different; a difference of" in text and "not significantly" not in text


def test_the_other_way_round_everything_changes_its_sign() -> None:
    other_way = shown(world(good=keeper(noise=0.3), wild=at_random()), "wild", "good")
    one, turned = clear()[0].difference, RoleComparison.model_validate_json(other_way.json()).difference
    assert one is not None and turned is not None
    assert turned.estimate == pytest.approx(-one.estimate)
    assert (turned.low, turned.high) == pytest.approx((-one.high, -one.low))
    assert "wild (A) is 0." in words(other_way) and "below good (B)" in words(other_way)


def test_values_and_pairs_of_contexts_add_up_to_the_whole() -> None:
    found = clear()[0]
    values = [each for each in found.numbers if each.name.removeprefix("rank_order_") in VALUES]
    assert len(values) == 10 and all(each.difference for each in values)
    assert [each.name for each in found.contexts] == ["none – chess"]
    assert found.gap == pytest.approx(sum(each.gap or 0.0 for each in values) / 10)


def test_the_persona_who_strays_in_one_context_stands_first_with_both_answers_side_by_side() -> None:
    made = world(good=keeper(noise=0.5), astray=stray)
    found = compared(made, "good", "astray")
    worst = found.personas[0]
    assert (worst.persona, worst.scenario[-3:]) == ("Person 3", "-p3")
    assert worst.second > worst.first + 1
    assert [each.item for each in worst.answers] == list(range(1, 21))
    assert found.personas[1].answers == []
    over_chess = next(each for each in found.personas if each.scenario == "chess-p3")
    assert over_chess.first < over_chess.second
    assert f"Answers of Person 3, {worst.context}" in words(shown(made, "good", "astray"))


def test_as_many_answers_are_shown_as_asked_for() -> None:
    made = world(good=keeper(noise=0.5), astray=stray)
    for answers in (0, 2):
        personas = compared(made, "good", "astray", answers=answers).personas
        assert len([each for each in personas if each.answers]) == answers


def test_equal_models_have_no_known_difference() -> None:
    made = world(one=keeper(noise=0.5), two=keeper(noise=0.5))
    found = compared(made, "one", "two")
    assert (found.gap, found.difference) == (0.0, None)
    assert "one (A) and two (B) have the same rank order; there is no interval" in words(shown(made, "one", "two"))


def test_an_incomplete_side_shows_what_is_missing_and_no_number() -> None:
    made = world(good=keeper(noise=0.5))
    made.play("part", keeper(), without=("chess-p1",))
    found, text = compared(made, "good", "part"), words(shown(made, "good", "part"))
    assert (found.gap, found.difference, found.contexts, found.personas) == (None, None, [], [])
    assert "Missing of B: 1 × not asked yet: chess-p1 r1" in text
    assert "No difference can be computed." in text
    assert "35/36" in text


def test_a_higher_confidence_widens_the_interval() -> None:
    wide = compared(world(good=keeper(noise=0.3), wild=at_random()), "good", "wild", 0.99).difference
    narrow = clear()[0].difference
    assert wide is not None and narrow is not None
    assert wide.low < narrow.low < narrow.high < wide.high


def test_hostile_labels_and_answers_are_inert_in_markdown_and_in_the_terminal() -> None:
    found = shown(world(good=keeper(noise=0.3), HOSTILE=at_random()), "good", HOSTILE)
    page = MarkdownIt("commonmark").enable("table").render(found.markdown())
    assert "<script>" not in page and 'href="http://evil' not in page
    assert "<h2>Rank order by pair of contexts, most different first</h2>" in page
    assert "\x1b" not in found.text(100)


@pytest.mark.parametrize("width", [80, 100, 140])
def test_the_text_fits_its_width(width: int) -> None:
    assert max(map(len, clear()[1].text(width).splitlines())) <= width


@pytest.mark.external
def test_the_command_prints_all_three_forms_and_compares_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    for file, score in (("reports/trials.sqlite", keeper(noise=0.3)), ("other.sqlite", at_random())):
        made = RoleWorld(ROLES, Store.open(tmp_path / file))
        made.play("good", score)
        made.play("wild", at_random())
        made.store.close()

    assert main(["compare", "good", "wild"]) == 0
    assert "Comparison on role stability, edition roles-few" in capfd.readouterr().out
    assert main(["compare", "good", "wild", "--format=markdown"]) == 0
    assert capfd.readouterr().out.startswith("# Comparison on role stability")
    assert main(["compare", "good", "--other=other.sqlite", "--format=json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["subject"], found["schema"]) == ("role_stability", 1)
    assert (found["first"]["label"], found["second"]["label"]) == (
        "good in reports/trials.sqlite",
        "good in other.sqlite",
    )
    assert RoleComparison.model_validate(found).difference is not None
    assert main(["compare", "wild", "--other=other.sqlite"]) == 0
    told = " ".join(capfd.readouterr().out.split())
    assert "36 of 36 interviews are the same measurement on both sides" in told
