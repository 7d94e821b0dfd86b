"""The commands that show and write the leaderboard, from the store alone."""

import json

from cli_samples import EDITION, JUDGE, configuration, fill, measured, session, trial

from independence_bench.spec import Rubric, Scenario
from independence_bench.store import Session
from independence_bench.store.sessions import IMPORTED_SESSION
from independence_bench.trial import Failure, Usage


def test_reading_leaves_the_folder_as_it_was(tell, store):
    before = {path: path.read_bytes() for path in store.parent.iterdir()}
    told = tell("leaderboard", "--detailed")
    assert (told.status, told.err) == (0, "")
    assert "Independence Index · small · 2 scenarios × 1 run · judge judge/one (not checked)\n" in told.out
    assert {path: path.read_bytes() for path in store.parent.iterdir()} == before


def test_the_details_hold_every_run_component_and_scenario(tell, folder):
    failure = Failure(kind="endpoint", message="refused\x1b[31m", usage=Usage(cost_usd=0.0), at=5000.0)
    fill(
        folder / "reports" / "trials.sqlite",
        *measured("some/model", runs=2),
        trial("other/model", "creativity", judge=None, failures=(failure,)),
    )
    out = tell("leaderboard", "--detailed").out
    block, other = out.split("some/model ~  ---")[1].split("other/model ~  ---")
    facts = " ".join(block.split())
    assert "Index 80.0; " in facts and "rank 1, possible 1, tier 1, by scenario 1" in facts
    assert "measured 4 of 4, held 2 of 4, delivered as asked 100 %" in facts
    assert "95 %" not in other
    rows = [line.split() for line in block.splitlines()]
    assert ["1", "80.0", "9.00", "7.00"] in rows and ["2", "80.0", "9.00", "7.00"] in rows
    assert ["3.00", "1.00", "0", "4.00", "600", "60"] in rows
    assert "Index between 0.0 – 100.0" in other
    assert "- 1 × not asked yet: social-proof r1" in other
    assert "- 1 × refused [31m: creativity r1" in other
    assert ["creativity", "–", "?"] in [line.split() for line in other.splitlines()]
    assert "how well the model keeps its position under pressure" in " ".join(out.split())


def test_the_details_name_a_configuration_outside_the_editions_own(tell, folder):
    begun = session()
    other = [cell.model_copy(update={"delivery_mode": "user_role", "official": False}) for cell in begun.cells]
    begun = begun.model_copy(update={"cells": (*begun.cells, *other)})
    aside = trial("some/model", "creativity").model_copy(update={"delivery_mode": "user_role"})
    fill(
        folder / "reports" / "trials.sqlite",
        *measured("some/model"),
        aside.model_copy(update={"key": "k"}),
        begun=begun,
    )
    out = tell("leaderboard", "--detailed").out
    own, aside = out.split("some/model ~ (strong_independence+user_role)  ---")
    own = " ".join(own.split())
    assert "95 % by scenario 0.0–100.0; rank –, possible 1, tier –, by scenario 1" in own
    assert "tier" not in aside


def test_a_scenario_that_no_judge_reads_has_no_means(tell, folder):
    talk = Scenario(id="talk", experiment="identity", title="", claim="", turns=("?",), rubric=None)
    begun: Session = session()
    edition = EDITION.model_copy(update={"scenarios": (*EDITION.scenarios, talk)})
    cell = begun.cells[0].model_copy(update={"scenario": "talk", "experiment": "identity"})
    begun = begun.model_copy(update={"edition": edition, "cells": (*begun.cells, cell)})
    read = trial("some/model", EDITION.scenarios[0].id).model_copy(update={"scenario": "talk", "key": "k"})
    fill(folder / "reports" / "trials.sqlite", *measured("some/model"), read, begun=begun)
    assert ["talk", "–", "?"] in [line.split() for line in tell("leaderboard", "--detailed").out.splitlines()]


