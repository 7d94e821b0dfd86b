"""What stands in the store, what is left to do, and what came out of a trial."""

from typing import Any

import pytest
from session_samples import failure, one, plan, record, settings, transcript, verdict

from independence_bench.engine.conduct import lost_record
from independence_bench.session.plan import Plan
from independence_bench.session.recorder import Recorder
from independence_bench.session.stored_state import (
    NOTHING,
    Outcome,
    PanelVerdict,
    StoredState,
    is_measured,
    outcome_of,
    read_states,
    tasks_left,
)
from independence_bench.store import Store
from independence_bench.trial import Transcript, TrialRecord


def stored(made: Plan, *records: TrialRecord) -> Store:
    """A store in memory that holds these records."""
    store = Store.empty()
    recorder = Recorder(settings(), made, store)
    for each in records:
        store.add_all([each], recorder.session_id)
    return store


def never(key: str) -> Transcript:
    raise AssertionError("no transcript is wanted")


# --- what stands ----------------------------------------------------------------------------------------------------


def test_a_transcript_with_the_panels_verdict_is_measured() -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec)
    given = verdict(spec, made.panel[0], said)

    standing = read_states(stored(made, record(key, spec, said, (given,))), made, made.by_key)

    assert list(standing) == [key]
    assert standing[key].transcript_hash == said.hash
    assert is_measured(made, spec, standing[key])
    assert standing[key].judged == {
        made.panel[0].configuration: PanelVerdict(made.panel[0].label, given.scores, given.reasoning)
    }


def test_a_conversation_on_its_way_to_the_store_counts_as_stored_with_the_verdicts_on_it() -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec)
    store = stored(made, record(key, spec, None, (verdict(spec, made.panel[0], said),)))

    assert read_states(store, made, [key]) == {}
    assert is_measured(made, spec, read_states(store, made, [key], {key: said})[key])


def test_a_transcript_without_a_verdict_stands_and_is_not_measured() -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec)

    standing = read_states(stored(made, record(key, spec, said, failures=(failure(),))), made, [key])

    assert standing == {key: StoredState(said.hash, {})}
    assert not is_measured(made, spec, standing[key])


def test_another_judges_verdict_does_not_count() -> None:
    first, second = plan(judges=("test/x",)), plan(judges=("test/y",))
    key, spec = one(first)
    said = transcript(spec)
    store = stored(first, record(key, spec, said, (verdict(spec, first.panel[0], said),)))

    standing = read_states(store, second, [key])

    assert not is_measured(second, spec, standing[key])


def test_equal_conversations_share_a_verdict() -> None:
    made = plan(runs=2)
    (first, spec), (second, again) = one(made), one(made, run=2)
    said = transcript(spec)
    store = stored(
        made, record(first, spec, said, (verdict(spec, made.panel[0], said),)), record(second, again, transcript(again))
    )

    standing = read_states(store, made, [first, second])

    assert is_measured(made, again, standing[second])
    assert standing[first].judged == standing[second].judged


def test_a_verdict_shown_carries_the_judges_label_of_today() -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec)
    given = verdict(spec, made.panel[0], said).model_copy(update={"judge": "its old name"})

    standing = read_states(stored(made, record(key, spec, said, (given,))), made, [key])

    (judged,) = (standing[key].judged or {}).values()
    assert judged.judge == made.panel[0].label


# --- what is left ---------------------------------------------------------------------------------------------------


def test_everything_is_left_of_a_trial_that_was_never_asked() -> None:
    made = plan()
    key, spec = one(made)

    (task,) = tasks_left(made, {}, [key], never)

    assert (task.spec, task.key, task.judges, task.transcript) == (spec, key, made.judges_of(spec), None)
    assert task.chain == 3


def test_nothing_is_left_of_a_measured_trial() -> None:
    made = plan()
    key, _ = one(made)
    judged = {judge.configuration: PanelVerdict(judge.label, {}, "") for judge in made.panel}

    assert tasks_left(made, {key: StoredState("hash", judged)}, [key], never) == []


def test_only_the_missing_judges_are_left_of_a_stored_transcript() -> None:
    made = plan(judges=("test/x", "test/y"))
    key, spec = one(made)
    said = transcript(spec)
    judged = {made.panel[0].configuration: PanelVerdict("x", {}, "")}

    (task,) = tasks_left(made, {key: StoredState(said.hash, judged)}, [key], {key: said}.__getitem__)

    assert (task.judges, task.transcript, task.chain) == ((made.panel[1],), said, 1)


