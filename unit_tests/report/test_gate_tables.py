"""The figures of gates that the documents print, for fewer models: what passes, what fails, what is reported."""

import numpy as np
import pytest
from gate_tables import DROP, FALL, KINDS, RUNS, Published, example, over_days, passing, side_by_side, watching

pytestmark = pytest.mark.slow

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


def test_side_by_side_a_shift_of_the_day_counts_for_nothing(data):
    stored, now = side_by_side(data, "ordinary", 2 * MODELS, 6, size=1.0).values()

    assert stored > 10 > 5 >= now


def test_a_watched_model_is_rarely_reported_unless_it_falls(data):
    found = watching(data, "ordinary", 10, MODELS, np.random.default_rng(7))

    assert found.unchanged <= 5
    assert found.within_8[10.0] >= 80


def test_the_workflow_action_and_gate_file_that_are_shown_ask_what_is_simulated():
    from pathlib import Path

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