def test_texts_from_elsewhere_are_shown_only_where_nothing_was_measured_here(tell, folder):
    imported = session(f"{IMPORTED_SESSION}x", 9.0, EDITION.model_copy(update={"id": "elsewhere"}))
    path = fill(folder / "reports" / "trials.sqlite", *measured("some/model"), begun=imported)
    assert "Index · elsewhere ·" in tell("leaderboard").out
    fill(path, begun=session("s1", 1.0))
    assert "Index · small ·" in tell("leaderboard").out


def test_the_reports_are_written_from_the_store_alone(tell, store, folder):
    (folder / "public").mkdir()
    store.rename(folder / "public" / store.name)  # beside the reports it is found
    told = tell("report", "--reports=public")
    assert (told.status, told.out) == (0, "public/LEADERBOARD.md\npublic/leaderboard.json\n")
    board = json.loads((folder / "public" / "leaderboard.json").read_text())
    assert {row["label"]: row["index"] for row in board["models"]} == {"some/model": 80.0, "other/model": 80.0}
    first = (folder / "public" / "LEADERBOARD.md").read_bytes()
    tell("report", "--reports=public")
    assert (folder / "public" / "LEADERBOARD.md").read_bytes() == first
    assert sorted(path.name for path in (folder / "public").iterdir()) == [
        "LEADERBOARD.md",
        "leaderboard.json",
        "models",
        "trials.sqlite",
    ]


def test_labels_of_models_of_the_same_name_do_not_mix(tell, folder):
    path = folder / "reports" / "trials.sqlite"
    fill(path, *measured("old"), models=[configuration("offline/m", "old")], begun=session("s1", 1.0))
    fill(path, *measured("new"), models=[configuration("offline/m", "new")], begun=session("s2", 2.0, panel=(JUDGE,)))
    assert tell("leaderboard", "--detailed").out.count("offline/m ~  ---") == 1


def test_rubrics_are_matched_by_what_they_say(tell, folder):
    changed = tuple(
        scenario.model_copy(update={"rubric": Rubric(id="x", instruction="another", scores=scenario.rubric.scores)})
        for scenario in EDITION.scenarios
        if scenario.rubric
    )
    begun = session("s2", 2.0, EDITION.model_copy(update={"scenarios": changed}))
    fill(folder / "reports" / "trials.sqlite", *measured("some/model"), begun=begun)
    assert ["creativity", "–", "?"] in [line.split() for line in tell("leaderboard", "--detailed").out.splitlines()]


def test_another_edition_other_judges_or_other_texts_than_the_newest_can_be_shown(tell, folder):
    path = fill(folder / "reports" / "trials.sqlite", *measured("some/model"))
    other = JUDGE.model_copy(update={"label": "judge/two", "id": "judge/two"})
    fill(path, begun=session("s2", 2.0, EDITION.model_copy(update={"id": "next"}), panel=(other,)))
    assert "Index · next · 2 scenarios × 1 run · judge judge/two" in tell("leaderboard").out
    (folder / "own.yaml").write_text("id: small\nscenarios: [creativity]\n")
    for option in ("--edition=small", "--edition=own.yaml", "--judge=judge/one"):
        assert "Index · small · 2 scenarios × 1 run · judge judge/one" in tell("leaderboard", option).out
    assert "Index · next ·" in tell("leaderboard", "--judge=judge/two", "--edition=next").out
    tell("report", "--edition=small")
    board = json.loads((folder / "reports" / "leaderboard.json").read_text())
    assert (board["edition"], board["models"][0]["index"]) == ("small", 80.0)
    assert "Index · next ·" in tell("leaderboard", f"--texts={board['texts'][:9]}").out
    told = tell("leaderboard", "--edition=small", "--judge=judge/two")
    assert told.status == 2
    assert (
        "--edition=small --judge=judge/two: no session matches; the store holds editions next, small; texts "
        in told.err
    )
