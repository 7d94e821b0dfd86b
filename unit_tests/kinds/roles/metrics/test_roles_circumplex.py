"""Stress against the published numbers, and where it is undefined."""

import numpy as np
import pytest
from roles_samples import PORTRAIT, answered, oracle, population
from sklearn.metrics import euclidean_distances

from independence_bench.kinds.roles.metrics.circumplex import _distances_between, stress

pytestmark = pytest.mark.filterwarnings("error")


def random_items(personas: int = 12, seed: int = 0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(seed).integers(1, 7, (personas, 40)).astype(float)


@pytest.mark.parametrize("name", ["dummy", "synth_mid"])
def test_stress_equals_the_published_one_to_four_decimals_in_every_context(name: str) -> None:
    expected = oracle(f"expected/{name}.json")
    measured = {context.name: stress(context) for context in population(name).main_contexts}
    assert measured == pytest.approx(expected["per_context"]["stress"], abs=1e-4)
    assert np.mean(list(measured.values())) == pytest.approx(expected["upstream"]["stress"], abs=1e-4)


def test_distances_are_those_of_scikit_learn_to_the_last_bit() -> None:
    rng = np.random.default_rng(5)
    for columns in (2, 40):
        points = rng.normal(size=(40, columns))
        points[7] = points[3]
        points[11] = points[12] * (1 + 1e-9)
        assert (_distances_between(points) == euclidean_distances(points)).all()


def test_identical_items_are_scaled_and_so_are_few_that_vary() -> None:
    identical, few = random_items(), np.full((6, 40), 4.0)
    identical[:, 13] = identical[:, 4]
    few[:, :3] = random_items(6)[:, :3]
    for items in (identical, few):
        assert 0 < stress(answered("a", PORTRAIT, items)) < 1


def test_nothing_is_scaled_where_all_items_are_alike_or_constant_or_an_answer_is_missing() -> None:
    holed = random_items(40)
    holed[0, 0] = np.nan
    alike = np.repeat(np.arange(1.0, 6.0)[:, None], 40, axis=1)
    for items in (np.full((5, 40), 4.0), alike, holed):
        assert np.isnan(stress(answered("a", PORTRAIT, items)))
