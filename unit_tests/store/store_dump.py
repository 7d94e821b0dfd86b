"""What a store holds, row by row, for tests that compare stores as wholes."""

from hypothesis import strategies as st
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

from independence_bench.store import Store
from independence_bench.store.database import Database
from independence_bench.trial import KeptAnswer, Reply, TrialRecord

TABLES = (
    "configurations",
    "sessions",
    "transcripts",
    "verdicts",
    "failures",
    "looks",
    "judge_checks",
    "labels",
    "answers",
)


def dump(store: Store) -> dict[str, list[tuple[str | int | float | None, ...]]]:
    """Every row of every table, in one order."""
    database: Database = store._database
    return {
        table: sorted(database.rows(f"SELECT * FROM {table}"), key=lambda row: tuple(map(str, row))) for table in TABLES
    }


def count(store: Store, table: str) -> int:
    return len(dump(store)[table])


def store_of(*records: TrialRecord, session_id: str = "s1", started_at: float = 1.0) -> Store:
    """A store in memory after one session."""
    store = Store.empty()
    store.begin_session(session(session_id, started_at), [configuration("some/model")])
    store.add_all(records, session_id)
    return store


answers = st.sampled_from(["no", "yes", "perhaps\n\x1b[31m\x7f", LONE_SURROGATE, "é☃\u2028"])
"""Few, so that conversations meet each other."""


@st.composite
def records(draw: st.DrawFn) -> TrialRecord:
    """A record out of few keys, times and words: two of them often mean the same trial."""
    key = draw(st.sampled_from(["t1", "t2", "t3"]))
    said = draw(st.none() | st.builds(transcript, answers, at=st.just(5.0), cost=st.sampled_from([None, 0.0, 0.5])))
    verdicts = ()
    if said is not None and draw(st.booleans()):
        given = verdict(said, f"v-{said.hash}", draw(st.integers(0, 2)), draw(answers))
        verdicts = (given.model_copy(update={"created_at": draw(st.sampled_from([6.0, 7.0]))}),)
    failures = draw(st.lists(st.builds(failure, answers, at=st.sampled_from([1.0, 2.0])), max_size=2))
    made = record(key, said, verdicts, tuple(failures))
    if said is None:
        kept = st.builds(KeptAnswer, asked=st.just("a1"), reply=st.builds(Reply, answer=answers), at=st.just(4.0))
        made = made.model_copy(update={"answers": tuple(draw(st.lists(kept, max_size=1)))})
    return made.model_copy(update={"transcript_at": draw(st.sampled_from([5.0, 6.0, 7.0]))})


@st.composite
def stores(draw: st.DrawFn) -> Store:
    """A store after one or two sessions."""
    store = Store.empty()
    for session_id in draw(st.lists(st.sampled_from(["s1", "s2", "s3"]), min_size=1, max_size=2, unique=True)):
        label = draw(st.sampled_from(["one", "two", LONE_SURROGATE]))
        begun = session(session_id, draw(st.sampled_from([1.0, 2.0])))
        store.begin_session(begun, [configuration(label, vendor=draw(st.sampled_from([None, "v"])))])
        store.add_all(draw(st.lists(records(), max_size=4)), session_id)
        if draw(st.booleans()):
            store.end_session(session_id, draw(st.sampled_from([8.0, 9.0])))
    times = st.sampled_from([1.0, 2.0])
    for made in draw(st.lists(st.builds(look, st.integers(1, 2), times), max_size=2)):
        store.look(made)
    for made in draw(st.lists(st.builds(judge_check, times, passed=st.booleans()), max_size=2)):
        store.add_judge_check(made)
    for made in draw(st.lists(st.builds(human_label, answers, at=times, resistance=st.integers(0, 2)), max_size=2)):
        store.add_label(made)
    return store
