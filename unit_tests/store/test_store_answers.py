"""Answers of a Python scenario that is not whole: kept until its transcript is stored, and no longer."""

import pytest
from store_dump import count
from store_samples import configuration, record, session, transcript, verdict

from independence_bench.store import Store
from independence_bench.store.exporting import read_export
from independence_bench.store.removing import of_models
from independence_bench.trial import KeptAnswer, Reply, TrialRecord

FIRST = KeptAnswer(asked="a1", reply=Reply(answer="20 crowns"), at=2.0)


def unfinished(*answers: KeptAnswer, key: str = "t1") -> TrialRecord:
    return record(key).model_copy(update={"answers": answers})


@pytest.fixture
def store():
    with Store.empty() as made:
        made.begin_session(session(), [configuration("some/model")])
        made.add_all([unfinished(FIRST)], "s1")
        yield made


def test_the_first_answer_to_a_question_stands(store):
    store.add_all([unfinished(FIRST.model_copy(update={"reply": Reply(answer="30 crowns"), "at": 1.0}))], "s1")

    assert store.answers(["t1", "t2"]) == {"t1": {"a1": FIRST.reply}}


def test_they_go_when_the_conversation_is_whole_and_do_not_come_back(store):
    for late in (record("t1", transcript()), unfinished(FIRST)):
        store.add_all([late], "s1")
        assert count(store, "answers") == 0


def test_a_verdict_on_the_conversation_so_far_is_in_use_until_it_is_whole(store):
    early = verdict(transcript("20 crowns"), "v-early")
    store.add_all([record("t1", verdicts=(early,))], "s1")

    assert store.verdict_bodies(["v-early", "v-unknown"]) == {"v-early": early}
    assert store.would_remove(store.unused())["verdicts"] == 0
    store.add_all([record("t1", transcript())], "s1")
    assert store.would_remove(store.unused())["verdicts"] == 1


def test_they_move_with_an_export_and_a_merge_unless_the_conversation_is_whole_there(store, tmp_path):
    path = tmp_path / "all.jsonl"
    path.write_text("".join(store.export_lines()))
    with Store(read_export(path)) as read:
        for whole in (False, True):
            with Store.empty() as target:
                if whole:
                    target.add_all([record("t1", transcript())], "s1")
                assert target.merge([read]).new["answers"] == count(target, "answers") == (not whole)
    assert store.remove(of_models(["C1"]))["answers"] == 1
