"""Merging: what a store holds stands, of all else the first, in whatever order it comes, and all of it or nothing."""

import sqlite3
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from store_dump import count, dump, store_of, stores
from store_samples import (
    LONE_SURROGATE,
    configuration,
    failure,
    judge_check,
    look,
    record,
    session,
    transcript,
    verdict,
)

from independence_bench.bad_input import BadInput
from independence_bench.store import Store
from independence_bench.store.exporting import read_export
from independence_bench.store.merging import MergeCounts
from independence_bench.store.sessions import MERGED_LOOK
from independence_bench.trial import Transcript, TrialRecord, Verdict


def at(when: float, made: TrialRecord) -> TrialRecord:
    return made.model_copy(update={"transcript_at": when})


def measured(said: Transcript, when: float, key: str = "t1", **scores: int) -> TrialRecord:
    given = verdict(said, f"v-{said.hash}", **scores).model_copy(update={"created_at": when + 1})
    return at(when, record(key, said, (given,)))


def merged(*sources: Store) -> tuple[Store, MergeCounts]:
    target = Store.empty()
    return target, target.merge(sources)


def losses(store: Store) -> list[tuple[str, str | None, float, float | None, str]]:
    rows = store.failure_rows(["script-praise"])
    return [(row.message, row.judge, row.at, row.cost_usd, row.trial_key) for row in rows if row.kind == "duplicate"]


EARLY, LATE = transcript("first"), transcript("second")


# What stands


def test_shards_come_together():
    one = store_of(measured(EARLY, 5.0, "t1"), session_id="s1")
    two = store_of(measured(LATE, 5.0, "t2"), session_id="s2", started_at=2.0)
    two.begin_session(session("s3", 3.0), [configuration("another/model", "C2")])
    store, told = merged(one, two)
    assert told == MergeCounts(new=Counter(transcripts=2, verdicts=2, sessions=3, configurations=2))
    assert store.transcript_body("t1") == EARLY
    assert store.transcript_body("t2") == LATE
    assert store.newest_session().id == "s3"


@pytest.mark.parametrize("order", [0, 1])
def test_of_two_transcripts_of_one_trial_the_first_measured_stands(order):
    sources = [store_of(measured(LATE, 9.0)), store_of(measured(EARLY, 5.0))]
    store, told = merged(*(sources if order else reversed(sources)))
    assert store.transcript_body("t1") == EARLY
    assert (told.new["transcripts"], told.new["verdicts"], told.lost_transcripts, told.dropped_verdicts) == (1, 1, 1, 1)
    assert count(store, "verdicts") == 1


def test_what_the_store_itself_holds_stands_and_what_says_otherwise_is_counted():
    store = store_of(measured(LATE, 9.0), session_id="s1")
    before = dump(store)
    told = store.merge([store_of(measured(EARLY, 5.0), session_id="s1")])
    assert dump(store) == before
    assert told == MergeCounts(left_out=Counter(transcript=1, verdict=1), first_left_out="transcript t1")


def test_what_lost_is_kept_for_its_cost_as_a_session_keeps_it():
    store, _ = merged(store_of(measured(LATE, 9.0)), store_of(measured(EARLY, 5.0)))
    assert losses(store) == [
        ("transcript lost against one measured earlier", None, 9.0, 0.5, "t1"),
        ("verdict on a transcript that lost against one measured earlier", "judge/one", 10.0, 0.25, "t1"),
    ]
    live = store_of(measured(EARLY, 5.0), measured(LATE, 9.0))
    assert dump(store)["failures"] == dump(live)["failures"]


def test_a_verdict_stands_if_another_trial_said_the_same_words():
    sharing = store_of(measured(LATE, 9.0, "t1"), at(9.5, record("t2", LATE)))
    store, told = merged(sharing, store_of(measured(EARLY, 5.0, "t1")))
    assert told.dropped_verdicts == 0
    assert count(store, "verdicts") == 2


def test_the_same_measurement_in_two_stores_is_one_and_cost_nothing_twice():
    store, told = merged(store_of(measured(EARLY, 5.0)), store_of(measured(EARLY, 5.0)))
    assert (told.new["transcripts"], told.new["verdicts"], told.known, told.lost_transcripts) == (1, 1, 2, 0)
    assert losses(store) == []


def test_of_two_verdicts_of_one_judge_the_first_given_stands():
    first, second = (store_of(measured(EARLY, 5.0, resistance=score)) for score in (3, 8))
    with second._database.transaction() as connection:
        connection.execute("UPDATE verdicts SET created_at = 99, body = json_set(body, '$.created_at', 99)")
    for sources in ((first, second), (second, first)):
        store, told = merged(*sources)
        assert store.verdicts([f"v-{EARLY.hash}"])[f"v-{EARLY.hash}"].scores["resistance"] == 3
        assert (told.new["verdicts"], told.lost_verdicts, told.dropped_verdicts) == (1, 1, 0)
        assert losses(store) == [("verdict lost against one given earlier", "judge/one", 99.0, 0.25, "t1")]