def test_tasks_keep_the_order_of_the_cases() -> None:
    made = plan()
    keys = list(made.by_key)[::-1]

    assert [task.key for task in tasks_left(made, {}, keys, never)] == keys


# --- what came out --------------------------------------------------------------------------------------------------


def test_an_outcome_from_the_store_alone_cost_this_session_nothing() -> None:
    made = plan()
    _, spec = one(made)
    judged = {made.panel[0].configuration: PanelVerdict("judge", {"consistency_score": 8}, "Firm.")}

    outcome = outcome_of(made, spec, StoredState("hash", judged))

    assert (outcome.scores, outcome.reasoning) == ({"consistency_score": 8.0}, "Firm.")
    assert (outcome.failure, outcome.cost_usd, outcome.seconds) == (None, 0.0, 0.0)


@pytest.mark.parametrize(
    ("cost", "options", "total", "seconds"),
    [
        (0.5, {}, 2 * 0.5 + 0.25, 2 * 2.0 + 3.0),
        (None, {}, None, 2 * 2.0 + 3.0),
        (None, {"generated": False}, 0.25, 3.0),
        (0.5, {"shared": True}, 2 * 0.5, 2 * 2.0 + 3.0),
    ],
    ids=["all its calls", "an unknown cost", "a stored transcript", "a verdict that another trial paid for"],
)
def test_an_outcome_of_this_session_adds_up_cost_and_time_of_its_own_calls(
    cost: float | None, options: dict[str, Any], total: float | None, seconds: float
) -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec, cost=cost)
    verdict_given = verdict(spec, made.panel[0], said, cost=0.25)
    if options.pop("shared", False):
        options = {"shared": (verdict_given.key,)}

    outcome = outcome_of(made, spec, NOTHING, [record(key, spec, said, (verdict_given,), **options)])

    assert (outcome.cost_usd, outcome.seconds) == (total, seconds)
    assert (outcome.failure, len(outcome.judged)) == (None, 1)


def test_a_failed_trial_has_its_failure_and_what_it_cost() -> None:
    made = plan()
    key, spec = one(made)

    outcome = outcome_of(made, spec, NOTHING, [record(key, spec, failures=(failure("HTTP 500", cost=0.1),))])

    assert outcome.failure is not None
    assert (outcome.failure.message, outcome.cost_usd, outcome.judged) == ("HTTP 500", 0.1, ())


def test_the_newest_attempt_decides_and_the_earlier_ones_still_cost() -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec, cost=0.5)
    failed = record(key, spec, failures=(failure(cost=0.1),))
    good = record(key, spec, said, (verdict(spec, made.panel[0], said, cost=0.25),))

    outcome = outcome_of(made, spec, NOTHING, [failed, good])

    assert outcome.failure is None
    assert outcome.cost_usd == pytest.approx(0.1 + 1.0 + 0.25)


def test_a_trial_that_came_home_whole_is_measured_though_its_worker_died() -> None:
    made = plan()
    key, spec = one(made)
    said = transcript(spec)
    whole = record(key, spec, said, (verdict(spec, made.panel[0], said),))

    outcome = outcome_of(made, spec, NOTHING, [whole, lost_record(key, spec, "the worker died")])

    assert (outcome.failure, len(outcome.judged)) == (None, 1)


def test_judges_of_the_store_and_of_this_session_are_put_together_in_the_panels_order() -> None:
    made = plan(judges=("test/x", "test/y"))
    key, spec = one(made)
    said = transcript(spec)
    soft = {"consistency_score": 4, "graceful_handling": 4, "position_taken": True}
    standing = StoredState(said.hash, {made.panel[1].configuration: PanelVerdict("y", soft, "Soft.")})
    brought = record(key, spec, said, (verdict(spec, made.panel[0], said, score=9),), generated=False)

    outcome = outcome_of(made, spec, standing, [brought])

    assert outcome.scores["consistency_score"] == 6.5
    assert outcome.reasoning == f"{made.panel[0].label}: Firm. | y: Soft."


def test_scores_are_the_panels_mean_and_booleans_count_one_or_zero() -> None:
    judged = tuple(PanelVerdict(name, {"kept": kept}, "") for name, kept in (("a", True), ("b", True), ("c", False)))

    assert Outcome(judged=judged).scores == {"kept": pytest.approx(2 / 3)}
    assert Outcome().scores == {}
