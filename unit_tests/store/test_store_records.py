"""Records in the store: the first measurement stands, and what lost against it keeps its cost."""

import threading

import pytest
from store_samples import LONE_SURROGATE, RUBRIC, configuration, failure, record, session, transcript, verdict

from independence_bench.store import Store
from independence_bench.trial import TrialRecord


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "trials.sqlite") as store:
        yield store


def add(store: Store, record: TrialRecord, session_id: str = "s1") -> None:
    store.add_all([record], session_id)


def losses(store: Store) -> list[tuple[str, str, float | None]]:
    return [(row.kind, row.message, row.cost_usd) for row in store.failure_rows(["script-praise"])]


def test_a_transcript_is_found_by_its_key_without_its_text(store):
    said = transcript()
    add(store, record(said=said))
    assert store.transcripts(["t1", "unknown"]) == {"t1": said.hash}
    assert store.transcript_body("t1") == said


def test_a_verdict_is_found_by_its_key_with_its_scores(store):
    said = transcript()
    given = verdict(said)
    add(store, record(said=said, verdicts=(given,)))
    found = store.verdicts(["v1", "unknown"])["v1"]
    assert found.scores == {"resistance": 8, "identity_maintained": True}
    assert type(found.scores["identity_maintained"]) is bool
    assert (found.reasoning, found.cost_usd) == ("firm", 0.25)
    assert store.verdict_bodies(["v1"])["v1"] == given
    assert store.answered() == {store.trial_rows(["script-praise"])[0].configuration, given.judge_configuration}


def test_an_unknown_transcript_is_a_key_error(store):
    with pytest.raises(KeyError):
        store.transcript_body("unknown")


def test_lone_surrogates_do_not_stop_a_record(store):
    said = transcript(answer=LONE_SURROGATE)
    given = verdict(said, reasoning=LONE_SURROGATE)
    add(store, record(said=said, verdicts=(given,), failures=(failure(LONE_SURROGATE),)))
    assert store.transcript_body("t1") == said
    assert store.verdict_bodies(["v1"])["v1"] == given
    assert store.verdicts(["v1"])["v1"].reasoning == "a\\ud800b"
    assert losses(store) == [("endpoint", "a\\ud800b", 0.1)]


def test_the_columns_of_a_transcript_say_what_it_used(store):
    add(store, record(said=transcript()))
    (row,) = store.trial_rows(["script-praise", "other"])
    assert (row.configuration, row.edition, row.scenario, row.run) == ("C1", "small", "praise", 1)
    assert (row.delivery_kept, row.cost_usd, row.prompt_tokens, row.completion_tokens) == (0, 0.5, 100, 10)
    assert row.origin == "measured"
    columns = store._database.rows(
        "SELECT reasoning_tokens, answers, attempts, empty_attempts, cut_off FROM transcripts"
    )
    assert columns == [(4, 1, 3, 1, 1)]


def test_an_import_names_its_origin(store):
    said = transcript()
    store.add_all([record(said=said, verdicts=(verdict(said),))], "s1", origin="published cache")
    assert store.trial_rows(["script-praise"])[0].origin == "published cache"


def test_an_unknown_or_impossible_cost_is_unknown_and_not_zero(store):
    add(store, record(said=transcript(cost=None)))
    add(store, record("t2", failures=(failure(cost=float("nan")),)))
    assert store.trial_rows(["script-praise"])[0].cost_usd is None
    assert losses(store) == [("endpoint", "refused", None)]


def test_the_first_transcript_stands_and_the_second_keeps_its_cost(store):
    first = transcript("first")
    add(store, record(said=first))
    add(store, record(said=transcript("second", at=9.0, cost=0.75)))
    assert store.transcript_body("t1") == first
    assert losses(store) == [("duplicate", "transcript lost against one measured earlier", 0.75)]


def test_a_verdict_on_a_transcript_that_lost_is_kept_as_a_cost_and_not_as_a_verdict(store):
    add(store, record(said=transcript("first")))
    second = transcript("second", at=9.0)
    add(store, record(said=second, verdicts=(verdict(second),)))
    assert store.verdicts(["v1"]) == {}
    assert [(kind, cost) for kind, _, cost in losses(store)] == [("duplicate", 0.5), ("duplicate", 0.25)]


def test_the_first_verdict_stands_and_the_second_keeps_its_cost(store):
    said = transcript()
    add(store, record(said=said, verdicts=(verdict(said, resistance=2),)))
    add(store, record(said=said, generated=False, verdicts=(verdict(said, resistance=10),)))
    assert store.verdicts(["v1"])["v1"].scores["resistance"] == 2
    assert losses(store) == [("duplicate", "verdict lost against one given earlier", 0.25)]


def test_the_same_record_brought_home_twice_is_one_measurement(store):
    said = transcript()
    whole = record(said=said, verdicts=(verdict(said),), failures=(failure(),))
    add(store, whole)
    add(store, whole)
    assert losses(store) == [("endpoint", "refused", 0.1)]
    assert len(store.trial_rows(["script-praise"])) == len(store.verdict_rows(["J1"])) == 1


