"""Factor models: the misfit and its gradient, lavaan's numbers, the textbook data, and what is no proper solution."""

import csv
from collections.abc import Callable

import numpy as np
import pytest
from roles_samples import DATA, analysed, oracle, population

from independence_bench.kinds.roles.metrics.descent import descend
from independence_bench.kinds.roles.metrics.factor_fit import (
    FAILED,
    FactorCell,
    factor_structure,
    fit_factors,
    fit_measures,
    means,
    proper_share,
)
from independence_bench.kinds.roles.metrics.factor_model import FactorModel
from independence_bench.kinds.roles.metrics.instruments import HIGHER_ORDER
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.kinds.roles.metrics.scores import score

pytestmark = pytest.mark.filterwarnings("error")


def textbook() -> Array:
    return np.loadtxt(DATA / "hs1939" / "hs1939.csv", delimiter=",", skiprows=1)


def two_factors(personas: int = 200, seed: int = 0, correlation: float = 0.3) -> Array:
    """Seven items that measure two factors well."""
    rng = np.random.default_rng(seed)
    factors = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], personas)
    return factors[:, [0, 0, 0, 0, 1, 1, 1]] + 0.6 * rng.standard_normal((personas, 7))


def test_the_textbook_data_give_the_textbook_fit_to_five_decimals() -> None:
    expected = oracle("hs1939/expected.json")["stdlv"]
    fit = fit_factors(textbook(), (3, 3, 3))
    assert fit.status == "ok"
    assert fit.measures is not None
    assert fit.measures.chi_square == pytest.approx(expected["chisq"], abs=1e-5)
    assert fit.measures.df == expected["df"] == 24
    assert fit.measures.cfi == pytest.approx(expected["cfi"], abs=1e-5)
    assert fit.measures.rmsea == pytest.approx(expected["rmsea"], abs=1e-5)
    assert fit.measures.srmr == pytest.approx(expected["srmr"], abs=1e-5)
    assert fit.accepted_as_published
    assert fit.published == fit.measures


def test_the_textbook_model_has_the_textbook_factor_correlations_and_baseline() -> None:
    expected = oracle("hs1939/expected.json")
    model = FactorModel((3, 3, 3), np.cov(textbook(), rowvar=False, bias=True))
    assert model.n_parameters == expected["stdlv"]["npar"]
    assert 301 * model.baseline_misfit == pytest.approx(expected["stdlv"]["baseline.chisq"], abs=1e-5)
    phi = np.abs(model.factor_correlations(descend(model.half_misfit, model.estimated_start()).point))
    rows = [[row[name] for name in ("visual", "textual", "speed")] for row in expected["cov_lv"]]
    assert phi == pytest.approx(np.array(rows), abs=1e-5)