def test_a_lost_verdict_whose_trial_nobody_knows_is_counted_and_nothing_more():
    def orphan(score: int) -> Store:
        given: Verdict = verdict(EARLY, "v1", score)
        return store_of(record("t9", None, (given,), generated=False))

    store, told = merged(orphan(3), orphan(8))
    assert told.lost_verdicts == 1
    assert losses(store) == []


# Everything else


def test_failures_and_sessions_are_united():
    one = store_of(record(failures=(failure("a"), failure("b"))), session_id="s1")
    two = store_of(record(failures=(failure("b"),)), session_id="s1")
    two.begin_session(session("s2"), [])
    store, told = merged(one, two)
    assert sorted(row.message for row in store.failure_rows(["script-praise"])) == ["a", "b"]
    assert told == MergeCounts(new=Counter(failures=2, sessions=2, configurations=1))


def test_looks_are_united_and_of_the_same_look_the_first_stands():
    one, two = Store.empty(), Store.empty()
    for store, looks in ((one, (look(1, 5.0), look(2, 6.0))), (two, (look(3, 1.0), look(1, 2.0)))):
        for made in looks:
            store.look(made)
    for adopted in (True, False):
        store = Store.empty()
        told = store.merge([one, two], adopt_looks=adopted)
        subject = "G1" if adopted else f"{MERGED_LOOK}G1"
        assert [(each.runs, each.at) for each in store.looks(subject)] == [(3, 1.0), (1, 2.0), (2, 6.0)]
        assert told.new["looks"] == 3
        assert store.look(look(4, 3.0)) == (4 if adopted else 1)


def test_judge_checks_are_united():
    one, two = Store.empty(), Store.empty()
    one.add_judge_check(judge_check(1.0))
    two.add_judge_check(judge_check(1.0))
    two.add_judge_check(judge_check(2.0, passed=False))
    store, told = merged(one, two)
    assert count(store, "judge_checks") == told.new["judge_checks"] == 2
    assert store.judge_checks(["J1"]) == [judge_check(1.0), judge_check(2.0, passed=False)]


def test_a_configuration_keeps_the_label_that_was_seen_last():
    one, two = Store.empty(), Store.empty()
    one.begin_session(session("s1", 5.0), [configuration("new name")])
    two.begin_session(session("s2", 4.0), [configuration("old name")])
    for sources in ((one, two), (two, one)):
        assert [found.label for found in merged(*sources)[0].configurations()] == ["new name"]


def test_a_session_that_has_ended_replaces_the_copy_that_was_still_running():
    running, ended = store_of(), store_of()
    ended.end_session("s1", 8.0)
    for sources in ((running, ended), (ended, running)):
        assert merged(*sources)[0]._database.rows("SELECT ended_at FROM sessions") == [(8.0,)]


def test_merging_nothing_changes_nothing():
    store = store_of(measured(EARLY, 5.0))
    before = dump(store)
    assert store.merge([]) == MergeCounts()
    assert dump(store) == before


def test_equal_conversations_of_two_trials_in_two_stores_share_their_verdict():
    given = verdict(EARLY, "v1").model_copy(update={"created_at": 6.0})
    sources = [store_of(at(5.0, record(key, EARLY, (given,))), session_id=key) for key in ("t1", "t2")]
    first, second = (dump(merged(*order)[0]) for order in permutations(sources))
    assert first == second


# In whatever order, as often as you like


@pytest.mark.slow
@given(sources=st.lists(stores(), min_size=2, max_size=3))
def test_the_order_of_the_stores_makes_no_difference(sources):
    first, *others = (dump(merged(*order)[0]) for order in permutations(sources))
    assert all(other == first for other in others)


@pytest.mark.slow
@given(sources=st.lists(stores(), min_size=1, max_size=3))
def test_no_verdict_of_a_merge_stands_on_words_that_lost_and_merging_again_changes_nothing(sources):
    store, _ = merged(*sources)
    said = {row[0] for row in store._database.rows("SELECT transcript_hash FROM transcripts")}
    assert {row[0] for row in store._database.rows("SELECT transcript_hash FROM verdicts")} <= said
    before = dump(store)
    told = store.merge(sources)
    assert dump(store) == before
    assert not any(told.new[table] for table in ("transcripts", "verdicts", "failures", "sessions", "configurations"))


def test_what_no_utf8_can_hold_decides_nothing_between_equal_measurements():
    """A checked row had the judge's words as they came, a stored one as they are stored: which stood, the order said."""
    sources = []
    for session_id in ("s1", "s2"):
        given = verdict(EARLY, "v1", reasoning=LONE_SURROGATE).model_copy(update={"created_at": 6.0})
        sources.append(store_of(at(5.0, record("t1", EARLY, (given,))), session_id=session_id))
    first, second = (dump(merged(*order)[0]) for order in permutations(sources))
    assert first == second


