"""The command ``status``: how far a session is, for people and for programs."""

import json

from independence_bench.store import Store


def test_status_says_how_far_the_newest_session_is(store, tell) -> None:
    told = tell("status", store)
    assert (told.status, told.err) == (0, "")
    first, second, *_ = told.out.splitlines()
    assert first.startswith("killed · ") and "edition small" in second  # the sample's session never ended


def test_status_gives_the_same_as_json(store, tell) -> None:
    found = json.loads(tell("status", "--json").out)
    assert found["done"] <= found["total"] and found["state"] == "killed" and found["failures"] == {}


def test_status_refuses_a_store_that_is_missing_or_empty(folder, store, tell) -> None:
    assert "there is no such store" in tell("status", "nowhere.sqlite").err
    with Store.open(folder / "empty.sqlite"):
        pass
    assert "holds no session yet" in tell("status", "empty.sqlite").err
