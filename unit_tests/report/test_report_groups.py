"""Texts from elsewhere: ranked among themselves, whatever else the store holds."""

import random
import re

import pytest
from report_samples import (
    EDITION,
    GOOD,
    JUDGE,
    SECOND_JUDGE,
    World,
    board_of,
    cells,
    details_text,
    leaderboard_markdown,
    session_of,
)

from independence_bench.bad_input import BadInput
from independence_bench.report.analysis.groups import session_showing
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.views.json_text import json_text
from independence_bench.spec import PanelJudge
from independence_bench.store import Session, Store

FOREIGN_JUDGE = PanelJudge(label="their/judge", model_id="their/judge", configuration="their-judge")


def foreign(id: str = "import-sample-1", title: str = "Theirs") -> Session:
    planned = tuple(cell.model_copy(update={"script_digest": f"their-{cell.scenario}"}) for cell in cells())
    session = session_of(id, (FOREIGN_JUDGE,), planned, started_at=0.0)
    return session.model_copy(update={"edition": session.edition.model_copy(update={"title": title})})


def imported(world: World, model: str, resistance: int = 9, only: str | None = None) -> None:
    for name, scores in GOOD.items():
        if only in (None, name):
            pressed = {"resistance": resistance} if "resistance" in scores else {}
            world.trial(model, name, scores | pressed, judges=(FOREIGN_JUDGE,), script=f"their-{name}", origin="sample")


@pytest.fixture
def mixed() -> World:
    world = World()
    world.run("ours")
    theirs = World(foreign(), world.store)
    imported(theirs, "c/better", 10)
    imported(theirs, "b/worse", 1)
    imported(theirs, "a/incomplete", only="who")
    return world


def test_an_import_is_a_group_of_its_own_beside_what_was_measured(mixed):
    board, newest = board_of(mixed), mixed.store.newest_session()
    assert newest is not None and newest.id == mixed.session.id
    assert [row.label for row in board.models] == ["ours"]
    assert board.origins == {"measured": 3}
    (group,) = board.groups
    assert (group.title, group.edition, group.judges, group.origins) == (
        "Theirs",
        "small",
        ["their/judge"],
        {"sample": 7},
    )
    assert group.texts != board.texts
    assert [(row.label, row.contends, row.measured, row.planned) for row in group.models] == [
        ("c/better", True, 3, 3),
        ("b/worse", True, 3, 3),
        ("a/incomplete", False, 1, 3),
    ]
    assert [row.index for row in group.models] == [pytest.approx(100), pytest.approx(55), None]
    assert group.models[-1].bounds == pytest.approx((50, 100))


def test_a_store_of_imports_alone_is_reported_without_any_option():
    world = World(foreign())
    imported(world, "a")
    session = world.store.newest_session()
    assert session is not None
    board = build_leaderboard(world.store, session)
    assert [(row.label, row.contends) for row in board.models] == [("a", True)]
    assert (board.groups, board.origins) == ([], {"sample": 3})
    assert any(note.startswith("Texts from elsewhere: 3 transcripts") for note in board.notes)


def test_several_imports_of_one_kind_are_one_group(mixed):
    World(foreign("import-sample-2"), mixed.store)
    assert len(board_of(mixed).groups) == 1


def test_imports_judged_by_somebody_else_are_another_group(mixed):
    again = foreign("import-sample-3").model_copy(update={"panel": (JUDGE,)})
    mixed.store.begin_session(again, [])
    assert [group.judges for group in board_of(mixed).groups] == [["judge/one"], ["their/judge"]]


def test_the_markdown_ranks_the_group_apart(mixed):
    text = leaderboard_markdown(board_of(mixed))
    part = text.split("\n## Texts from elsewhere: Theirs\n")[1].split("\n## ")[0]
    assert "7 transcripts from sample" in part
    assert "| Rank | Model | Index or bounds | 95 % by run | 95 % by scenario | Ranks | Tier | Measured |" in part
    # Best in everything: 100 × (1 − exp(−3.69 / 2.67)) may be unseen in scenarios that are worth 2.67 equal ones.
    assert "| – | `c/better` ~ | 100.0 | – | ^24.7–100.0 | 1–2 | – | 3/3 | 1 | 1–2 |" in part
    assert "| – | `a/incomplete` ~ | 50.0 – 100.0 | – | – | – | – | 1/3 | 1 |" in part
    assert "c/better" not in text.split("\n## Texts from elsewhere")[0]


def test_the_details_show_the_first_of_the_group_and_counts_the_rest(mixed):
    theirs = World(foreign(), mixed.store)
    for place in range(14):
        imported(theirs, f"more/{place}", 5)
    text = details_text(board_of(mixed), EDITION, 100)
    assert "Texts from elsewhere: Theirs" in text
    assert "c/better" in text
    assert "2 more are in leaderboard.json." in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_group_is_shown_whole_by_its_texts(mixed):
    (group,) = board_of(mixed).groups
    board = build_leaderboard(mixed.store, session_showing(mixed.store, group.texts[:6]))
    assert [row.label for row in board.models] == ["c/better", "b/worse", "a/incomplete"]
    assert board.texts == group.texts
    assert session_showing(mixed.store, board_of(mixed).texts).id == mixed.session.id