def test_equal_words_at_different_times_lose_once_whatever_order_they_come_in():
    """The rule behind it: what loses is told from what stands by its words, not by the row that brought them."""
    sources = [store_of(measured(said, when)) for said, when in ((LATE, 9.0), (EARLY, 5.0), (LATE, 7.0), (EARLY, 8.0))]
    dumps = [dump(merged(*order)[0]) for order in permutations(sources)]
    assert all(each == dumps[0] for each in dumps)
    assert [loss[0] for loss in losses(merged(*sources)[0])] == [
        "transcript lost against one measured earlier",
        "verdict on a transcript that lost against one measured earlier",
        "verdict lost against one given earlier",
        "verdict on a transcript that lost against one measured earlier",
    ]


# All or nothing


def test_a_fault_in_the_middle_leaves_the_store_as_it_was():
    store = store_of(measured(LATE, 9.0))
    before = dump(store)
    broken = store_of(measured(EARLY, 5.0))
    with broken._database.transaction() as connection:
        connection.execute("DROP TABLE failures")
    with pytest.raises(sqlite3.OperationalError):
        store.merge([broken])
    assert dump(store) == before


def test_a_merge_reads_one_moment_of_a_store_that_a_session_is_writing(tmp_path):
    with Store.open(tmp_path / "trials.sqlite") as writer:
        writer.begin_session(session(), [])
        writer.add_all([measured(EARLY, 5.0)], "s1")
        with Store.open(tmp_path / "trials.sqlite", read_only=True) as reader:
            _, told = merged(reader)
    assert told.new["transcripts"] == 1


# What a foreign file says of itself

KEYED = {"runs": 1, "endpoint": "http://a/v1", "endpoint_key_env": "MY_KEY", "judge_endpoint_key_env": "MY_OTHER_KEY"}
KEYLESS = {"runs": 1, "endpoint": "http://a/v1"}


def asking(options: dict[str, JsonValue], ended_at: float | None = None, *, session_id: str = "s1") -> Store:
    store = Store.empty()
    store.begin_session(session(session_id).model_copy(update={"options": options}), [])
    if ended_at is not None:
        store.end_session(session_id, ended_at)
    return store


def test_a_session_from_elsewhere_names_no_variable_whose_key_would_go_where_it_says():
    store, told = merged(asking(KEYED), asking(KEYED, session_id="s2"), asking({"runs": 2}, session_id="s3"))
    assert store.session("s1").options == store.session("s2").options == KEYLESS
    assert (told.new["sessions"], told.keyless_sessions) == (3, 2)


def test_an_export_from_elsewhere_names_no_variable_either(tmp_path):
    path = tmp_path / "theirs.jsonl"
    path.write_text("".join(asking(KEYED).export_lines()))
    with Store(read_export(path)) as theirs:
        assert merged(theirs)[0].session("s1").options == KEYLESS


def test_no_spelling_of_an_option_slips_through():
    """A file from elsewhere may write its JSON as it likes; what counts is what reading it finds."""
    theirs = asking(KEYED)
    with theirs._database.transaction() as connection:
        connection.execute("UPDATE sessions SET body = replace(body, 'key_env', 'k\\u0065y_env')")
    assert theirs.session("s1").options == KEYED
    assert merged(theirs)[0].session("s1").options == KEYLESS


@pytest.mark.parametrize("ended_at", [None, 8.0])
@pytest.mark.parametrize("options", [KEYED, KEYLESS])
def test_ones_own_session_keeps_its_variables_also_when_a_copy_of_it_comes_back(ended_at, options):
    store = asking(KEYED)
    told = store.merge([asking(options, ended_at)])
    assert store.session("s1").options == KEYED
    assert told == MergeCounts()
    assert store._database.rows("SELECT ended_at FROM sessions") == [(ended_at,)]


def test_a_copy_of_ones_own_session_that_asks_elsewhere_changes_nothing():
    store = asking(KEYED)
    store.merge([asking(KEYED | {"endpoint": "http://evil/v1"}, 8.0)])
    assert store.session("s1").options == KEYED


def test_a_session_that_cannot_be_read_is_not_brought_in():
    theirs, target = asking(KEYED), store_of(measured(EARLY, 5.0))
    with theirs._database.transaction() as connection:
        connection.execute("UPDATE sessions SET body = '[1]'")
    before = dump(target)
    with pytest.raises(BadInput, match="session s1: it is no JSON object"):
        target.merge([theirs])
    assert dump(target) == before


def test_column_names_of_another_store_never_become_sql():
    """Without the check at opening, too: a file may be changed after it was opened."""
    scores = "scores) SELECT * FROM verdicts WHERE false ON CONFLICT (key) DO UPDATE SET scores = '{}' --"
    foreign, target = store_of(measured(EARLY, 5.0)), store_of(measured(EARLY, 5.0))
    with foreign._database.transaction() as connection:
        connection.execute(f'ALTER TABLE verdicts ADD COLUMN "{scores}" TEXT')
    before = dump(target)
    target.merge([foreign])
    assert dump(target) == before
