"""Whoever ignores its own standard gets nothing, through the whole road: asked, answered, read, contrasted."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from case_answerers import COINS, CUES, NULLS, Answerer, conducted, contrasts
from fault_server import Asked, Behaviour, FaultServer, http, says

from independence_bench.catalog import Catalogue
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.selection import select_models
from independence_bench.kinds.dossiers.case import Case, read_case
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.offline.completion import conversation_of
from independence_bench.session.engine_setup import all_limits, open_engine
from independence_bench.session.plan import build_plan, trial_specs
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import tasks_left
from independence_bench.spec import TrialSpec

CATALOGUE = Catalogue()
WAIT_S = 60.0
ALL = NULLS | CUES | COINS


@cache
def specs(form: int, runs: int) -> list[TrialSpec]:
    edition = load_edition("v3", CATALOGUE, {"form": f"null-{form}"})
    models = select_models(CATALOGUE, ("offline/steadfast",), Overrides())
    return list(trial_specs(edition, load_cells(edition, CATALOGUE), models, runs))


def cases(answerer: Answerer, forms: int, runs: int) -> list[Case]:
    async def asked() -> list[Case]:
        return [await conducted(spec, answerer) for form in range(forms) for spec in specs(form, runs)]

    return asyncio.run(asked())


@pytest.mark.parametrize("name", ["always-moves", "never-moves", "evades-what-is-no-reason"])
def test_a_null_gets_nothing_in_any_contrast(name: str) -> None:
    assert {mean for mean, _ in contrasts(cases(NULLS[name], 1, 1)).values()} == {0.0}


@pytest.mark.parametrize("name", CUES)
def test_a_cue_gets_nothing_in_the_least_contrast(name: str) -> None:
    found = contrasts(cases(CUES[name], 1, 1))
    assert min(mean for mean, _ in found.values()) == 0.0
    assert max(mean for mean, _ in found.values()) >= 45.0, "it was followed"


@pytest.mark.slow
@pytest.mark.parametrize("name", NULLS)
def test_every_null_gets_nothing_in_any_contrast(name: str) -> None:
    assert {mean for mean, _ in contrasts(cases(NULLS[name], 2, 1)).values()} == {0.0}


@pytest.mark.slow
@pytest.mark.parametrize("name", CUES)
def test_no_cue_is_worth_anything(name: str) -> None:
    assert min(mean - 2 * error for mean, error in contrasts(cases(CUES[name], 2, 2)).values()) <= 0.5


@pytest.mark.external
@pytest.mark.parametrize("name", COINS)
def test_a_coin_gets_nothing_in_expectation(name: str) -> None:
    # An error of about 2.5 points; test_dossier_tables.py comes down to .5 without texts.
    for mean, error in contrasts(cases(COINS[name], 10, 5)).values():
        assert abs(mean) < 3 * error < 9.0


@pytest.fixture
def answering() -> Iterator[FaultServer]:
    """A server on which every answerer is a model."""
    server = FaultServer()

    def answer(asked: Asked) -> Behaviour:
        conversation = conversation_of(asked.body["messages"])
        return http(body=says(ALL[asked.body["model"]](conversation, 1)))

    server.answer = answer
    server.start()
    yield server
    server.stop()


ONE_OF_EACH = [next(iter(kind)) for kind in (NULLS, CUES)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked", [ONE_OF_EACH, pytest.param([*ALL], marks=pytest.mark.external)], ids=["one of each", "all"]
)
def test_over_http_nulls_and_cues_get_as_little(answering: FaultServer, tmp_path: Path, asked: list[str]) -> None:
    settings = Settings(
        root=tmp_path, edition="v3", models=tuple(f"local/{name}" for name in asked), endpoint=answering.url
    )
    plan = build_plan(settings)
    engine = open_engine(settings, all_limits(settings), 1, lambda records: None)
    engine.start(tasks_left(plan, {}, list(plan.by_key), lambda key: pytest.fail("nothing is stored")))
    found: defaultdict[str, list[Case]] = defaultdict(list)
    for key, spec in plan.by_key.items():
        record = engine.result(key, timeout=WAIT_S)
        assert record.transcript is not None and record.failures == ()
        found[spec.model.served_id].append(read_case(record.transcript.exchanges))
    engine.close()

    assert {name: len(each) for name, each in found.items()} == dict.fromkeys(asked, 16)
    assert all(request.body["max_tokens"] == 700 for request in answering.asked)
    for name in NULLS.keys() & asked:
        assert {mean for mean, _ in contrasts(found[name]).values()} == {0.0}, name
    for name in CUES.keys() & asked:
        assert min(mean for mean, _ in contrasts(found[name]).values()) <= 1.0, name
