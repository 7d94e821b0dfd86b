"""Looks: counted once each, in the order in which they were made, for good."""

import math
import threading

import pytest
from pydantic import ValidationError
from store_samples import look

from independence_bench.store import Store
from independence_bench.store.removing import of_models


@pytest.fixture
def store():
    with Store.empty() as store:
        yield store


def test_looks_are_numbered_in_the_order_in_which_they_are_made(store):
    assert [store.look(look(runs, at)) for runs, at in ((5, 1.0), (3, 2.0), (8, 3.0))] == [1, 2, 3]
    assert store.looks("G1") == [look(5, 1.0), look(3, 2.0), look(8, 3.0)]


def test_a_look_at_the_same_runs_is_the_same_look(store):
    assert [store.look(look(runs, at)) for runs, at in ((5, 1.0), (6, 2.0), (5, 3.0), (6, 4.0))] == [1, 2, 1, 2]
    assert [each.at for each in store.looks("G1")] == [1.0, 2.0]


def test_subjects_are_counted_apart(store):
    assert store.look(look(1)) == store.look(look(1, subject="G2")) == 1
    assert store.looks("G2") == [look(1, subject="G2")]
    assert store.looks("G3") == []


def test_a_clock_that_was_put_back_gives_no_place_away_twice(store):
    places = [store.look(look(runs, at)) for runs, at in ((1, 9.0), (3, 2.0), (2, 2.0))]
    assert places == [1, 2, 3]
    assert [each.runs for each in store.looks("G1")] == [1, 3, 2]
    assert [each.at for each in store.looks("G1")] == pytest.approx([9.0] * 3)


def test_forgetting_a_model_forgets_no_look_at_it(store):
    store.look(look(1, configurations=("C1",)))
    store.remove(of_models(["C1"]))
    assert store.look(look(2, 2.0, configurations=("C1",))) == 2


def test_what_is_no_json_is_refused_before_it_is_stored():
    with pytest.raises(ValidationError, match="finite"):
        look().model_validate({**look().model_dump(), "body": {"upper": math.inf}})


def test_looks_of_several_processes_get_a_place_each(tmp_path):
    path = tmp_path / "trials.sqlite"
    Store.open(path).close()
    places: list[int] = []

    def make(runs: int) -> None:
        with Store.open(path) as store:
            places.append(store.look(look(runs)))

    threads = [threading.Thread(target=make, args=(runs,)) for runs in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(places) == [1, 2, 3, 4]
