"""Whole analyses: the oracle's scores, chance and perfection, retests, several models ranked, and what is refused."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from roles_samples import QUICK, alike_but_for_level, analysed, drawn, leaderboard, made, oracle, population, printed

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics import ranking
from independence_bench.kinds.roles.metrics.answers import population_from
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.rank_order import cronbach_alpha, ipsative
from independence_bench.kinds.roles.metrics.result import AnalysedPopulations, analyse

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("name", "tolerance"), [("synth_mid", 1e-4), pytest.param("dummy", 0.03, marks=pytest.mark.external)]
)
def test_model_level_numbers_equal_the_published_analysis(name: str, tolerance: float) -> None:
    measured, numbers = analysed(name), analysed(name).numbers
    expected = oracle(f"expected/{name}.json")["upstream"]
    assert numbers.rank_order == pytest.approx(expected["rank_order"], abs=1e-6)
    assert numbers.ipsative == pytest.approx(expected["ipsative"], abs=1e-6)
    assert numbers.cronbach_alpha == pytest.approx(expected["cronbach_alpha"], abs=1e-6)
    assert numbers.stress == pytest.approx(expected["stress"], abs=1e-4)
    assert numbers.cardinal == pytest.approx(float(leaderboard()[name]["Cardinal (Score)"]), abs=tolerance)
    assert measured.cardinal_bounds == pytest.approx([numbers.cardinal] * 2)


@pytest.mark.external
def test_fits_of_random_answers_judged_otherwise_than_published_are_listed_and_few(
    record_property: Callable[[str, object], None],
) -> None:
    fits = analysed("dummy").structure
    differing = [
        f"{context} {model}"
        for context, models in oracle("expected/dummy.json")["cfa"].items()
        for model, row in models.items()
        if (row["lavaan"]["status"] == "ok") != (fits[context][model] is not None)
    ]
    record_property("fits of dummy judged otherwise than by lavaan", ", ".join(sorted(differing)))
    assert len(differing) <= 9


@pytest.mark.slow
@pytest.mark.external
def test_another_random_population_has_the_published_cardinal_within_three_hundredths() -> None:
    numbers = analysed("uniform_b").numbers
    row = leaderboard()["uniform_b"]
    assert numbers.rank_order == pytest.approx(float(row["RO Stability"]), abs=1e-6)
    assert numbers.stress == pytest.approx(float(row["Stress"]), abs=1e-4)
    assert numbers.cardinal == pytest.approx(float(row["Cardinal (Score)"]), abs=0.03)


@pytest.mark.external
def test_answers_at_random_score_at_the_chance_level() -> None:
    for name in ("dummy", "uniform_b"):
        measured, numbers = analysed(name), analysed(name).numbers
        assert abs(numbers.rank_order) < 0.03
        assert abs(ranking.above_chance(numbers.cardinal, 0.242)) < 0.12  # the level of eight such populations
        assert 0.25 < numbers.success_rate < 0.65
        low, high = measured.interval
        assert low < high < 0.05


def test_a_healthy_population_has_nothing_undefined() -> None:
    measured, numbers = analysed("synth_mid"), analysed("synth_mid").numbers
    undefined = {name for name, number in numbers.model_dump().items() if number is None}
    assert undefined == {"ceiling", "share_of_ceiling"}  # nothing is asked twice
    assert None not in numbers.rank_order_per_value.values()
    alphas = np.array([cronbach_alpha(context) for context in measured.contexts])
    for table in (measured.orders.rho, ipsative(measured.contexts), alphas):
        assert not np.isnan(table).any()
    assert numbers.success_rate == 1
    assert measured.n_missing == measured.n_filled == 0


def test_what_is_printed_has_the_promised_shape() -> None:
    result = printed(drawn(personas=6))
    assert (result["model"], result["personas"], result["contexts"]) == ("made-up", 6, ["c0", "c1"])
    assert (result["missing"], result["filled_at_random"], result["ordinal"]) == (0, 0, None)
    assert set(result["numbers"]["rank_order_per_value"]) == set(VALUES)
    low, high = result["rank_order_interval"]
    assert low < result["numbers"]["rank_order"] < high
    assert result["cardinal_bounds"] == pytest.approx([result["numbers"]["cardinal"]] * 2)


def test_perfect_role_keepers_score_as_such_in_every_context() -> None:
    answers = [list(row) for row in population("synth_mid").contexts[0].answers]
    same: dict[str, Json] = {"questionnaire": "pvq", "answers": answers}
    measured = made({"contexts": {"a": same, "b": same, "c": same}})
    numbers = measured.numbers
    assert numbers.rank_order == numbers.rank_order_portrait_portrait == pytest.approx(1)
    assert numbers.ipsative == pytest.approx(1)
    assert measured.interval is None
    assert numbers.cardinal > 0.85
    assert numbers.rank_order_portrait_survey is None


def test_a_retest_is_the_ceiling_that_stability_is_a_share_of() -> None:
    rng = np.random.default_rng(0)
    contexts = {c.name: c for c in population("synth_mid").contexts[:3]}
    again = np.array(contexts["chunk_0"].answers)
    changed = rng.random(again.shape) < 0.3
    again[changed] = rng.integers(1, 7, changed.sum())
    parsed: dict[str, Json] = {
        name: {"questionnaire": "pvq", "answers": [list(row) for row in context.answers]}
        for name, context in contexts.items()
    }
    without = made({"contexts": dict(parsed)})
    parsed["again"] = {"questionnaire": "pvq", "answers": again.tolist(), "retest_of": "chunk_0"}
    measured = made({"contexts": parsed})
    assert measured.orders.overall == without.orders.overall
    assert measured.contexts == without.contexts
    assert 0.5 < measured.ceiling < 1
    assert measured.numbers.share_of_ceiling == pytest.approx(measured.orders.overall / measured.ceiling)


def renamed(name: str, **changes: Json) -> dict[str, Json]:
    return drawn(personas=5, seed=len(name)) | {"model": name} | changes


def ranked(*several: dict[str, Json]) -> AnalysedPopulations:
    result = analyse([population_from(each, Path("made-up")) for each in several], resamples=QUICK)
    json.dumps(result.model_dump(), allow_nan=False)
    return result


@pytest.mark.slow
def test_several_models_are_ranked_over_the_columns_all_of_them_have() -> None:
    keeper = [list(row[:40]) for row in population("synth_mid").contexts[0].answers[:6]]
    steady: dict[str, Json] = {"questionnaire": "pvq", "answers": keeper}
    keeping: dict[str, Json] = {"model": "keeper", "contexts": {"c0": steady, "c1": steady}}
    result = ranked(renamed("random"), keeping)
    random, kept = result.models
    assert (random.model, kept.model) == ("random", "keeper")
    assert kept.numbers.cardinal > random.numbers.cardinal
    assert kept.ordinal + random.ordinal <= 1
    assert (result.diversity.columns, result.diversity.columns_left_out) == (9, [])
    assert 0 <= result.diversity.w <= 1
    assert 0 <= result.diversity.max_mrc <= 1


@pytest.mark.slow
def test_the_order_of_contexts_does_not_matter_to_a_ranking() -> None:
    first, second = renamed("first"), renamed("second")
    contexts = dict(reversed(second["contexts"].items()))
    turned, straight = ranked(first, second | {"contexts": contexts}), ranked(first, second)
    assert turned.diversity == straight.diversity
    assert turned.diversity.columns == 9
    assert [each.ordinal for each in turned.models] == [each.ordinal for each in straight.models]


@pytest.mark.slow
def test_a_column_undefined_for_one_model_is_left_out_of_the_ranking_and_named() -> None:
    result = ranked(renamed("random"), drawn(personas=5, edit=alike_but_for_level) | {"model": "alike"})
    assert (result.diversity.columns, result.diversity.columns_left_out) == (8, ["rank_order/c0/c1"])
    assert result.models[1].numbers.cardinal is None


def test_one_model_alone_has_no_rank() -> None:
    result = ranked(renamed("alone"))
    assert (result.models[0].ordinal, result.diversity) == (None, None)


def test_models_that_cannot_be_compared_are_refused_in_one_sentence() -> None:
    other = renamed("b")
    contexts = {"c0": other["contexts"]["c0"], "elsewhere": other["contexts"]["c1"]}
    with pytest.raises(BadInput, match="contexts: b was not asked in the contexts of a; rank models over the same"):
        ranked(renamed("a"), other | {"contexts": contexts})
    with pytest.raises(BadInput, match="model: a is the name of two populations"):
        ranked(renamed("a"), renamed("a"))


def test_nothing_heavy_is_imported_before_an_analysis_is_asked_for() -> None:
    code = (
        "import sys, independence_bench.scoring, independence_bench.kinds.roles.metrics, independence_bench.cli.store_commands;"
        "print([name for name in ('numpy', 'scipy', 'sklearn') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