@pytest.mark.parametrize(("texts", "trouble"), [("no-such", "there are no such texts"), ("", "several texts begin so")])
def test_texts_that_are_not_one_are_refused(mixed, texts, trouble):
    with pytest.raises(
        BadInput, match=f"--texts={texts}: {trouble}; the store holds .*A small edition.*Theirs|Theirs.*A small"
    ):
        session_showing(mixed.store, texts)
    with pytest.raises(BadInput, match="the store holds none"):
        session_showing(Store.empty(), "x")


def test_the_newest_session_of_an_edition_or_of_judges_can_be_shown():
    store = Store.empty()
    both = session_of("s2", (JUDGE, SECOND_JUDGE), started_at=2000.0)
    other = session_of("s3", (SECOND_JUDGE,), edition=EDITION.model_copy(update={"id": "other"}), started_at=3000.0)
    for session in (
        session_of("s1", (JUDGE,)),
        both,
        other,
        foreign("import-new").model_copy(update={"started_at": 9.0}),
    ):
        store.begin_session(session, [])
    assert session_showing(store).id == "s3"
    assert session_showing(store, edition="small").id == "s2"
    assert session_showing(store, edition="small", judges=["judge/one"]).id == "s1"
    assert session_showing(store, judges=["judge/two", "judge/one"]).id == "s2"
    assert session_showing(store, judges=["their/judge"]).id == "import-new"
    for judges in (["judge/one", "judge/three"], ["judge/three"]):
        with pytest.raises(BadInput, match=f"--edition=small --judge={judges[0]}.*: no session matches; .*edition"):
            session_showing(store, edition="small", judges=judges)


def test_a_callable_judge_is_named_from_any_folder_and_a_miss_lists_each_thing_once():
    store = Store.empty()
    rule = PanelJudge(label="rule", model_id="callable/bench.wording:keeps", configuration="J5")
    for place, panel in enumerate([(rule,), (JUDGE,), (JUDGE, rule)]):
        store.begin_session(session_of(f"s{place}", panel, started_at=place), [])
    for name in ("bench.wording:keeps", "wording:keeps", "rule"):
        assert session_showing(store, judges=[name]).id == "s0"
    with pytest.raises(BadInput) as missed:
        session_showing(store, judges=["ording:keeps"])
    judges_held = "bench.wording:keeps, judge/one, judge/one with bench.wording:keeps"
    holds = f"editions small; texts [0-9a-f]{{8}} .A small edition.; judges {judges_held}"
    assert re.fullmatch(f"--judge=ording:keeps: no session matches; the store holds {holds}", str(missed.value))


def test_equal_stores_give_identical_reports_whatever_the_order_of_arrival():
    def trials(world: World, order: int) -> None:
        chosen = [(model, run, name) for model in ("a", "b", "c") for run in (1, 2) for name in GOOD]
        random.Random(order).shuffle(chosen)
        for model, run, name in chosen:
            at = 3000.0 + 100 * run + ord(model) + list(GOOD).index(name) / 8
            pressed = {"resistance": ord(model) % 7 + run} if "resistance" in GOOD[name] else {}
            world.trial(
                model,
                name,
                GOOD[name] | pressed,
                run,
                at=at,
                judges=(JUDGE, SECOND_JUDGE),
                reports={"names": [f"Name {run}", model.upper(), model], "gender": "none"},
            )
            world.failure(model, name, f"refused {model} {name}", run, cost=0.1, at=at - 1)

    texts = []
    for order in range(3):
        world = World(session_of(panel=(JUDGE, SECOND_JUDGE)))
        trials(world, order)
        theirs = World(foreign(), world.store)
        imported(theirs, "z")
        board = board_of(world)
        texts.append(json_text(board, "models") + leaderboard_markdown(board))
    assert texts[0] == texts[1] == texts[2]


def test_an_empty_group_is_not_shown():
    world = World()
    world.run("a")
    world.store.begin_session(foreign(), [])
    board = board_of(world)
    assert board.groups == []
    assert "Texts from elsewhere" not in leaderboard_markdown(board)


def test_a_verdict_that_a_trial_paid_for_counts_before_one_on_the_same_words():
    world = World(foreign())
    for model, resistance in (("a", 9), ("b", 2)):
        for name, scores in GOOD.items():
            pressed = {"resistance": resistance} if "resistance" in scores else {}
            world.trial(
                model, name, scores | pressed, judges=(FOREIGN_JUDGE,), script=f"their-{name}", said=f"no {name}"
            )
    # The verdicts of b have keys of their own, as an import gives them: equal words, judged twice, not alike.
    with world.store._database.transaction() as rows:
        rows.execute("DELETE FROM verdicts WHERE trial_key LIKE 'b/%'")
        rows.execute(
            "INSERT INTO verdicts SELECT key || '/b', transcript_hash, rubric_id, rubric_digest, judge,"
            " judge_configuration, 'b' || substr(trial_key, 2), origin, session, created_at + 1, cost_usd,"
            " prompt_tokens, completion_tokens, attempts, repaired,"
            " replace(scores, '\"resistance\":9', '\"resistance\":2'), reports, reasoning, body FROM verdicts"
        )
    board = board_of(world)
    assert {row.label: row.components["resistance"] for row in board.models} == {"a": 9, "b": 2}
