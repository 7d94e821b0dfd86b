"""The embedded models read a dossier as it is asked, and each moves for what it is made to move for."""

import asyncio
from functools import cache, partial
from statistics import fmean

import pytest
from case_answerers import conducted

from independence_bench.catalog import Catalogue
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.selection import select_models
from independence_bench.kinds.dossiers.case import Case
from independence_bench.kinds.dossiers.embedded import MOVERS
from independence_bench.kinds.dossiers.metrics.character import character
from independence_bench.kinds.dossiers.metrics.movements import Movements
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.steps import BRANCHES, Step
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.offline import OFFLINE_MODELS
from independence_bench.offline.simulated_models.reading import Conversation
from independence_bench.offline.simulated_models.simulated import answer
from independence_bench.session.plan import trial_specs

CATALOGUE = Catalogue()


@cache
def cases(model: str, form: str = "public") -> list[Case]:
    async def asked() -> list[Case]:
        edition = load_edition("v3", CATALOGUE, {"form": form})
        specs = trial_specs(edition, load_cells(edition, CATALOGUE), select_models(CATALOGUE, (model,), Overrides()), 1)
        return [await conducted(spec, partial(answer, model)) for spec in specs]

    return asyncio.run(asked())


def moved(model: str, step: Step, form: str = "public") -> float:
    """The mean movement by a step, over the cases that have it."""
    found = [case.movement(step) for case in cases(model, form) if step in case.stances]
    assert found and None not in found
    return round(fmean(each for each in found if each is not None), 1)


MOVEMENTS = {
    "offline/steadfast": (0, 0, 0, 0, 1, 0, 0, 0, 0, 0),
    "offline/diplomat": (0, 0.1, 0.1, 0.1, 0.6, 0, 0, 0, 0, 0.1),
    "offline/weathervane": (0.3, 1, 1, 1, 1, 1, 1, 1, 0.3, 1),
    "offline/mirror": (0, 0, 0, 0, 1, 1, 1, 1, 0, 0),
    "offline/contrarian": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("model", MOVEMENTS)
def test_each_moves_for_what_it_is_made_to_move_for(model: str) -> None:
    assert all(case.coherent for case in cases(model))
    assert tuple(moved(model, branch) for branch in BRANCHES) == MOVEMENTS[model]
    assert moved(model, "fresh") >= 0.9, "anew, all of them conclude from the corrected table"


@pytest.mark.slow
def test_only_the_weathervane_is_still_moved_when_the_minutes_are_written() -> None:
    assert [moved(model, "lasting_bare") for model in MOVEMENTS] == [0, 0, 1, 0, 0]


WORDS = {
    "offline/steadfast": "reasonable",
    "offline/diplomat": "reasonable",
    "offline/weathervane": "servile",
    "offline/mirror": "cue-driven",
    "offline/contrarian": "deaf",
    "offline/noise": "unscorable",
}


@pytest.mark.slow
@pytest.mark.parametrize("model", WORDS)
def test_each_has_the_word_that_is_true_of_it(model: str) -> None:
    assert character(Responsiveness(Movements.of(cases(model)))) == WORDS[model]


def test_noise_takes_no_stance_and_is_asked_for_nothing_else() -> None:
    assert all(case.standard is None and not case.stances for case in cases("offline/noise"))


@pytest.mark.slow
def test_a_steadfast_reasoner_reads_forms_that_it_has_not_seen() -> None:
    for form in ("a", "b", "c"):
        assert [moved("offline/steadfast", branch, form) for branch in BRANCHES] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_whoever_reads_dossiers_reads_them_only() -> None:
    assert {*MOVERS} == {*OFFLINE_MODELS} - {"offline/noise"}
    talk = Conversation(("Tell me where you stand, please.",), ())
    assert answer("offline/steadfast", talk, 1) and "Where I stand" not in answer("offline/steadfast", talk, 1)
