"""From stored interviews to populations: which answer counts, what is counted, what cannot be read."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from role_world import PORTRAIT, RoleWorld, at_random, design, interview, keeper, rating

from independence_bench.digest import Json
from independence_bench.kinds.roles.reporting.stored_interviews import PlayedRun, load_interviews, read_answers
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.store import Store
from independence_bench.store.damage import StoreFailed
from independence_bench.trial import Exchange, Reply, Transcript
from independence_bench.wire_json import value_to_json

OPTIONS = (3, 1, 2)


def runs_of(world: RoleWorld) -> list[PlayedRun]:
    (entry,) = ranked_models(world.store, world.session).entries
    return load_interviews(world.store, entry)


def said(*exchanges: Exchange) -> dict[str, Json]:
    transcript = Transcript(delivery_mode="user_role", system="", exchanges=exchanges)
    found: dict[str, Json] = json.loads(value_to_json(transcript))
    return found


def test_a_score_is_what_the_named_option_stood_for() -> None:
    scores, counts = read_answers(said(rating(1, OPTIONS, "(A)"), rating(2, OPTIONS, "Answer: C")))
    assert scores == {1: 3, 2: 2}
    assert (counts.items, counts.at_once, counts.unparsed_share) == (2, 2, 0)


def test_the_last_answer_to_an_item_counts_and_both_are_counted() -> None:
    scores, counts = read_answers(
        said(
            rating(1, OPTIONS, "As an AI I have no opinion."),
            rating(1, OPTIONS, "(B)"),
            rating(2, OPTIONS, "(A) or (B)"),
            rating(2, OPTIONS, "(A), maybe (C)"),
            rating(3, OPTIONS, "well"),
            rating(3, OPTIONS, "no"),
        )
    )
    assert scores == {1: 1, 2: None, 3: None}
    assert (counts.items, counts.at_once, counts.asked_again, counts.at_second) == (3, 0, 3, 1)
    assert (counts.several, counts.no_option) == (1, 1)
    assert counts.unparsed_share == pytest.approx(2 / 3)


def test_choices_are_counted_and_never_scored() -> None:
    choice = Exchange(after=None, asked="Which?", reply=Reply(answer="(B)"), item=None, options=(1, 2))
    unread = choice.model_copy(update={"asked": "Which least?", "reply": Reply(answer="none")})
    scores, counts = read_answers(said(choice, unread, unread, rating(1, OPTIONS, "(A)")))
    assert scores == {1: 3}
    assert (counts.choices, counts.choices_unread, counts.items) == (2, 1, 1)


def test_two_items_of_the_same_words_are_two_questions() -> None:
    one, two = rating(1, OPTIONS, "(A)"), rating(2, OPTIONS, "(B)").model_copy(update={"asked": "item 1?"})
    assert read_answers(said(one, two))[0] == {1: 3, 2: 1}


def test_the_conversation_is_no_answer() -> None:
    scores, counts = read_answers(said(*interview(PORTRAIT, lambda item: 1 + item % 6)))
    assert counts.items == PORTRAIT.n_items
    assert scores[5] == 6


def test_a_population_has_its_personas_in_the_order_of_the_design_and_null_where_nothing_was_read() -> None:
    world = RoleWorld(design(3))
    unread = interview(PORTRAIT, lambda _: 2)
    unread[2:3] = [rating(1, unread[2].options, "hm", 1), rating(1, unread[2].options, "hm again", 1)]
    world.play("m", lambda persona, _context, item: 1 + (persona + item) % 6, said={"chess-p1": unread})
    (run,) = runs_of(world)
    chess = next(context for context in run.population.contexts if context.name == "chess")
    assert chess.answers[0] == tuple(1 + item % 6 for item in range(1, 21))
    assert chess.answers[1] == (None, *[2] * 19)
    assert [context.retest_of for context in run.population.contexts] == [None, None, None, "none"]
    assert run.counts.no_option == 1
    assert run.counts.items == 3 * (3 * 20 + 21)


def test_a_model_with_a_missing_interview_has_no_population() -> None:
    world = RoleWorld(design(3))
    world.play("m", at_random(), without=("chess-p2",))
    assert runs_of(world) == []


@pytest.mark.parametrize("broken", ["[]", '{"exchanges": [{"options": [1]}]}', '{"exchanges": [{"opt', "null"])
def test_a_transcript_that_cannot_be_read_is_damage_and_no_missing_answer(tmp_path: Path, broken: str) -> None:
    file = tmp_path / "trials.sqlite"
    world = RoleWorld(design(3), Store.open(file))
    world.play("m", at_random())
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE transcripts SET body = ? WHERE scenario = 'chess-p1'", (broken,))
    with pytest.raises(StoreFailed, match=r"trials.sqlite: is damaged \(a transcript in it is (no JSON|incomplete)\)"):
        runs_of(world)
    world.store.close()


def test_a_transcript_without_an_item_is_damage(tmp_path: Path) -> None:
    world = RoleWorld(design(3), Store.open(tmp_path / "trials.sqlite"))
    world.play("m", at_random(), said={"chess-p1": interview(PORTRAIT, lambda _: 2)[:-1]})
    with pytest.raises(StoreFailed, match="transcript of chess-p1 in run 1 lacks items"):
        runs_of(world)
    world.store.close()


def test_several_runs_are_populations_of_their_own() -> None:
    world = RoleWorld(design(3))
    for run in (1, 2):
        world.play("m", keeper(run), run)
    found = runs_of(world)
    assert [run.run for run in found] == [1, 2]
    assert found[0].population != found[1].population
