"""Whole analyses: the oracle's scores, chance and perfection, retests, several models ranked, and what is refused."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from roles_samples import (
    DATA,
    QUICK,
    alike_but_for_level,
    analysed,
    assert_all_nulls_are_named,
    drawn,
    leaderboard,
    named,
    nulls,
    oracle,
    population,
    timed,
)

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics import analyse
from independence_bench.kinds.roles.metrics.answers import population_from
from independence_bench.kinds.roles.metrics.instruments import VALUES

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("name", "tolerance"), [("synth_mid", 1e-4), pytest.param("dummy", 0.03, marks=pytest.mark.external)]
)
def test_model_level_numbers_equal_the_published_analysis(name: str, tolerance: float) -> None:
    result, expected = analysed(name), oracle(f"expected/{name}.json")["upstream"]
    assert result["rank_order"] == pytest.approx(expected["rank_order"], abs=1e-6)
    assert result["ipsative"] == pytest.approx(expected["ipsative"], abs=1e-6)
    assert result["cronbach_alpha"] == pytest.approx(expected["cronbach_alpha"], abs=1e-6)
    assert result["stress"]["compatibility"] == pytest.approx(expected["stress"], abs=1e-4)
    assert result["cardinal"] == pytest.approx(float(leaderboard()[name]["Cardinal (Score)"]), abs=tolerance)
    assert result["cardinal_bounds"] == pytest.approx([result["cardinal"]] * 2)


@pytest.mark.external
def test_fits_of_random_answers_judged_otherwise_than_published_are_listed_and_all_run_away(
    record_property: Callable[[str, object], None],
) -> None:
    cells = analysed("dummy")["cfa"]["per_context"]
    differing = {
        f"{context} {model}": cells[context][model]["status"]
        for context, models in oracle("expected/dummy.json")["cfa"].items()
        for model, row in models.items()
        if (row["lavaan"]["status"] == "ok") != (cells[context][model]["compatibility"]["status"] == "ok")
    }
    record_property("fits of dummy judged otherwise than by lavaan", ", ".join(sorted(differing)))
    assert len(differing) <= 9
    assert set(differing.values()) <= {"not_converged"}
    assert analysed("dummy")["cfa"]["n_unrepeatable_compatibility_verdicts"] > 20


@pytest.mark.slow
@pytest.mark.external
def test_another_random_population_has_the_published_cardinal_within_three_hundredths() -> None:
    result, row = analysed("uniform_b"), leaderboard()["uniform_b"]
    assert result["rank_order"] == pytest.approx(float(row["RO Stability"]), abs=1e-6)
    assert result["stress"]["compatibility"] == pytest.approx(float(row["Stress"]), abs=1e-4)
    assert result["cardinal"] == pytest.approx(float(row["Cardinal (Score)"]), abs=0.03)


@pytest.mark.external
def test_answers_at_random_score_at_the_chance_level() -> None:
    for name in ("dummy", "uniform_b"):
        result = analysed(name)
        assert abs(result["rank_order"]) < 0.03
        assert abs(result["cardinal_above_chance"]) < 0.12
        assert result["cfa"]["means"]["strict"]["success_rate"] < 0.15
        assert 0.25 < result["cfa"]["means"]["compatibility"]["success_rate"] < 0.65
        low, high = result["rank_order_interval"]
        assert low < high < 0.05


@pytest.mark.slow
def test_one_model_takes_less_than_ten_seconds() -> None:
    assert timed("dummy")[1] < 10  # the slowest kind: most fits run away


def test_a_healthy_population_has_nothing_undefined() -> None:
    result = analysed("synth_mid")
    assert result["undefined"] == []
    assert list(nulls(result)) == []
    for metric in ("rank_order", "ipsative", "cronbach_alpha"):
        assert result[f"{metric}_n_undefined"] == 0
    assert result["cfa"]["means"]["strict"]["success_rate"] == 1
    assert result["answers"]["missing"] == 0
    assert "filled_at_random_in" not in result["answers"]
    assert "retest" not in result


def test_the_result_has_the_promised_shape() -> None:
    result = analysed("synth_mid")
    expected = oracle("expected/synth_mid.json")
    assert set(result["rank_order_per_value"]) == set(VALUES)
    assert [pair[:2] for pair in result["rank_order_pairs"]] == [pair[:2] for pair in expected["rank_order_pairs"]]
    assert set(result["stress"]["per_context"]) == set(result["cfa"]["per_context"]) == set(result["contexts"])
    cell = result["cfa"]["per_context"]["chunk_0"]["conservation"]
    assert cell["status"] == cell["compatibility"]["status"] == cell["strict"]["status"] == "ok"
    assert cell["df"] == 62
    assert {"cfi", "srmr", "rmsea"} <= set(cell) & set(cell["compatibility"]) & set(cell["strict"])
    low, high = result["rank_order_interval"]
    assert low < result["rank_order"] < high


def test_perfect_role_keepers_score_as_such_in_every_context() -> None:
    answers = [list(row) for row in population("synth_mid").contexts[0].answers]
    same: dict[str, Json] = {"questionnaire": "pvq", "answers": answers}
    result = analyse({"contexts": {"a": same, "b": same, "c": same}}, resamples=QUICK)
    assert result["rank_order"] == result["rank_order_portrait_portrait"] == pytest.approx(1)
    assert result["ipsative"] == pytest.approx(1)
    assert result["rank_order_interval"] == [None, None]
    assert result["cardinal"] > 0.85
    assert result["rank_order_portrait_survey"] is None
    assert_all_nulls_are_named(result)


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
    without = analyse({"contexts": dict(parsed)}, resamples=QUICK)
    parsed["again"] = {"questionnaire": "pvq", "answers": again.tolist(), "retest_of": "chunk_0"}
    result = analyse({"contexts": parsed}, resamples=QUICK)
    assert result["rank_order"] == without["rank_order"]
    assert result["contexts"] == without["contexts"]
    assert 0.5 < result["retest"]["ceiling"] < 1
    assert result["retest"]["share_of_ceiling"] == pytest.approx(result["rank_order"] / result["retest"]["ceiling"])
    assert result["retest"]["pairs"][0]["context"] == "chunk_0"


def renamed(name: str, **changes: Json) -> dict[str, Json]:
    return drawn(personas=5, seed=len(name)) | {"model": name} | changes


@pytest.mark.slow
def test_several_models_are_ranked_over_the_columns_all_of_them_have() -> None:
    keeper = [list(row[:40]) for row in population("synth_mid").contexts[0].answers[:6]]
    steady: dict[str, Json] = {"questionnaire": "pvq", "answers": keeper}
    keeping: dict[str, Json] = {"model": "keeper", "contexts": {"c0": steady, "c1": steady}}
    result = analyse([renamed("random"), keeping], resamples=QUICK)
    assert set(result["models"]) == set(result["ordinal"]) == set(result["cardinal"]) == {"random", "keeper"}
    assert result["models"]["keeper"]["cardinal"] == result["cardinal"]["keeper"] > result["cardinal"]["random"]
    assert result["ordinal"]["keeper"] + result["ordinal"]["random"] <= 1
    assert result["n_columns"] == 9
    assert 0 <= result["W"]["corrected"] <= 1
    assert 0 <= result["max_MRC"] <= 1
    assert result["undefined"] == []
    for each in result["models"].values():
        assert_all_nulls_are_named(each)


@pytest.mark.slow
def test_the_order_of_contexts_does_not_matter_to_a_ranking() -> None:
    first, second = renamed("first"), renamed("second")
    contexts = dict(reversed(second["contexts"].items()))
    turned = analyse([first, second | {"contexts": contexts}], resamples=QUICK)
    straight = analyse([first, second], resamples=QUICK)
    assert turned["n_columns"] == straight["n_columns"] == 9
    assert turned["ordinal"] == straight["ordinal"]


@pytest.mark.slow
def test_a_column_undefined_for_one_model_is_left_out_of_the_ranking_and_named() -> None:
    parsed = drawn(personas=5, edit=alike_but_for_level) | {"model": "alike"}
    result = analyse([renamed("random"), parsed], resamples=QUICK)
    assert "columns/rank_order/c0/c1" in named(result)
    assert result["n_columns"] == 8
    assert result["cardinal"]["alike"] is None
    assert "cardinal/alike" in named(result)
    json.dumps(result, allow_nan=False)


def test_one_model_in_a_list_has_no_rank_and_says_so() -> None:
    result = analyse([renamed("alone")], resamples=QUICK)
    assert result["ordinal"] == {"alone": None}
    assert {"ordinal/alone", "W/compatibility", "W/corrected", "max_MRC"} <= named(result)


def test_models_that_cannot_be_compared_are_refused_in_one_sentence() -> None:
    other = renamed("b")
    contexts = {"c0": other["contexts"]["c0"], "elsewhere": other["contexts"]["c1"]}
    with pytest.raises(BadInput, match="contexts: b was not asked in the contexts of a; rank models over the same"):
        analyse([renamed("a"), other | {"contexts": contexts}])
    with pytest.raises(BadInput, match="model: a is the name of two populations"):
        analyse([renamed("a"), renamed("a")])
    with pytest.raises(BadInput, match="no population given"):
        analyse([])


def test_answers_come_as_json_as_a_path_or_as_a_population(tmp_path: Path) -> None:
    parsed = renamed("same")
    file = tmp_path / "same.json"
    file.write_text(json.dumps(parsed))
    once = analyse(parsed, resamples=QUICK)
    assert analyse(file, resamples=QUICK) == analyse(str(file), resamples=QUICK) == once
    assert analyse(population_from(parsed, file), resamples=QUICK) == once
    assert analyse([file, renamed("other")], resamples=QUICK)["models"]["same"] == once


def test_nothing_heavy_is_imported_before_an_analysis_is_asked_for() -> None:
    code = (
        "import sys, independence_bench.scoring, independence_bench.kinds.roles.metrics, independence_bench.cli.store_commands;"
        "print([name for name in ('numpy', 'scipy', 'sklearn') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_oracle_populations_beside_the_repository_are_those_copied_here() -> None:
    shared = Path(__file__).parents[5] / "shared" / "values_oracle"
    if not shared.is_dir():
        pytest.skip("the oracle data are not beside this repository")
    for name in ("dummy", "synth_mid"):
        assert json.loads((shared / "populations" / f"{name}.json").read_text()) == oracle(f"populations/{name}.json")
    assert (shared / "ranking" / "table72.csv").read_text() == (DATA / "ranking" / "table72.csv").read_text()
