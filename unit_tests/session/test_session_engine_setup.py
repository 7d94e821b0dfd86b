"""How an engine is put together: limits of the settings, the embedded endpoint handed in only where it is needed."""

import pytest
from session_samples import one, plan, settings

from independence_bench.session.engine_setup import all_limits, open_engine
from independence_bench.session.stored_state import tasks_left
from independence_bench.trial import TrialRecord

WAIT_S = 20.0


def test_limits_come_from_the_options() -> None:
    limits = all_limits(settings(concurrency=7, concurrency_per_model=2))

    assert (limits.concurrency, limits.per_model) == (7, 2)


def test_embedded_models_are_measured_without_a_socket() -> None:
    asked = settings(models=("offline/steadfast",), judges=(), endpoint=None, judge_endpoint=None)
    made = plan(models=("offline/steadfast",), judges=(), endpoint=None, judge_endpoint=None)
    key, spec = one(made)
    records: list[TrialRecord] = []
    engine = open_engine(asked, all_limits(asked), 1, records.extend)

    engine.start(tasks_left(made, {}, [key], lambda key: pytest.fail("nothing is stored")))
    record = engine.result(key, timeout=WAIT_S)
    engine.close()

    assert records == [record]
    assert record.failures == ()
    assert record.transcript is not None
    assert len(record.transcript.exchanges) == len(spec.script.turns)
    assert [verdict.judge for verdict in record.verdicts] == ["offline/lexical"]
    assert record.transcript.usage.cost_usd == 0


def test_a_model_that_cannot_be_reached_fails_with_the_reason_after_its_attempts() -> None:
    asked = settings(call_attempts=1)
    made = plan(call_attempts=1)
    key, _ = one(made)
    engine = open_engine(asked, all_limits(asked), 1, lambda records: None)

    engine.start(tasks_left(made, {}, [key], lambda key: pytest.fail("nothing is stored")))
    record = engine.result(key, timeout=WAIT_S)
    engine.close()

    assert [failure.message for failure in record.failures] == ["no connection to http://127.0.0.1:9/v1: refused"]
    assert record.transcript is None
