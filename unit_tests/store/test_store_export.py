"""Exports: every row comes back as it was, and what is damaged, cut off or unknown is refused whole."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_dump import dump, store_of, stores
from store_samples import (
    LONE_SURROGATE,
    configuration,
    failure,
    human_label,
    judge_check,
    look,
    record,
    session,
    transcript,
    verdict,
)

from independence_bench import __version__
from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.store import Store
from independence_bench.store.exporting import is_export, read_export


def full_store() -> Store:
    said = transcript(LONE_SURROGATE + "\x7f\x1b[31m")
    store = store_of(record("t1", said, (verdict(said),), (failure(),)), record("t2", transcript("other")))
    store.look(look())
    store.add_judge_check(judge_check())
    store.add_label(human_label(LONE_SURROGATE + "\x7f\x1b[31m"))
    return store


def written(store: Store, path: Path) -> Path:
    path.write_bytes("".join(store.export_lines()).encode("ascii"))
    return path


def read(path: Path) -> Store:
    return Store(read_export(path))


@pytest.fixture
def export(tmp_path):
    return written(full_store(), tmp_path / "export.jsonl")


def lines(path: Path) -> list[dict[str, Json]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


# What is written


def test_the_first_line_says_what_it_is_and_the_last_how_much(export):
    header, *_, end = lines(export)
    assert header == {
        "format": "independence-bench export",
        "schema": 1,
        "version": __version__,
        "editions": ["small"],
        "sessions": ["s1"],
    }
    assert end["counts"] == {
        "configuration": 1,
        "session": 1,
        "transcript": 2,
        "verdict": 1,
        "failure": 1,
        "look": 1,
        "judge_check": 1,
        "label": 1,
        "answer": 0,
    }


def test_every_row_is_a_line_of_plain_ascii_without_control_characters(export):
    rows = lines(export)[1:-1]
    kinds = ["configuration", "session", *["transcript"] * 2, "verdict", "failure", "look", "judge_check", "label"]
    assert [row["line"] for row in rows] == kinds
    assert all(0x20 <= byte < 0x7F or byte == 0x0A for byte in export.read_bytes())


def test_what_is_json_in_the_store_is_json_in_the_line(export):
    by_kind = {str(row["line"]): row for row in lines(export)[1:]}
    assert by_kind["transcript"]["transcript"]["exchanges"][0]["asked"] == "?"
    assert by_kind["verdict"]["verdict"]["scores"] == {"resistance": 8, "identity_maintained": True}
    assert by_kind["session"]["session"]["edition"]["id"] == "small"
    assert by_kind["failure"]["kind"] == "endpoint"


def test_equal_stores_make_equal_exports_whatever_order_they_were_filled_in():
    one, two = record("t1", transcript()), record("t2", transcript("other"))
    assert list(store_of(one, two).export_lines()) == list(store_of(two, one).export_lines())


def test_an_export_is_of_one_moment_although_a_session_writes_meanwhile(tmp_path):
    with Store.open(tmp_path / "trials.sqlite") as writer:
        writer.begin_session(session(), [])
        writer.add_all([record("t1", transcript())], "s1")
        with Store.open(tmp_path / "trials.sqlite", read_only=True) as reader:
            exported = reader.export_lines()
            next(exported)
            writer.add_all([record("t2", transcript())], "s1")
            assert '"transcript":1' in list(exported)[-1]


def test_a_body_that_somebody_has_written_by_hand_stays_one_line(tmp_path):
    store = full_store()
    with store._database.transaction() as connection:
        connection.execute("UPDATE configurations SET facts = replace(facts, ',', ',' || char(10))")
        connection.execute("UPDATE configurations SET label = 'é', facts = replace(facts, 'some/model', 'é')")
    path = written(store, tmp_path / "export.jsonl")
    assert read(path).configurations() == store.configurations()


# An export of some models


def shared_words() -> Store:
    """Two models that say the same; the verdict was paid for by the second one's trial."""
    store = Store.empty()
    said = transcript("same")
    store.begin_session(session("s1"), [configuration("one", "C1"), configuration("two", "C2")])
    store.begin_session(session("s2", 2.0), [])
    second = record("t2", said, (verdict(said),), (failure(),)).model_copy(update={"configuration": "C2"})
    store.add_all([second], "s2")
    store.add_all([record("t1", said)], "s1")
    return store


def test_an_export_of_one_model_holds_its_rows_the_verdicts_on_its_words_and_their_sessions():
    exported = [json.loads(line) for line in shared_words().export_lines(["C1"])]
    assert exported[0]["sessions"] == ["s1", "s2"]
    assert [row.get("key") or row.get("configuration") or row.get("id") for row in exported[1:-1]] == [
        "C1",
        "s1",
        "s2",
        "t1",
        "v1",
    ]


def test_sessions_without_rows_of_the_model_stay_out():
    store = shared_words()
    store.begin_session(session("s3", 3.0), [])
    assert json.loads(next(store.export_lines(["C1"])))["sessions"] == ["s1", "s2"]
    assert json.loads(next(store.export_lines([])))["sessions"] == []


def test_an_export_of_some_models_holds_the_looks_at_no_others_and_the_checks_of_its_judges(tmp_path):
    store = shared_words()
    for runs, configurations in enumerate(((), ("C1",), ("C1", "C2"), ("C2",)), start=1):
        store.look(look(runs, configurations=configurations))
    for judge in ("J1", "J2"):
        store.add_judge_check(judge_check(configuration=judge))
    path = tmp_path / "one.jsonl"
    path.write_text("".join(store.export_lines(["C1"])))
    exported = read(path)
    assert [each.runs for each in exported.looks("G1")] == [2]
    assert [each.configuration for each in exported.judge_checks(["J1", "J2"])] == ["J1"]
    assert [each.runs for each in read(written(store, path)).looks("G1")] == [1, 2, 3, 4]


