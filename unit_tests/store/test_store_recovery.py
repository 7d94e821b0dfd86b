"""Salvaging: of a damaged store, every row that is whole comes back as it was, and nothing else."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_dump import TABLES, dump
from store_samples import configuration, failure, judge_check, look, record, session, transcript, verdict

from independence_bench.bad_input import BadInput
from independence_bench.store import Store
from independence_bench.store.recovery import recover

TRIALS = 60
PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store's bytes and its rows."""
    path, made = tmp_path_factory.mktemp("whole") / "trials.sqlite", []
    with Store.open(path) as store:
        store.begin_session(session(), [configuration("some/model")])
        for number in range(TRIALS):
            said = transcript(f"answer {number} é" * 150)
            made.append(record(f"t{number}", said, (verdict(said, f"v{number}"),), (failure(f"f{number}"),)))
        store.add_all(made, "s1")
        store.look(look())
        store.add_judge_check(judge_check())
        rows = dump(store)
    return path.read_bytes(), rows


def recovered(path: Path) -> dict[str, list[tuple[str | int | float | None, ...]]]:
    found = recover(path)
    with Store(found.database) as store:
        return dump(store)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "damaged.sqlite"
    path.write_bytes(content)
    return path


def test_a_whole_store_comes_back_as_it_is(whole, tmp_path):
    content, rows = whole
    path = written(tmp_path, content)
    assert recovered(path) == rows
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["damaged.sqlite"]


def test_a_store_whose_header_is_garbage_comes_back_as_it_was(whole, tmp_path):
    content, rows = whole
    assert recovered(written(tmp_path, content[:16] + bytes(range(84)) + content[100:])) == rows


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_of_a_truncated_store_what_stands_before_the_cut_comes_back(whole, tmp_path, share):
    content, rows = whole
    found = recovered(written(tmp_path, content[: int(len(content) * share)]))
    assert all(set(found[table]) <= set(rows[table]) for table in TABLES)
    assert len(found["transcripts"]) > TRIALS * (share - 0.25)
    assert found["looks"] == rows["looks"]


@pytest.mark.slow
@given(data=st.data())
def test_rows_beside_garbled_pages_come_back_and_no_row_is_made_up(whole, data, tmp_path_factory):
    content, rows = whole
    garbled = bytearray(content)
    pages = data.draw(st.lists(st.integers(20, len(content) // PAGE - 1), min_size=1, max_size=3))
    for page in pages:
        garbled[page * PAGE : (page + 1) * PAGE] = data.draw(st.sampled_from([b"\0", b"\xff", b"\x5a"])) * PAGE
    found = recovered(written(tmp_path_factory.mktemp("garbled"), bytes(garbled)))
    assert all({row[0] for row in found[table]} <= {row[0] for row in rows[table]} for table in TABLES)
    assert len(found["transcripts"]) >= TRIALS // 2


def test_rows_that_are_not_whole_are_counted_and_left_out(whole, tmp_path):
    path = written(tmp_path, whole[0])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE transcripts SET body = substr(body, 1, 50) WHERE key = 't3'")
        connection.execute("UPDATE transcripts SET body = CAST(x'ff' AS TEXT) WHERE key = 't4'")
        connection.execute("UPDATE verdicts SET attempts = 'many' WHERE key = 'v3'")
    found = recover(path)
    with Store(found.database) as store:
        assert len(dump(store)["transcripts"]) == TRIALS - 2
    assert found.broken == 3
    assert found.rows == 3 * TRIALS + 4 - 3


def test_what_is_still_in_the_log_of_a_killed_session_comes_back(whole, tmp_path):
    path = written(tmp_path, whole[0])
    with Store.open(path) as store:
        store.add_all([record("t999", transcript())], "s1")
        copy = tmp_path / "killed.sqlite"
        for ending in ("", "-wal"):
            copy.with_name(copy.name + ending).write_bytes(path.with_name(path.name + ending).read_bytes())
    assert len(recovered(copy)["transcripts"]) == TRIALS + 1


@pytest.mark.parametrize(
    ("content", "trouble"),
    [(b"model,score\n", "does not even begin as an SQLite file"), (None, "cannot be copied to be read")],
)
def test_what_cannot_be_recovered_is_said_in_one_sentence(tmp_path, content, trouble):
    path = tmp_path / "other"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=trouble):
        recover(path)
