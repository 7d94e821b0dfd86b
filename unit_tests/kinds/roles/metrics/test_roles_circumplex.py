"""Both definitions of Stress against the published numbers, isoMDS and scikit-learn, and where they are undefined."""

import numpy as np
import pytest
from roles_samples import PORTRAIT, oracle, population
from sklearn.manifold import smacof
from sklearn.metrics import euclidean_distances

from independence_bench.kinds.roles.metrics.circumplex import (
    _classical,
    _distances_between,
    _settled,
    compatibility_stress,
    corrected_stress,
    value_points,
)
from independence_bench.kinds.roles.metrics.instruments import START_POINTS, VALUES
from independence_bench.kinds.roles.metrics.scores import ContextScores, score, score_items

pytestmark = pytest.mark.filterwarnings("error")


def scored(name: str) -> list[ContextScores]:
    return [score(context) for context in population(name).measured]


def random_items(personas: int = 12, seed: int = 0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(seed).integers(1, 7, (personas, 40)).astype(float)


@pytest.mark.parametrize("name", ["dummy", "synth_mid"])
def test_compatibility_stress_equals_the_published_one_to_four_decimals_in_every_context(name: str) -> None:
    expected = oracle(f"expected/{name}.json")
    found = {context.name: compatibility_stress(context) for context in scored(name)}
    assert found == pytest.approx(expected["per_context"]["stress"], abs=1e-4)
    assert np.mean(list(found.values())) == pytest.approx(expected["upstream"]["stress"], abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dummy", "synth_mid"])
def test_corrected_stress_equals_isomds_up_to_local_minima(name: str) -> None:
    expected = oracle(f"expected/{name}.json")["stress_variants"]
    for context in scored(name):
        found = corrected_stress(context)
        assert found == pytest.approx(expected[context.name]["sklearn_1_9_1_classical_kruskal1"], abs=1e-4)
        assert found == pytest.approx(expected[context.name]["MASS_isoMDS_one_minus_rho"], abs=0.0018)


@pytest.mark.slow
def test_our_scaling_takes_the_same_steps_as_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    for ties in (False, True):
        table = rng.random((12, 12))
        table = np.abs(table + table.T) / 2
        dissimilarity = table.round(1) + 0.1 if ties else table
        np.fill_diagonal(dissimilarity, 0)
        _, theirs = smacof(
            dissimilarity,
            metric=False,
            init=_classical(dissimilarity),
            n_init=1,
            max_iter=3000,
            eps=1e-10,
            normalized_stress=True,
        )
        assert _settled(dissimilarity)[0] == pytest.approx(theirs / np.sqrt(1 + theirs**2), abs=1e-6)


def test_distances_are_those_of_scikit_learn_to_the_last_bit() -> None:
    rng = np.random.default_rng(5)
    for columns in (2, 40):
        points = rng.normal(size=(40, columns))
        points[7] = points[3]
        points[11] = points[12] * (1 + 1e-9)
        assert (_distances_between(points) == euclidean_distances(points)).all()


def test_items_on_a_perfect_circle_have_no_stress() -> None:
    points = np.array([START_POINTS[value] for value in VALUES])
    distances = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    assert _settled(distances)[0] < 1e-3


def test_constant_items_are_left_out_of_the_corrected_stress() -> None:
    items = random_items()
    without = corrected_stress(score_items("a", PORTRAIT, items))
    items[:, [4, 16]] = 3
    items[:, 20] = np.nan
    context = score_items("a", PORTRAIT, items)
    assert 0 < corrected_stress(context) < 1
    assert corrected_stress(context) != pytest.approx(without)


def test_identical_items_are_scaled_by_both_definitions() -> None:
    items = random_items()
    items[:, 13] = items[:, 4]
    context = score_items("a", PORTRAIT, items)
    assert 0 < compatibility_stress(context) < 1
    assert 0 < corrected_stress(context) < 1


def test_nothing_is_scaled_where_all_items_are_alike_or_constant() -> None:
    constant = score_items("a", PORTRAIT, np.full((5, 40), 4.0))
    alike = score_items("a", PORTRAIT, np.repeat(np.arange(1.0, 6.0)[:, None], 40, axis=1))
    for context in (constant, alike):
        assert np.isnan(compatibility_stress(context))
        assert np.isnan(corrected_stress(context))


def test_three_varying_items_are_too_few_for_a_plane() -> None:
    items = np.full((6, 40), 4.0)
    items[:, :3] = random_items(6)[:, :3]
    context = score_items("a", PORTRAIT, items)
    assert np.isnan(corrected_stress(context))
    assert np.isfinite(compatibility_stress(context))


def test_missing_answers_drop_out_pair_by_pair_and_compatibility_asks_for_filled_ones() -> None:
    items = random_items(40)
    whole = corrected_stress(score_items("a", PORTRAIT, items))
    items[0, 0] = items[1, 5] = np.nan
    context = score_items("a", PORTRAIT, items)
    assert corrected_stress(context) == pytest.approx(whole, abs=0.02)
    assert np.isnan(compatibility_stress(context))


def test_two_items_that_no_three_personas_share_leave_the_corrected_stress_undefined() -> None:
    items = random_items(8)
    items[:5, 0] = np.nan
    items[3:, 1] = np.nan
    assert np.isnan(corrected_stress(score_items("a", PORTRAIT, items)))


def test_answers_in_the_shape_of_the_circle_put_every_value_near_its_place() -> None:
    theory = np.array([START_POINTS[value] for value in VALUES])
    rng = np.random.default_rng(0)
    traits = rng.standard_normal((200, 2)) @ theory.T
    items = np.empty((200, 40))
    for column, value in PORTRAIT.used:
        items[:, column] = traits[:, VALUES.index(value)] + 0.3 * rng.standard_normal(200)
    found = value_points(score_items("a", PORTRAIT, items))
    assert found is not None
    assert np.abs(found - theory).max() < 0.6
    assert np.corrcoef(found.ravel(), theory.ravel())[0, 1] > 0.95


def test_a_value_of_which_no_item_varies_has_no_point_and_no_scaling_has_none() -> None:
    rng = np.random.default_rng(1)
    items = rng.integers(1, 7, (20, 40)).astype(float)
    items[:, PORTRAIT.columns("Power")] = 3
    found = value_points(score_items("a", PORTRAIT, items))
    assert found is not None
    assert np.isnan(found).all(axis=1).tolist() == [value == "Power" for value in VALUES]
    assert value_points(score_items("a", PORTRAIT, np.full((20, 40), 3.0))) is None