# What is read


def test_an_export_brings_every_row_back_as_it_was(export):
    assert dump(read(export)) == dump(full_store())


@given(store=stores())
def test_any_store_survives_the_way_through_an_export(store, tmp_path_factory):
    path = written(store, tmp_path_factory.mktemp("export") / "export.jsonl")
    again = read(path)
    assert dump(again) == dump(store)
    assert list(again.export_lines()) == list(store.export_lines())


def test_what_an_older_version_did_not_write_yet_stays_as_it_was(tmp_path):
    store = full_store()
    with store._database.transaction() as connection:
        connection.execute("""UPDATE sessions SET body = replace(body, '"shard":null,', '')""")
    assert dump(read(written(store, tmp_path / "export.jsonl"))) == dump(store)


@pytest.mark.parametrize("change", [lambda text: text.replace(b"\n", b"\r\n"), lambda text: text.rstrip(b"\n")])
def test_changed_line_breaks_harm_nothing(export, change):
    export.write_bytes(change(export.read_bytes()))
    assert dump(read(export)) == dump(full_store())


def test_an_export_is_known_by_its_beginning(tmp_path, export):
    assert is_export(export)
    whole = export.read_bytes()
    export.write_bytes(whole[:60])
    assert is_export(export)
    for content in (b"", b"{}", b'{"format":"something else"}', b"SQLite format 3\0"):
        (tmp_path / "other").write_bytes(content)
        assert not is_export(tmp_path / "other")


# What is refused


@given(data=st.data())
def test_an_export_that_is_cut_off_anywhere_is_refused(data, tmp_path_factory):
    path = written(full_store(), tmp_path_factory.mktemp("cut") / "export.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 2))])
    with pytest.raises(BadInput, match=r"export the store again|no export of independence-bench"):
        read_export(path)


@given(data=st.data())
def test_an_export_in_which_a_character_has_changed_is_refused(data, tmp_path_factory):
    path = written(full_store(), tmp_path_factory.mktemp("changed") / "export.jsonl")
    whole = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 2))
    whole[place] ^= 1
    path.write_bytes(bytes(whole))
    with pytest.raises(BadInput):
        read_export(path)


CUT_OFF = r"export\.jsonl: its last line is missing, so it was cut off; export the store again"
CHANGED = "its digest does not match"


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (lambda rows: [], CUT_OFF),
        (lambda rows: rows[:-1], CUT_OFF),
        (lambda rows: [*rows[:3], *rows[4:]], CHANGED),
        (lambda rows: [*rows[:-1], '{"line":"end"}'], CHANGED),
        (lambda rows: [*rows[:-1], '{"line":"end","counts":{"transcript":"many"},"sha256":"x"}'], CHANGED),
        (lambda rows: rows * 2, "line 12: text follows its last line"),
        (lambda rows: [*rows[:2], rows[1], *rows[2:]], "line 3: its configuration occurs twice"),
        (lambda rows: ['{"format":"other"}'], "line 1: this is no export of independence-bench"),
    ],
)
def test_an_export_whose_lines_were_changed_is_refused(export, change, trouble):
    export.write_text("".join(f"{row}\n" for row in change(export.read_text().splitlines())))
    with pytest.raises(BadInput, match=trouble):
        read_export(export)


def test_an_export_of_an_unknown_schema_is_refused(export):
    export.write_bytes(export.read_bytes().replace(b'"schema":1,"version":"', b'"schema":5,"version":"9.', 1))
    with pytest.raises(BadInput) as refusal:
        read_export(export)
    assert str(refusal.value) == (
        f"{export}: schema: is 5, written by independence-bench 9.{__version__}, and this version knows schema 1; "
        "use the same version of the package on both sides"
    )


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ("[]", "cut off or damaged"),
        ('"' + "[" * 3, "cut off or damaged"),
        ("[" * 100_000, "cut off or damaged"),
        ('{"line":"nonsense"}', "of no known kind"),
        ('{"line":["transcript"]}', "of no known kind"),
        ('{"line":"failure","digest":"x"}', "trial_key: Field required"),
        ('{"line":"configuration","configuration":"x","label":"l","seen_at":1e999,"facts":{}}', "1e999 is out"),
    ],
)
def test_a_line_that_is_none_of_ours_is_named_by_its_number(export, line, trouble):
    rows = export.read_text().splitlines()
    export.write_text("\n".join([*rows[:2], line, *rows[2:]]))
    with pytest.raises(BadInput, match=rf"export\.jsonl: line 3: .*{trouble}"):
        read_export(export)


def test_a_transcript_under_the_hash_of_other_words_is_refused_for_it_would_take_their_verdicts(tmp_path):
    store = store_of(record("t1", transcript()))
    with store._database.transaction() as connection:
        connection.execute("UPDATE transcripts SET transcript_hash = ?", (transcript("other").hash,))
    with pytest.raises(
        BadInput, match=r"line 4: its transcript_hash is not that of the transcript; 1 of 3 rows refused"
    ):
        read(written(store, tmp_path / "export.jsonl"))


def test_a_file_that_cannot_be_read_is_said_in_one_sentence(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_export(tmp_path)
