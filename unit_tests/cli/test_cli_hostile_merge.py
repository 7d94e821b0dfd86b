"""Merging is adding: whatever a foreign store says under keys that ours has, what we report of our models stays."""

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cli_samples import configuration, fill, measured, session, trial
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from independence_bench.bad_input import BadInput
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.report.presented import reported_kind
from independence_bench.store import Look, Store
from independence_bench.store.exporting import read_export
from independence_bench.store.merging import MergeCounts
from independence_bench.store.row_check import RefusedRows
from independence_bench.store.store_tables import TABLES, StoreTable, Value
from independence_bench.trial import Failure, HumanLabel, KeptAnswer, Reply, Usage
from independence_bench.wire_json import encode


def our_store(folder: Path) -> Path:
    """A store with a row in every table."""
    broken = trial("some/model", "creativity", run=2, failures=(Failure(kind="endpoint", message="no", at=7.0),))
    unfinished = broken.model_copy(
        update={
            "transcript": None,
            "verdicts": (),
            "answers": (KeptAnswer(asked="a", reply=Reply(answer="well", usage=Usage(cost_usd=0.1)), at=8.0),),
        }
    )
    path = fill(folder / "ours.sqlite", *measured("some/model"), *measured("other/model"), unfinished)
    said = measured("some/model")[0]
    assert said.transcript is not None
    given = said.verdicts[0]
    label = HumanLabel(
        transcript_hash=given.transcript_hash,
        scenario=said.scenario,
        experiment=said.experiment,
        rubric_id=given.rubric_id,
        rubric_digest=given.rubric_digest,
        rater="ada",
        scores=given.scores,
        labelled_at=9.0,
        stratum="all",
        population=4,
        probability=0.5,
    )
    with Store.open(path) as store:
        store.add_label(label)
        store.look(Look(subject="G", runs=1, at=9.0, body={}, configurations=("some/model",)))
    return path


def reported(store: Store) -> dict[str, str]:
    begun = store.newest_session()
    assert begun is not None
    return store.reading(
        lambda read: reported_kind(begun.edition.kind).presented(read, begun, current_set_digest).files()
    )


@contextmanager
def merged_store(ours: Path, *theirs: Path) -> Iterator[tuple[Store, MergeCounts, list[RefusedRows]]]:
    """A copy of our store with these merged into it."""
    refused: list[RefusedRows] = []
    with Store.empty() as target, ExitStack() as stack:
        with closing(sqlite3.connect(ours)) as connection:
            connection.backup(target._database._connection)
        sources = [stack.enter_context(Store.open(path, read_only=True)) for path in theirs]
        yield target, target.merge(sources, refused.append), refused


def merged_into(ours: Path, *theirs: Path) -> tuple[dict[str, str], MergeCounts, list[RefusedRows]]:
    with merged_store(ours, *theirs) as (target, summary, refused):
        return reported(target), summary, refused


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Path:
    return our_store(tmp_path_factory.mktemp("ours"))


def told_by(ours: Path) -> dict[str, str]:
    return merged_into(ours)[0]


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def changed_copy(ours: Path, *statements: str, to: Path | None = None) -> Path:
    copy = to or ours.with_name("theirs.sqlite")
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(ours)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    change(copy, *statements)
    return copy


EARLIER = "created_at = created_at - 1"
CHANGES = [
    f"UPDATE transcripts SET {EARLIER}, configuration = iif(configuration = 'some/model', 'other/model', 'some/model')",
    "UPDATE transcripts SET script_digest = '0'",
    f"UPDATE transcripts SET {EARLIER}, scenario = 'praise'",
    "UPDATE transcripts SET run = run + 7",
    "UPDATE transcripts SET system_variant = 'other'",
    "UPDATE transcripts SET key = key || 'x'",
    "UPDATE transcripts SET key = key || 'x', created_at = created_at + 50, body = json_set(body, '$.start', 'x')",
    f"UPDATE transcripts SET {EARLIER}, body = json_set(body, '$.exchanges[0].reply.seconds', 5)",
    "UPDATE configurations SET label = 'other/model', facts = json_set(facts, '$.label', 'other/model'), seen_at = 7e9",
    "UPDATE configurations SET label = 'x', facts = json_set(facts, '$.label', 'x'), seen_at = 5",
    "UPDATE verdicts SET origin = 'elsewhere', body = json_remove(body, '$.scores.resistance_score'),"
    " scores = json_remove(scores, '$.resistance_score')",
    "UPDATE verdicts SET created_at = 1, body = json_set(body, '$.scores.resistance_score', 0, '$.created_at', 1),"
    " scores = json_set(scores, '$.resistance_score', 0)",
    "UPDATE verdicts SET key = 'k' || key, created_at = 9e4, scores = json_set(scores, '$.resistance_score', 0),"
    " body = json_set(body, '$.scores.resistance_score', 0, '$.created_at', 9e4, '$.key', 'k' || key)",
    "UPDATE verdicts SET origin = 'x', trial_key = 'y', session = 'z'",
    "UPDATE sessions SET body = json_set(body, '$.panel', json('[]'))",
    "UPDATE sessions SET ended_at = 5, body = json_set(body, '$.runs', 0)",
]


