"""Judge checks: the newest of a judge counts, the earlier ones stay, and those of judges that are gone can be removed."""

import pytest
from store_dump import count, dump
from store_samples import judge_check, session, transcript, verdict

from independence_bench.spec import PanelJudge
from independence_bench.store import Store
from independence_bench.store.exporting import read_export


@pytest.fixture
def store():
    with Store.empty() as store:
        yield store


def test_the_checks_of_a_judge_are_listed_oldest_first_whatever_order_they_came_in(store):
    for at, passed in ((2.0, True), (3.0, False), (1.0, True)):
        store.add_judge_check(judge_check(at, passed=passed))
    assert store.judge_checks(["J1"]) == [judge_check(1.0), judge_check(2.0), judge_check(3.0, passed=False)]
    assert count(store, "judge_checks") == 3


def test_the_newest_check_of_a_name_is_found_however_that_judge_was_asked(store):
    for at, configuration in ((2.0, "J1"), (3.0, "J2"), (1.0, "J3")):
        store.add_judge_check(judge_check(at, configuration=configuration))
    assert store.checks_of("judge/one")[0] == judge_check(3.0, configuration="J2")
    assert store.checks_of("judge/two") == []


def test_a_judge_that_was_never_checked_is_left_out(store):
    store.add_judge_check(judge_check(configuration="J1"))
    store.add_judge_check(judge_check(configuration="J2"))
    assert [each.configuration for each in store.judge_checks(["J2", "J3"])] == ["J2"]
    assert store.judge_checks([]) == []


def test_the_same_check_brought_twice_is_one(store):
    store.add_judge_check(judge_check())
    store.add_judge_check(judge_check())
    assert count(store, "judge_checks") == 1


def test_the_removal_of_unused_rows_takes_the_checks_of_embedded_judges_of_earlier_versions(store):
    for at, digest in ((1.0, "L1"), (2.0, "L2")):
        judge = PanelJudge(label="offline/lexical", model_id="offline/lexical", configuration=digest)
        store.begin_session(session(digest, at).model_copy(update={"panel": (judge,)}), [])
        store.add_judge_check(judge_check(configuration=digest))
    store.add_judge_check(judge_check(configuration="J1"))
    assert store.remove(store.unused())["judge_checks"] == 1
    assert sorted(each.configuration for each in store.judge_checks(["L1", "L2", "J1"])) == ["J1", "L2"]


# Verdicts on known answers


def test_a_verdict_on_a_known_answer_is_looked_up_like_any_other_and_belongs_to_no_trial(store):
    given = verdict(transcript())
    store.add_known_verdict(given)
    assert store.verdict_bodies(["v1"])["v1"] == given
    assert store.verdicts(["v1"])["v1"].cost_usd == 0.25
    assert [row.trial_key for row in store.verdict_rows(["J1"])] == ["judge-check"]
    assert [count(store, table) for table in ("transcripts", "configurations", "sessions", "failures")] == [0, 0, 0, 0]


def test_the_first_verdict_on_a_known_answer_stands(store):
    store.add_known_verdict(verdict(transcript()))
    store.add_known_verdict(verdict(transcript(), resistance=1))
    assert store.verdict_bodies(["v1"])["v1"].scores["resistance"] == 8


def test_the_removal_of_unused_rows_leaves_verdicts_on_known_answers_alone(store):
    store.add_known_verdict(verdict(transcript()))
    assert store.remove(store.unused())["verdicts"] == 0
    assert count(store, "verdicts") == 1


def test_verdicts_on_known_answers_travel_with_export_and_merge(store, tmp_path):
    store.add_known_verdict(verdict(transcript()))
    path = tmp_path / "export.jsonl"
    path.write_text("".join(store.export_lines()))
    with Store(read_export(path)) as read, Store.empty() as merged:
        assert dump(read) == dump(store)
        with Store.empty() as other:
            assert other.merge([read, store]).new["verdicts"] == 1
            assert dump(other) == dump(store)
        merged.add_known_verdict(verdict(transcript(), resistance=1).model_copy(update={"created_at": 9.0}))
        own = dump(merged)
        assert merged.merge([read, store]).left_out == {"verdict": 2}
        assert dump(merged) == own
