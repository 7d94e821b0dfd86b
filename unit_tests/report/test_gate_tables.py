"""The figures of gates that the documents print, for fewer models: what passes, what fails, what is reported."""

from pathlib import Path

import numpy as np
import pytest
from gate_tables import (
    DAY_SD,
    DROP,
    FALL,
    FALLEN_LOOKS,
    FALLS,
    KINDS,
    LOOKS,
    NIGHTS,
    RECIPES,
    RUNS,
    WATCH_DROP,
    Published,
    example,
    false_passes,
    over_days,
    passing,
    recipe,
    watching,
)

pytestmark = pytest.mark.external  # simulations of many models, which change with what decides only

MODELS = 200


@pytest.fixture(scope="module")
def data() -> Published:
    return Published()


def test_a_simulated_model_has_the_index_that_is_said_to_be_true(data):
    chance = np.random.default_rng(1)
    for kind in KINDS:
        model = data.model(kind, chance)
        for each in (model, data.fallen(model, FALL)):
            runs = each.sample(4_000, chance).by_run
            assert abs(runs.mean() - each.truth) < 5 * runs.std() / 4_000**0.5
        assert data.fallen(model, FALL).truth == pytest.approx(model.truth - FALL)


def test_the_example_workflow_decides_ordinary_models(data):
    unchanged = example(data, "ordinary", 0.0, MODELS, np.random.default_rng(2))
    fallen = example(data, "ordinary", FALL, MODELS, np.random.default_rng(3))

    assert unchanged.passed >= 80 and unchanged.failed == 0
    assert fallen.passed <= 1 and fallen.failed >= 50
    assert min(unchanged.decided, fallen.decided) >= 85  # 90, and chance of 60 models


def test_at_the_mark_no_more_pass_than_promised_however_they_are_looked_at(data):
    for kind in KINDS:
        for plan, (at_the_mark,) in passing(data, kind, (0.0,), MODELS, 4).items():
            assert at_the_mark <= 8.5, (kind, plan)  # 5, and 2.3 standard errors


def test_days_that_nobody_has_modelled_pass_too_many_and_clusters_do_not(data):
    found = over_days(data, "ordinary", 2 * MODELS, 5, size=1.0)

    assert found["5 runs on one day"] > 12
    assert found["10 runs on five days, --runs-over-days"] < 0.6 * found["5 runs on one day"]


PAGE = (Path(__file__).parents[2] / "docs/methodology/gates.md").read_text(encoding="utf-8")


def row(first: str) -> list[str]:
    """The other cells of the page's row that begins so."""
    (line,) = (line for line in PAGE.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")[1:]]


@pytest.mark.parametrize("drop", RECIPES)
def test_days_between_the_sides_pass_as_many_models_at_the_mark_as_the_page_says(data, drop):
    printed = np.array([[float(share) for share in cell.split(", ")] for cell in row(recipe(drop))]).T
    for kind, shares in zip(RECIPES[drop], printed, strict=True):
        assert false_passes(data, drop, kind, 2 * MODELS, 6) == pytest.approx(list(shares), abs=6), kind


@pytest.mark.parametrize("how", NIGHTS)
def test_unchanged_models_that_are_watched_are_reported_as_rarely_as_the_page_says(data, how):
    printed = [float(cell) for cell in row(how)]
    found = [watching(data, kind, 0.0, 0.0, how, LOOKS, MODELS // 2, 7)[0] for kind in KINDS]
    assert found == pytest.approx(printed, abs=6)
    assert max(printed) <= 5 or NIGHTS[how][0] > DAY_SD


@pytest.mark.parametrize("fall", FALLS)
def test_watched_models_that_fall_are_found_as_late_as_the_page_says(data, fall):
    for kind, printed in zip(KINDS, row(f"fell by {fall:g}"), strict=True):
        share, median = watching(data, kind, fall, WATCH_DROP, "nights alike", FALLEN_LOOKS, MODELS, 8)
        percent, _, look = printed.partition(", look ")
        assert share == pytest.approx(float(percent), abs=10), kind
        if look and median:
            assert median == pytest.approx(float(look), rel=0.6, abs=2), kind


def test_the_workflow_action_and_gate_file_that_are_shown_ask_what_is_simulated():
    root = Path(__file__).parents[2]
    shown = [
        root / ".github/workflows/action-example.yml",
        root / ".github/workflows/gate-example.yml",
        root / "docs/guide/ci.md",
    ]
    for file in shown:
        assert f"--max-drop={DROP:g}" in file.read_text(encoding="utf-8"), file
    assert f"max_drop: {DROP:g}" in (root / "docs/guide/gate.md").read_text(encoding="utf-8")
    assert f'default: "{RUNS}"' in (root / ".github/actions/gate/action.yml").read_text(encoding="utf-8")