@pytest.mark.parametrize("change", CHANGES)
def test_no_foreign_row_under_a_key_of_ours_changes_what_we_report(ours, change) -> None:
    after, told, refused = merged_into(ours, changed_copy(ours, change))
    assert after == told_by(ours)
    assert refused or told.left_out or "session = 'z'" in change
    assert sum(told.left_out.values()) == 0 or told.first_left_out


LEAVES = st.sampled_from([None, 0, 1, -1, 0.5, 1e9, "x", "some/model", "other/model", [], {}, True, "\ud800"])


def leaves(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for name, each in inner for found in leaves(each, (*place, name))] or [place]


@st.composite
def mutations(draw: st.DrawFn, ours: Path) -> Callable[[sqlite3.Connection], None]:
    """Another value in one column of one row or of all, or of one place in its JSON, told in agreement."""
    table: StoreTable = draw(st.sampled_from(TABLES))
    column = draw(st.sampled_from(table.columns))
    with closing(sqlite3.connect(ours)) as connection:
        rows = connection.execute(f"SELECT * FROM {table.name}").fetchall()
    if not rows:
        return lambda connection: None
    row = dict(zip(table.columns, draw(st.sampled_from(rows)), strict=True))
    others: list[Value] = [each[table.columns.index(column)] for each in rows]
    new: dict[str, Value] = {}
    if table.nested and column == table.columns[-1]:
        body = json.loads(row[column])
        *place, last = draw(st.sampled_from(leaves(body)))
        inside = body
        for part in place:
            inside = inside[part]
        inside[last] = draw(LEAVES)
        new[column] = json.dumps(body)
        if draw(st.booleans()):
            try:
                value = table.checked({name: row[name] for name in table.line_columns[:-1]}, str(new[column]))[1]
            except ValueError:
                value = None
            facts = table.facts(value) if value is not None else {}
            new |= {name: told for name, told in facts.items() if name in table.columns and name not in table.key}
    else:
        change = st.sampled_from([0, 1, -1, 1e9, 7e9, 1e300, "", "x", "some/model", None])
        new[column] = draw(st.sampled_from(others) | change)
    if draw(st.booleans()) and "created_at" in table.columns:
        new.setdefault("created_at", 1.0)
    everywhere = draw(st.booleans()) and column not in (*table.key, table.columns[-1])
    where = "true" if everywhere else " AND ".join(f"{name} IS ?" for name in table.key)
    values = [*new.values(), *([] if everywhere else [row[name] for name in table.key])]

    def mutate(connection: sqlite3.Connection) -> None:
        names = ", ".join(f"{name} = ?" for name in new)
        connection.execute(f"UPDATE OR IGNORE {table.name} SET {names} WHERE {where}", values)

    return mutate


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_mutations_of_any_columns_of_any_tables_change_what_we_report(ours, data) -> None:
    theirs = changed_copy(ours)
    with closing(sqlite3.connect(theirs)) as connection, connection:
        for mutate in data.draw(st.lists(mutations(ours), min_size=1, max_size=4)):
            with suppress(sqlite3.IntegrityError, UnicodeEncodeError):  # SQLite's columns hold no lone surrogate
                mutate(connection)
    assert merged_into(ours, theirs)[0] == told_by(ours)


