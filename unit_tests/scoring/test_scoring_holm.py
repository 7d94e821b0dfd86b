"""P-values adjusted for many tests."""

import pytest
from statsmodels.stats.multitest import multipletests

from independence_bench.scoring.holm import holm


@pytest.mark.parametrize("p_values", [[0.01, 0.04, 0.03, 0.5], [0.2], [0.001, 0.001, 0.9, 0.02, 0.04], []])
def test_adjusted_p_values_are_holms(p_values):
    expected = multipletests(p_values, method="holm")[1] if p_values else []
    assert holm(p_values) == pytest.approx(list(expected))