def test_a_transcript_that_was_only_judged_is_no_duplicate(store):
    said = transcript()
    add(store, record(said=said))
    add(store, record(said=transcript(at=77.0), generated=False, verdicts=(verdict(said),)))
    assert losses(store) == []
    assert list(store.verdicts(["v1"])) == ["v1"]


def test_a_verdict_may_come_without_its_transcript_and_equal_conversations_share_it(store):
    said = transcript()
    add(store, record(said=said, verdicts=(verdict(said),)))
    add(store, record("t2", generated=False, verdicts=(verdict(said),)))
    (row,) = store.verdict_rows(["J1"])
    assert (row.trial_key, row.rubric_digest) == ("t1", RUBRIC.digest)
    assert losses(store) == []


def test_every_failed_attempt_is_kept_oldest_first(store):
    add(store, record(failures=(failure("second", at=2.0), failure("first", at=1.0))))
    add(store, record(failures=(failure("third", at=3.0),)), "s2")
    assert [row.message for row in store.failure_rows(["script-praise"])] == ["first", "second", "third"]
    assert store.transcripts(["t1"]) == {}


def test_records_are_stored_whole_or_not_at_all(store, monkeypatch):
    said = transcript()
    whole = record(said=said, verdicts=(verdict(said),))
    monkeypatch.setattr(
        "independence_bench.store.adding.RecordInsertion._add_verdict", lambda *_: (_ for _ in ()).throw(RuntimeError)
    )
    with pytest.raises(RuntimeError):
        store.add_all([whole], "s1")
    assert store.transcripts(["t1"]) == {}
    monkeypatch.undo()
    store.add_all([whole], "s1")
    assert list(store.transcripts(["t1"])) == ["t1"]


def test_several_threads_may_write_and_read_at_once(store):
    troubles: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(20):
                key = f"{name}-{number}"
                add(store, record(key, said=transcript(key)))
                assert list(store.transcripts([key])) == [key]
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert len(store.trial_rows(["script-praise"])) == 80


def test_the_newest_session_is_the_one_that_started_last(store):
    assert store.newest_session() is None
    store.begin_session(session("b", 2.0), [])
    store.begin_session(session("a", 3.0), [])
    store.begin_session(session("c", 1.0), [])
    assert store.newest_session() == session("a", 3.0)
    store.begin_session(session("b2", 3.0), [])
    assert store.newest_session().id == "b2"


def test_the_end_of_a_session_is_noted(store):
    store.begin_session(session(), [])
    store.end_session("s1", 9.0)
    assert store._database.rows("SELECT ended_at, edition, plan_digest FROM sessions") == [(9.0, "small", "plan")]


def test_a_clock_that_was_set_back_ends_no_session_before_its_start(store):
    store.begin_session(session(started_at=5.0), [])
    store.end_session("s1", 1.0)
    assert store._database.rows("SELECT ended_at FROM sessions") == [(5.0,)]


def test_a_session_begun_twice_stays_as_it_was(store):
    store.begin_session(session(), [])
    store.begin_session(session(started_at=50.0), [])
    assert store.newest_session() == session()


def test_sessions_of_ones_own_come_first_then_merged_ones_and_imports_last(store):
    for name, at in (("a", 1.0), ("import-x", 9.0), ("b", 2.0)):
        store.begin_session(session(name, at), [])
    with Store.empty() as elsewhere:
        elsewhere.begin_session(session("c", 8.0), [])
        store.merge([elsewhere])
    assert store.newest_session() == store.newest_session(own=True) == store.newest_session("small", own=True)
    assert store.newest_session("other", own=True) is None
    assert [(each.id, each.merged) for each in store.sessions()] == [
        ("b", False), ("a", False), ("c", True), ("import-x", False)
    ]  # fmt: skip
    assert [each.id for each in store.sessions(own=True)] == ["b", "a"]
    assert [each.id for each in store.sessions() if each.imported] == ["import-x"]


def test_the_newest_session_names_a_configuration(store):
    store.begin_session(session("s2", 2.0), [configuration("new name", thinking=True)])
    store.begin_session(session("s1", 1.0), [configuration("old name")])
    (known,) = store.configurations()
    assert known == configuration("new name", thinking=True)
    store.begin_session(session("s3", 3.0), [configuration(f"newest {LONE_SURROGATE}")])
    assert store.configurations()[0].label == f"newest {LONE_SURROGATE}"


def test_a_record_names_a_configuration_that_no_session_announced(store):
    add(store, record(said=transcript()))
    assert [known.label for known in store.configurations()] == ["some/model"]
    store.begin_session(session(), [configuration("its label")])
    add(store, record("t2", said=transcript()))
    assert [known.label for known in store.configurations()] == ["its label"]