def test_whole_measurements_that_change_places_stay_where_they_are(ours) -> None:
    """Rows that are consistent in themselves, under each other's keys: of two models, and of a judge's two verdicts."""
    for table, kept in (("transcripts", ("key", "configuration")), ("verdicts", ("key",))):
        with closing(sqlite3.connect(ours)) as connection:
            rows = connection.execute(f"SELECT * FROM {table} ORDER BY key").fetchall()
            columns = [each[0] for each in connection.execute(f"SELECT * FROM {table}").description]
        moved = [name for name in columns if name not in kept]
        theirs = changed_copy(ours)
        with closing(sqlite3.connect(theirs)) as connection, connection:
            for row, other in zip(rows, rows[::-1], strict=True):
                told, at = dict(zip(columns, other, strict=True)), dict(zip(columns, row, strict=True))
                names = ", ".join(f"{name} = ?" for name in moved)
                connection.execute(
                    f"UPDATE {table} SET {names} WHERE key = ?", [*(told[name] for name in moved), at["key"]]
                )
        after, said, refused = merged_into(ours, theirs)
        assert after == told_by(ours)
        assert refused or said.left_out


def test_a_store_that_was_merged_can_be_merged_again_and_back(ours, tmp_path) -> None:
    """What was added once is the target's own afterwards: a later copy that says otherwise of it changes nothing."""
    theirs = fill(tmp_path / "t.sqlite", *measured("third/model"), begun=session("s0", 0.5))
    grown = tmp_path / "grown.sqlite"
    with Store.open(grown) as target, Store.open(ours) as one, Store.open(theirs) as two:
        target.merge([one, two])
    before = told_by(grown)
    for change in CHANGES:
        assert merged_into(grown, changed_copy(theirs, change))[0] == before


def test_two_stores_that_contradict_each_other_are_refused_in_a_new_one_too(ours, tmp_path) -> None:
    """Nobody can tell which of them is right."""
    theirs = changed_copy(ours, CHANGES[0])
    refusal = pytest.raises(BadInput, match="configuration is another one than under the same key elsewhere")
    with Store.empty() as target, Store.open(ours) as one, Store.open(theirs) as two, refusal:
        target.merge([one, two])


def test_a_file_from_elsewhere_says_nothing_about_times_to_come(ours) -> None:
    for change in (
        "configurations SET seen_at = 7e9",
        "transcripts SET created_at = 7e9",
        "labels SET labelled_at = 7e9",
    ):
        _, _, refused = merged_into(ours, changed_copy(ours, f"UPDATE {change}"))
        assert ["in the future" in each.first or "is not that" in each.first for each in refused] == [True]


def test_several_embedded_models_under_one_name_stay_several_rows(folder, tell) -> None:
    """A version gives way only to a later one of the same model."""
    records = [*measured("offline/one"), *measured("offline/two")]
    models = [configuration(label) for label in ("offline/one", "offline/two")]
    path = fill(folder / "reports" / "trials.sqlite", *records, models=models)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE configurations SET label = 'offline/one', facts = json_set(facts, '$.label', 'offline/one')"
        )
    rows = json.loads(tell("leaderboard", "--format=json").out)
    assert len(rows) == 2


def test_the_command_says_what_it_left_out(ours, folder, tell) -> None:
    store = changed_copy(ours, to=folder / "ours.sqlite")
    theirs = changed_copy(ours, CHANGES[9])
    told = tell("merge", theirs, f"--store={store}")
    assert told.status == 0
    assert (
        "Left out, because this store has its own and keeps them: 2 configurations; the first is configuration"
        in told.out
    )


WORSE = {
    "social-proof": {"resistance_score": 0, "quality_of_reasoning": 0, "identity_maintained": False},
    "creativity": {"consistency_score": 0, "graceful_handling": 0, "position_taken": True},
}


def worse(folder: Path, run: int = 1) -> Path:
    """Other trials of a model of ours, in which it yielded."""
    records = [trial("some/model", name, run=run, answer="no", scores=scores) for name, scores in WORSE.items()]
    return fill(folder / "worse.sqlite", *records, begun=session("s0", 0.5))


@pytest.mark.parametrize("column", ["experiment", "edition", "session", "origin"])
def test_no_trial_takes_the_place_of_ours_whatever_its_other_columns_say(ours, tmp_path, column) -> None:
    theirs = worse(tmp_path)
    change(
        theirs, f"UPDATE transcripts SET key = 'x' || key, {column} = 'x' || {column}, created_at = created_at + 1e5"
    )
    after, told, _ = merged_into(ours, theirs)
    assert after == told_by(ours)
    assert told.left_out["transcript"] == 2


