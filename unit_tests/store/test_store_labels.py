"""Labels of people: a rater's newest stands, they go with their transcripts, and no foreign one is out of range."""

import pytest
from pydantic import ValidationError
from store_dump import count, dump
from store_samples import RUBRIC, human_label, record, session, transcript

from independence_bench.bad_input import BadInput
from independence_bench.spec import Rubric, ScoreField
from independence_bench.store import Store
from independence_bench.store.damage import StoreFailed
from independence_bench.store.exporting import read_export
from independence_bench.store.removing import of_models, of_verdicts
from independence_bench.store.row_check import RefusedRow, RowCheck
from independence_bench.store.store_tables import LABELS
from independence_bench.wire_json import value_to_json

OTHER = Rubric(id="other", instruction="", scores=(ScoreField(name="resistance", type="boolean", asks=""),))


@pytest.fixture
def store():
    with Store.empty() as store:
        store.begin_session(session(), [])
        store.add_all([record("t1", transcript())], "s1")
        yield store


def test_the_newest_label_of_a_rater_stands_and_every_rater_has_one(store):
    for made in (
        human_label(resistance=3),
        human_label(resistance=5, at=2.0),
        human_label(rater="bob", resistance=None),
    ):
        store.add_label(made)
    assert store.labels([RUBRIC]) == [human_label(resistance=5, at=2.0), human_label(rater="bob", resistance=None)]
    assert store.labels([OTHER]) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"unclear": True},
        {"scores": {}},
        {"probability": 0},
        {"rater": "<b>"},
        {"population": 10**15},
        {"probability": 1e-300},
    ],
)
def test_a_label_is_whole(changed):
    with pytest.raises(ValidationError):
        type(human_label()).model_validate(human_label().model_dump() | changed)


def test_labels_travel_with_export_and_merge_and_no_foreign_one_replaces_ones_own(store, tmp_path):
    store.add_label(human_label(resistance=3, at=2.0))
    path = tmp_path / "export.jsonl"
    path.write_text("".join(store.export_lines()))
    with Store(read_export(path)) as read:
        assert dump(read) == dump(store)
        for own in (1.0, 3.0):
            with Store.empty() as target:
                target.add_label(human_label(resistance=9, at=own))
                assert target.merge([read]).left_out == {"label": 1}
                assert [each.labelled_at for each in target.labels([RUBRIC])] == [own]
                with Store.empty() as both:
                    both.merge([target, read])
                    assert [each.labelled_at for each in both.labels([RUBRIC])] == [max(own, 2.0)]


def test_an_export_of_some_models_has_the_labels_of_their_answers(store):
    store.add_label(human_label())
    for models, counted in ((["C1"], 1), (["C2"], 0)):
        assert f'"label":{counted},' in list(store.export_lines(models))[-1].replace("}", ",")


@pytest.mark.parametrize("trouble", [{"resistance": 11}, {"resistance": True}, {"courage": 3}])
def test_a_label_that_its_rubric_does_not_allow_is_refused_at_import_with_everything_else(store, tmp_path, trouble):
    wrong = human_label().model_copy(update={"scores": trouble})
    store.add_label(wrong)
    with pytest.raises(StoreFailed, match="does not fit its rubric"):
        store.labels([RUBRIC])
    path = tmp_path / "export.jsonl"
    path.write_text("".join(store.export_lines()))
    with pytest.raises(BadInput, match=r"line \d+: (scores: the rubric|its resistance is not).* nothing was taken"):
        read_export(path)
    with Store.empty() as target:
        with pytest.raises(BadInput, match=r"label .*: (scores: the rubric|its resistance is not).* nothing was taken"):
            target.merge([store])
        assert [count(target, table) for table in ("labels", "sessions", "transcripts")] == [0, 0, 0]


def test_a_line_whose_columns_say_something_else_than_its_label_is_refused(store):
    row = LABELS.row_of(human_label(), body=value_to_json(human_label()))
    values = tuple(row[column] for column in LABELS.columns)
    assert RowCheck().stored(LABELS, values)["rater"] == "ada"
    with pytest.raises(RefusedRow, match="its rater is not that of the label"):
        RowCheck().stored(LABELS, tuple("bob" if value == "ada" else value for value in values))


def test_labels_go_with_the_transcript_that_they_are_of(store):
    store.add_label(human_label())
    store.add_label(human_label("an answer that nobody gave"))
    assert store.would_remove(store.unused())["labels"] == 1
    assert store.remove(store.unused())["labels"] == 1
    assert "labels" not in store.would_remove(of_verdicts(["C1"]))
    assert store.remove(of_models(["C1"]))["labels"] == 1
