"""Stores with editions of kinds that this version does not know: of a package that is missing, or newer."""

import json

import pytest
from cli_samples import EDITION, configuration, fill, measured, session, trial

import independence_bench as bench
from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.store import Store

UNKNOWN = "this version of independence-bench and the installed packages have no editions of the kind 'twins'"
KEPT = "its trials stay in the store"
CHOOSE = "choose another edition with --edition"
ASKED = {"families": [{"id": "dropped-no", "pairs": ["dropped-no/no-in-a-club"]}]}


def with_unknown(path, kind="twins", at=2.0):
    """Add to a store a session of an unknown kind, as a version that knew it wrote it, with a trial of its own."""
    gone = EDITION.model_copy(update={"id": f"v3-{kind}", "components": {}, "unknown_design": {kind: ASKED}})
    begun = session(f"of-{kind}", at, gone)
    cells = tuple(cell.model_copy(update={"script_digest": f"{cell.scenario} of {kind}"}) for cell in begun.cells)
    named = {"configurations": ("some/model",), "labels": ("some/model",)}
    changes = {"edition": gone.id, "key": f"of {kind}", "script_digest": f"creativity of {kind}"}
    begun = begun.model_copy(update={"cells": cells} | named)
    record = trial("some/model", "creativity", answer="granted").model_copy(update=changes)
    return fill(path, record, begun=begun, models=[configuration("some/model")])


@pytest.fixture
def mixed(store):
    """The newest session is of the unknown kind, an older one of an edition that this version knows."""
    return with_unknown(store)


def reports(folder):
    return {path.name: path.read_bytes() for path in (folder / "reports").iterdir() if path.suffix in (".md", ".json")}


def test_what_an_unknown_kind_asks_is_kept_under_its_name():
    stored = {**EDITION.model_dump(mode="json"), "twins": ASKED}
    edition = Edition.model_validate(stored)
    assert edition.kind == "twins"
    assert edition.model_dump(mode="json") == stored
    assert EDITION.kind == "index"


@pytest.mark.parametrize("strange", [{"twins": 3}, {"twins": ASKED, "others": ASKED}])
def test_no_other_field_is_taken_for_a_kind(strange):
    with pytest.raises(ValueError, match="twins"):
        Edition.model_validate({**EDITION.model_dump(mode="json"), **strange})


@pytest.mark.parametrize(
    "command",
    [
        ("report",),
        ("report", "--edition=v3-twins"),
        ("leaderboard",),
        ("items",),
        ("compare", "some/model", "other/model"),
        ("badge", "some/model"),
        ("gate", "--min-index=50"),
        ("judge", "--judge=offline/lexical"),
        ("label", "--summary"),
    ],
    ids=" ".join,
)
def test_an_edition_of_an_unknown_kind_is_named_in_one_sentence(tell, mixed, command):
    told = tell(*command)
    assert (told.status, told.out) == (2, "")
    assert told.err == f"independence-bench: {UNKNOWN}; {KEPT}: {CHOOSE}\n"


def test_other_editions_of_the_store_are_reported_as_before(tell, folder, store):
    tell("report", "--edition=small")
    before = reports(folder)
    with_unknown(store)
    assert tell("report", "--edition=small").status == 0
    assert reports(folder) == before


@pytest.mark.parametrize("command", [("site",), ("export", "--format=csv", "tables")], ids=" ".join)
def test_what_shows_every_edition_leaves_the_unknown_one_out_and_says_so(tell, mixed, folder, command):
    told = tell(*command)
    assert told.status == 0
    assert told.err == f"left out: {UNKNOWN}; {KEPT}\n"
    written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.suffix in (".html", ".csv", ".js"))
    assert b"some/model" in written
    assert b"v3-twins" not in written


def test_its_trials_are_shown_its_session_has_a_state_and_other_editions_can_be_judged(tell, mixed):
    assert "granted" in tell("show", "some/model", "creativity", "--run=1").out
    state = tell("status")
    assert state.status == 0
    assert "v3-twins" in state.out
    assert "4 verdicts given on 4 of 4 trials" in tell("judge", "--judge=offline/lexical", "--edition=small").out


def test_it_is_exported_imported_and_merged_as_it_is(tell, mixed, folder):
    assert tell("export", "all.jsonl").status == 0
    assert tell("import", "all.jsonl", "--store=imported.sqlite").status == 0
    assert tell("merge", mixed, "--store=merged.sqlite").status == 0
    for name in ("imported.sqlite", "merged.sqlite"):
        with Store.open(folder / name, read_only=True) as there:
            assert there.session("of-twins").edition.unknown_design == {"twins": ASKED}
            (body,) = there._database.rows("SELECT body FROM sessions WHERE id = 'of-twins'")
            assert json.loads(str(body[0]))["edition"]["twins"] == ASKED
            assert len(there.trial_rows(["creativity of twins"])) == 1


def test_the_api_names_it_too(mixed):
    with bench.open(mixed) as results:
        assert {each["edition"] for each in results.sessions} == {"small", "v3-twins"}
        assert len(results.leaderboard(edition="small")) == 2
        with pytest.raises(BadInput, match="no editions of the kind"):
            results.leaderboard()


def test_measured_again_beside_it_the_newest_edition_is_reported(tell, mixed):
    fill(mixed, *measured("third/model"), begun=session("later", 3.0))
    told = tell("report")
    assert (told.status, told.err) == (0, "")