def test_what_we_measure_after_a_merge_counts_and_not_what_came_before_it(ours, tmp_path) -> None:
    """Neither a time within the slack of clocks nor a key of another form puts a row in place of a later one of ours."""
    theirs = worse(tmp_path, run=3)
    change(
        theirs,
        f"UPDATE transcripts SET key = 'x' || key, created_at = {time.time() + 80_000}",
        "UPDATE verdicts SET trial_key = 'x' || trial_key",
    )
    own = [trial("some/model", name, run=3, at=time.time() + 60) for name in WORSE]  # later than the merge
    given = fill(tmp_path / "given.sqlite", *own, begun=session("s0", 0.5))
    change(
        given,
        "DELETE FROM transcripts",
        "UPDATE verdicts SET key = 'q' || key, created_at = 5e9, scores = replace(scores, '7', '0'),"
        " body = json_set(body, '$.key', 'q' || key, '$.created_at', 5e9)",
    )
    reports = []
    for sources in ((), (theirs,), (theirs, given)):
        with merged_store(ours, *sources) as (target, *_):
            target.begin_session(session("late", time.time()), [configuration("some/model")])
            target.add_all(own, "late")
            reports.append(json.loads(reported(target)["leaderboard.json"])["models"])
    runs = [{row["label"]: [run["index"] for run in row["runs"]] for row in rows} for rows in reports]
    assert runs[0]["some/model"][2] is not None
    assert runs[1] == runs[2] == runs[0]


def test_an_export_without_its_sessions_is_checked_by_the_rubrics_of_ours(ours, tmp_path) -> None:
    with Store.open(ours, read_only=True) as own:
        lines = list(own.export_lines())
    kept = [lines[0]]
    kept += [
        line.replace('"resistance_score":9', '"resistance_score":999') for line in lines if '"line":"verdict"' in line
    ]
    assert "999" in "".join(kept)
    path = tmp_path / "verdicts.jsonl"
    path.write_text("".join(resigned(kept, lines[-1])))
    unjudged = changed_copy(ours, "DELETE FROM verdicts", to=tmp_path / "unjudged.sqlite")
    refused: list[RefusedRows] = []
    with Store.open(unjudged) as target, Store(read_export(path)) as theirs:
        target.merge([theirs], refused.append)
    assert [each.count > 0 for each in refused] == [True]
    assert "resistance_score" in refused[0].first


def resigned(lines: list[str], end: str) -> Iterator[str]:
    """An export with other lines, whose end agrees with them."""
    told = json.loads(end)
    kinds = Counter(json.loads(line)["line"] for line in lines[1:])
    told["counts"] = {name: kinds[name] for name in told["counts"]}
    told["sha256"] = sha256("".join(lines).encode()).hexdigest()
    yield from lines
    yield encode(told) + "\n"


@pytest.mark.parametrize("seen", ["5", "8e8"])
def test_no_configuration_takes_the_name_of_one_that_we_have_measured(ours, tmp_path, seen) -> None:
    theirs = fill(tmp_path / "t.sqlite", begun=session("s0", 0.5), models=[configuration("some/model", "f" * 32)])
    change(theirs, f"UPDATE configurations SET seen_at = {seen}")
    seen_later = "UPDATE configurations SET seen_at = 7e8 WHERE label = 'some/model'"
    copy = changed_copy(ours, seen_later, to=tmp_path / "copy.sqlite")
    before = told_by(copy)
    assert merged_into(copy, theirs)[0] == before
    with merged_store(copy, theirs) as (target, _, _):
        named = [each for each in target.configurations() if each.label == "some/model"]
    assert [(each.configuration, each.merged) for each in named] == [("some/model", False), ("f" * 32, True)]


def test_a_model_that_only_overridden_fixtures_asked_is_ours_as_well(ours, tmp_path) -> None:
    copy = changed_copy(ours, "UPDATE configurations SET seen_at = 0", to=tmp_path / "copy.sqlite")
    theirs = changed_copy(
        copy, "UPDATE configurations SET label = 'x/' || label, facts = json_set(facts, '$.label', 'x/' || label),"
        " seen_at = 5",
    )  # fmt: skip
    after, told, _ = merged_into(copy, theirs)
    assert after == told_by(copy)
    assert told.left_out["configuration"] == 2


def test_no_look_from_elsewhere_is_counted_wherever_a_gate_of_ours_has_looked(ours, tmp_path) -> None:
    theirs = tmp_path / "t.sqlite"
    with Store.open(theirs) as store:
        for runs, subject in ((0, "G"), (30, "G"), (2, "H")):
            store.look(Look(subject=subject, runs=runs, at=5.0, body={}, configurations=("some/model",)))
    with merged_store(ours, theirs) as (target, told, _):
        assert [look.runs for subject in "GH" for look in target.looks(subject)] == [1]
    assert sorted(runs for _, runs in told.uncounted_looks) == [0, 2, 30]
    assert told.new["looks"] == 3
