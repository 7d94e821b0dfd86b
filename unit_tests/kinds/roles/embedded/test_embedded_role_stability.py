"""What the metrics of role stability make of the simulated models, on the packaged texts and the whole population."""

from functools import cache

import numpy as np
import pytest
from role_interviews import population

from independence_bench.kinds.roles.metrics.instruments import INSTRUMENTS, START_POINTS, VALUES
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation, Numbers

KEEPER, DRIFTER, NOISE = "offline/steadfast", "offline/weathervane", "offline/noise"


@cache
def result(model: str) -> tuple[MeasuredPopulation, Numbers]:
    measured = MeasuredPopulation(population(model, "roles"), resamples=200)
    return measured, measured.numbers


@pytest.mark.external
def test_the_packaged_questionnaires_have_the_published_keys():
    for context in population(KEEPER, "roles").contexts:
        assert context.instrument == INSTRUMENTS[context.instrument.name]


@pytest.mark.external
def test_keeper_drifter_and_noise_are_told_apart_beyond_doubt():
    keeper, drifter, noise = (result(model)[1] for model in (KEEPER, DRIFTER, NOISE))
    assert keeper.rank_order > 0.9
    assert 0.35 < drifter.rank_order < 0.65
    assert abs(noise.rank_order) < 0.05
    of_keeper, of_drifter, of_noise = (result(model)[0].interval for model in (KEEPER, DRIFTER, NOISE))
    assert of_keeper[0] > of_drifter[1]
    assert of_drifter[0] > of_noise[1]
    assert keeper.cardinal > drifter.cardinal > noise.cardinal


@pytest.mark.external
def test_a_keeper_is_as_stable_between_contexts_as_within_one_and_between_questionnaires_nearly():
    _, keeper = result(KEEPER)
    assert keeper.share_of_ceiling > 0.97
    assert keeper.rank_order_portrait_portrait > 0.94
    assert 0.85 < keeper.rank_order_portrait_survey < keeper.rank_order_portrait_portrait
    assert keeper.ipsative > 0.85
    assert keeper.cronbach_alpha > 0.85


@pytest.mark.external
def test_a_drifter_is_only_stable_where_the_context_is_the_same():
    drifter, numbers = result(DRIFTER)
    assert numbers.ceiling > 0.9
    pairs = dict(zip(map(frozenset, drifter.orders.pairs), drifter.orders.per_pair.tolist(), strict=True))
    assert pairs.pop(frozenset({"none", "survey"})) > 0.85
    assert max(pairs.values()) < 0.75


@pytest.mark.external
def test_the_questionnaires_structure_is_found_in_whoever_has_values_and_not_in_noise():
    for model in (KEEPER, DRIFTER):
        _, numbers = result(model)
        assert numbers.success_rate > 0.9
        assert numbers.cfi > 0.93
        assert numbers.stress < 0.1
    assert result(NOISE)[1].cfi < 0.7


@pytest.mark.external
def test_noise_scores_what_chance_scores():
    # Mean and standard deviation over eight populations that answered uniformly, as published with the method.
    _, noise = result(NOISE)
    assert noise.stress == pytest.approx(0.2928, abs=3 * 0.0004)
    assert noise.cfi == pytest.approx(0.383, abs=3 * 0.075)
    assert noise.srmr == pytest.approx(0.592, abs=3 * 0.083)
    assert noise.rmsea == pytest.approx(0.558, abs=3 * 0.090)
    assert noise.cardinal == pytest.approx(0.242, abs=3 * 0.030)
    assert abs(noise.ipsative) < 0.05


@pytest.mark.parametrize("context", ["none", "survey"])
@pytest.mark.external
def test_the_keepers_circle_of_values_is_recovered(context):
    """Classical scaling of the values' correlations lays them around the plane in the theoretical order."""
    answers = next(found for found in population(KEEPER, "roles").contexts if found.name == context)
    items = np.array(answers.answers, dtype=float)
    scores = np.array([items[:, answers.instrument.columns(value)].mean(axis=1) for value in VALUES])
    apart = 2 * (1 - np.corrcoef(scores))
    centring = np.eye(10) - 0.1
    strengths, axes = np.linalg.eigh(-0.5 * centring @ apart @ centring)
    plane = axes[:, -2:] * np.sqrt(strengths[-2:])
    theory = np.array([START_POINTS[value] for value in VALUES])
    left, sizes, right = np.linalg.svd(theory.T @ plane)
    placed = plane @ (left @ right).T
    angles = np.degrees(np.angle((placed[:, 0] + 1j * placed[:, 1]) / (theory[:, 0] + 1j * theory[:, 1])))
    assert max(abs(angles)) < 40, dict(zip(VALUES, angles.round(), strict=True))
    assert sizes.sum() / np.sqrt((theory**2).sum() * (plane**2).sum()) > 0.95


@pytest.mark.slow
def test_the_small_edition_tells_them_apart_too():
    played = (population(model, "roles-mini") for model in (KEEPER, DRIFTER, NOISE))
    keeper, drifter, noise = (MeasuredPopulation(each).orders.overall for each in played)
    assert keeper > 0.85
    assert drifter + 0.2 < keeper
    assert noise + 0.1 < drifter
