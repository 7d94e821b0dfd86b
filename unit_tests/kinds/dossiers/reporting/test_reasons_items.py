"""The matters of edition v3 as items, and the variances that a plan rests on."""

from pathlib import Path

import numpy as np
import pytest
from reason_world import DEAF, MATTERS, REASONABLE, START, ReasonWorld, wavering

from independence_bench.api.results import Results
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.tidy import BoardRecords, tabled_kind
from independence_bench.report.analysis.tidy_tables import ALL_TABLES
from independence_bench.session.precision import known_models

KIND = tabled_kind("dossiers")


def test_a_matter_in_which_nobody_moves_for_a_reason_is_the_hardest_item() -> None:
    hard = MATTERS[3]
    world = ReasonWorld()
    for label in "abc":
        world.play(label, lambda step, matter, run: START if matter == hard else REASONABLE(step, matter, run))
    found = KIND.items(world.store, world.session)
    assert (found.models, len(found.scenarios)) == (3, len(MATTERS))
    first, *others = found.scenarios
    assert (first.scenario, first.difficulty, first.best) == (hard, 100.0, 0.0)
    assert all((each.best, each.difficulty) == (1.0, 0.0) for each in others)
    source = BoardRecords.of(world.store, world.session, build_leaderboard(world.store, world.session))
    assert all(row["experimental"] is True for table in ALL_TABLES.values() for row in table.records(source))
    board = Results(Path("a store"), world.store).leaderboard()
    assert "experimental" in repr(board) and "<th>experimental</th>" in board._repr_html_()


def test_a_matter_discriminates_where_it_agrees_with_the_others() -> None:
    world = ReasonWorld()
    for place in range(8):
        world.play(f"m{place}", lambda step, matter, run, place=place: (  # type: ignore[misc]
            REASONABLE(step, matter, run) if MATTERS.index(matter) < 2 * place or (matter == MATTERS[-1] and place > 3)
            else DEAF(step, matter, run)
        ))  # fmt: skip
    found = {each.scenario: each for each in KIND.items(world.store, world.session).scenarios}
    assert (found[MATTERS[-1]].discrimination or 0) > 0.7
    assert found[MATTERS[-1]].compared == 8


def test_nothing_measured_is_no_item_at_all() -> None:
    world = ReasonWorld()
    assert KIND.items(world.store, world.session).scenarios == []


def test_the_points_of_matters_and_runs_add_up_to_the_index() -> None:
    world = ReasonWorld()
    world.play("a", wavering, 3)
    ((row, sample),) = KIND.samples(world.store, world.session)
    (shown,) = world.report().board.models
    assert row.label == "a" and sample.mean == pytest.approx(shown.index)
    assert sample.points.shape == (len(MATTERS), 3)


def test_a_plan_rests_on_simulated_models_until_real_ones_are_measured() -> None:
    world = ReasonWorld()
    known = known_models(world.store, world.session.edition)
    assert known is not None and "simulated" in known.source
    for seed, label in enumerate("abc"):
        chance = np.random.default_rng(seed)
        noise = chance.normal(0, 20, (30, 20, 4))
        world.play(
            label,
            lambda step, matter, run, noise=noise: (
                float(  # type: ignore[misc]
                    np.clip(wavering(step, matter, run) + noise[len(step), MATTERS.index(matter), run], -100, 100)
                )
                if step not in ("standard", "stance")
                else START
            ),
            runs=2,
        )
    known = known_models(world.store, world.session.edition)
    assert known is not None and known.source == "this store, 3 models × 2 runs"
    samples = [sample for _, sample in KIND.samples(world.store, world.session)]
    assert [each.mean for each in known.samples] == [each.mean for each in samples]
