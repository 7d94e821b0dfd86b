"""Verdicts on repeated questions: stored and carried like all others, and never chosen where a verdict gives scores."""

import pytest
from store_samples import RUBRIC, record, session, transcript, verdict

from independence_bench.store import Store
from independence_bench.store.adding import verdict_row
from independence_bench.store.row_check import RefusedRow, RowCheck
from independence_bench.store.store_tables import VERDICTS, Row
from independence_bench.trial import Verdict, asked_key


def asked(repeat: int, resistance: int) -> Verdict:
    key = asked_key(transcript().hash, RUBRIC.digest, "J1", repeat)
    return verdict(transcript(), key, resistance).model_copy(update={"repeat": repeat})


FIRST, SECOND = asked(1, 8), asked(2, 3)


def checked(row: Row) -> Row:
    return RowCheck().stored(VERDICTS, tuple(row[column] for column in VERDICTS.columns))


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "trials.sqlite") as store:
        store.begin_session(session(), [])
        store.add_all([record(said=transcript(), verdicts=(SECOND, FIRST))], "s1")
        yield store


def test_only_the_first_verdict_is_listed_for_scores_and_all_are_found_by_key(store):
    (trial,) = store.trials_of(["C1"])
    assert [row.key for row in store.verdict_rows(["J1"])] == [FIRST.key]
    assert store.verdicts_on(trial) == [FIRST]
    both = sorted([FIRST.key, SECOND.key])
    assert store.verdicts_about([transcript().hash]) == [(key, transcript().hash, "J1") for key in both]
    assert store.verdict_keys() == {FIRST.key, SECOND.key}
    assert store.verdict_bodies([FIRST.key, SECOND.key]) == {FIRST.key: FIRST, SECOND.key: SECOND}


def test_repeats_travel_with_a_merge(store):
    with Store.empty() as target:
        assert target.merge([store]).new["verdicts"] == 2
        assert [row.key for row in target.verdict_rows(["J1"])] == [FIRST.key]


def test_a_repeat_has_the_key_of_its_number_and_no_other_row_may_claim_it():
    first, second = (verdict_row(each, "t1", "s1", "measured") for each in (FIRST, SECOND))
    assert (checked(first), checked(second)) == (first, second)
    claimed = verdict_row(SECOND.model_copy(update={"repeat": 3}), "t1", "s1", "measured")
    with pytest.raises(RefusedRow, match="its key is not that of its transcript, rubric and judge"):
        checked(claimed)
    with pytest.raises(RefusedRow, match="its repeat is not that of the verdict"):
        checked(second | {"repeat": 1})