@pytest.mark.parametrize("sizes", [(4, 3), (3, 3, 3), (5, 4, 4)])
def test_the_gradient_is_the_slope_of_the_misfit(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    model = FactorModel(sizes, np.cov(rng.standard_normal((60, sum(sizes))), rowvar=False, bias=True))
    x = model.plain_start() + 0.1 * rng.standard_normal(model.n_parameters)
    _, gradient = model.half_misfit(x)
    steps = 1e-6 * np.eye(model.n_parameters)
    numeric = [(model.half_misfit(x + step)[0] - model.half_misfit(x - step)[0]) / 2e-6 for step in steps]
    assert gradient == pytest.approx(numeric, abs=1e-7)


def test_the_misfit_is_0_where_the_model_is_true_and_infinite_where_it_implies_no_covariance() -> None:
    model = FactorModel((3, 2), np.eye(5))
    x = np.concatenate(([0.8, 0.7, -0.6, 0.5, 0.4], [0.5, 0.6, 0.7, 0.8, 0.9], [0.3]))
    true = FactorModel((3, 2), model.implied(x))
    value, gradient = true.half_misfit(x)
    assert value == pytest.approx(0, abs=1e-14)
    assert gradient == pytest.approx(np.zeros(11), abs=1e-12)
    x[5] = -3
    assert model.half_misfit(x)[0] == np.inf


def test_the_estimated_start_is_exact_for_covariances_that_a_factor_made() -> None:
    loadings = np.array([0.9, -0.5, 0.7, 0.4, 0.8])
    covariance = np.outer(loadings, loadings) + np.diag(1 - loadings**2)
    assert FactorModel((5,), covariance).estimated_start()[:5] == pytest.approx(loadings)
    assert FactorModel((3,), covariance[:3, :3]).estimated_start()[:3] == pytest.approx(loadings[:3])


def test_the_estimated_start_is_plain_where_no_factor_could_have_made_the_covariances() -> None:
    covariance = np.array([[1, 0.5, 0.5], [0.5, 1, -0.5], [0.5, -0.5, 1]])  # three correlations of product < 0
    assert FactorModel((3,), covariance).estimated_start()[:3] == pytest.approx([0.7, 0.7, 0.7])
    uncorrelated = FactorModel((3, 2), np.eye(5)).estimated_start()
    assert np.isfinite(uncorrelated).all()


def test_no_estimated_loading_is_larger_than_its_items_standard_deviation() -> None:
    covariance = np.array([[1, 0.9, 0.9], [0.9, 1, 0.1], [0.9, 0.1, 1]])
    assert np.abs(FactorModel((3,), covariance).estimated_start()[:3]).max() == 1


@pytest.mark.parametrize(("context", "df"), [("chunk_0", [62, 32, 34, 13]), ("chunk_svs_no_conv", [74, 41, 64, 19])])
def test_models_have_the_published_degrees_of_freedom(context: str, df: list[int]) -> None:
    chosen = [score(each) for each in population("synth_mid").measured if each.name == context]
    cells = factor_structure(chosen)[context]
    assert [cell.observed.measures and cell.observed.measures.df for cell in cells.values()] == df


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rows"), [("synth_mid", 36), ("dummy", 1)])
def test_proper_solutions_equal_lavaan_to_four_decimals(name: str, rows: int) -> None:
    cells = analysed(name).structure
    compared = 0
    for context, models in oracle(f"expected/{name}.json")["cfa"].items():
        for model, row in models.items():
            if row["lavaan"]["status"] == "ok" and row["lavaan"]["min_resid_var"] > 0:
                assert cells[context][model].observed.status == "ok"
                same_as_lavaan(cells[context][model], row["lavaan"])
                compared += 1
    assert compared == rows


@pytest.mark.slow
def test_random_answers_are_accepted_about_as_often_as_by_lavaan_and_differ_only_where_none_is_proper(
    record_property: Callable[[str, object], None],
) -> None:
    cells = analysed("uniform_b").structure
    with (DATA / "expected" / "uniform_b_lavaan.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    differing = []
    accepted = 0
    for row in rows:
        found = cells[row["context"]][row["higher_order"]]
        published = found.completed.accepted_as_published
        accepted += published
        if row["status"] == "ok" and float(row["min_resid_var"]) > 0:
            numbers = row.keys() - {"context", "higher_order", "status"}
            same_as_lavaan(found, {name: float(row[name]) for name in numbers})
        if published != (row["status"] == "ok"):
            differing.append(f"{row['context']} {row['higher_order']}")
            assert found.observed.status in ("not_converged", "negative_residual_variance")
    record_property("fits of uniform_b judged otherwise than by lavaan", ", ".join(differing))
    assert abs(accepted - sum(row["status"] == "ok" for row in rows)) <= 3
    assert len(differing) <= 9


def same_as_lavaan(found: FactorCell, row: dict[str, float]) -> None:
    measures = found.observed.measures
    assert measures is not None
    assert measures.chi_square == pytest.approx(row["chisq"], abs=1e-4)
    assert measures.cfi == pytest.approx(row["cfi"], abs=1e-4)
    assert measures.srmr == pytest.approx(row["srmr"], abs=1e-4)
    assert measures.rmsea == pytest.approx(row["rmsea"], abs=1e-4)
    assert measures.smallest_residual_variance == pytest.approx(row["min_resid_var"], abs=1e-3)


def test_a_constant_item_has_no_solution() -> None:
    items = two_factors()
    items[:, 2] = 4
    fit = fit_factors(items, (4, 3))
    assert (fit.status, fit.measures) == ("zero_variance", None)
    assert not fit.accepted_as_published
    assert fit.published == FAILED


def test_identical_items_and_too_few_personas_have_no_solution() -> None:
    items = two_factors()
    items[:, 2] = items[:, 3]
    assert fit_factors(items, (4, 3)).status == "singular_covariance"
    assert fit_factors(two_factors(personas=7), (4, 3)).status == "singular_covariance"
    assert fit_factors(two_factors()[:1], (4, 3)).status in ("singular_covariance", "zero_variance")
    assert fit_factors(two_factors()[:0], (4, 3)).status == "singular_covariance"


def test_a_factor_of_one_item_or_a_model_without_degrees_of_freedom_is_not_identified() -> None:
    items = two_factors()
    assert fit_factors(items[:, :5], (4, 1)).status == "not_identified"
    assert fit_factors(items[:, :3], (3,)).status == "not_identified"
    assert fit_factors(items[:, :2], (2,)).status == "not_identified"


def test_missing_answers_drop_their_persona() -> None:
    items = two_factors()
    holed = np.vstack((items, np.full((3, 7), np.nan)))
    holed[-1, :3] = 0.5
    whole = fit_factors(items, (4, 3))
    assert fit_factors(holed, (4, 3)).measures == whole.measures


def test_a_solution_with_negative_residual_variance_is_improper_but_counts_as_published() -> None:
    covariance = np.eye(7)
    covariance[0, 1:4] = covariance[1:4, 0] = 0.6  # the first item shares more with its mates than it has
    covariance[1:4, 1:4] += 0.32 * (1 - np.eye(3))
    covariance[4:, 4:] += 0.5 * (1 - np.eye(3))
    covariance[:4, 4:] = covariance[4:, :4] = 0.1
    fit = fit_factors(with_covariance(covariance), (4, 3))
    assert fit.status == "negative_residual_variance"
    assert fit.measures.smallest_residual_variance < 0
    assert fit.accepted_as_published
    assert fit.published == fit.measures


@pytest.mark.parametrize("sign", [1, -1])
def test_factors_correlated_beyond_1_are_improper_and_published_only_when_negative(sign: int) -> None:
    covariance = np.eye(7)
    covariance[:4, :4] += 0.3 * (1 - np.eye(4))
    covariance[4:, 4:] += 0.3 * (1 - np.eye(3))
    covariance[:4, 4:] = covariance[4:, :4] = 0.36 * sign
    fit = fit_factors(with_covariance(covariance), (4, 3))
    assert fit.status == "latent_correlation_beyond_1"
    assert fit.measures.largest_latent_correlation == pytest.approx(1.2, abs=1e-4)
    assert fit.accepted_as_published == (sign < 0)


def with_covariance(covariance: Array, personas: int = 100) -> Array:
    """Rows whose covariance (divisor N) is exactly this."""
    rows = np.random.default_rng(0).standard_normal((personas, len(covariance)))
    rows -= rows.mean(axis=0)
    whitened = rows @ np.linalg.inv(np.linalg.cholesky(np.cov(rows, rowvar=False, bias=True))).T
    coloured: Array = whitened @ np.linalg.cholesky(covariance).T
    return coloured


def test_a_perfect_fit_has_cfi_1_and_no_residuals() -> None:
    model = FactorModel((3, 2), np.eye(5))
    x = np.concatenate(([0.8, 0.7, 0.6, 0.5, 0.4], [0.5, 0.6, 0.7, 0.8, 0.9], [0.3]))
    measures = fit_measures(FactorModel((3, 2), model.implied(x)), x, 50)
    assert (measures.cfi, measures.rmsea) == (1.0, 0.0)
    assert measures.srmr == pytest.approx(0, abs=1e-12)


def test_where_not_even_the_baseline_misfits_cfi_is_1() -> None:
    model = FactorModel((3, 2), np.eye(5))
    x = np.concatenate((np.full(5, 1e-3), np.ones(5), [0.0]))
    assert fit_measures(model, x, 10).cfi == 1.0


def test_means_count_failures_as_published_and_show_the_success_rate() -> None:
    good, bad = fit_factors(two_factors(), (4, 3)), fit_factors(np.ones((9, 7)), (4, 3))
    assert good.measures is not None
    cells = [FactorCell(good, good), FactorCell(bad, bad)]
    counted = means(cells)
    assert counted.success_rate == 0.5
    assert counted.cfi == pytest.approx(good.measures.cfi / 2)
    assert counted.srmr == pytest.approx((good.measures.srmr + 1) / 2)
    assert counted.rmsea == pytest.approx((good.measures.rmsea + 1) / 2)
    assert proper_share(cells) == 0.5


def test_every_higher_order_value_has_a_model_in_every_context() -> None:
    contexts = [score(context) for context in population("synth_mid").measured[:2]]
    structure = factor_structure(contexts)
    assert list(structure) == ["chunk_0", "chunk_1"]
    assert list(structure["chunk_0"]) == list(HIGHER_ORDER)
