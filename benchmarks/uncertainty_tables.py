"""Coverage, width, errors and power of the statistics by run: ``python benchmarks/uncertainty_tables.py``.

Prints, for every world, band and number of runs: how often the 95 % interval covers and how wide it is, as a ratio to
that of version 0.1; how often ``compare`` rejects equal models, and finds 5 and 10 points that whole items lose; how often
the interval of a difference covers; and in a field of 40 equal models how many rank intervals reach rank 1. An argument is
the number of draws a band (default 5,000).
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit_tests" / "scoring" / "uncertainty"))

import gate_tables
from uncertainty_worlds import (
    BANDS,
    WORLDS,
    differences,
    draw,
    former_intervals,
    inside,
    intervals,
    lose_items,
    samples,
)

from independence_bench.scoring.uncertainty import rank_intervals

RUNS = (2, 3, 5, 8, 10)
FIELD = 40


def percent(marks):
    """Return how often, in per cent."""
    return f"{100 * np.mean(marks):5.1f}"


def one_model(draws):
    """Print coverage, width and its ratio to the former method's, and the former coverage."""
    print("By run, one model: coverage %, mean width, ratio to version 0.1 (its coverage)")
    for world in WORLDS:
        for band in BANDS:
            cells = []
            for runs in RUNS:
                chance = np.random.default_rng([runs, WORLDS.index(world), len(band)])
                truth, points = draw(chance, world, band, draws, runs)
                now, former = intervals(points), former_intervals(points)
                width, was = (float(np.mean(high - low)) for low, high in (now, former))
                covered = percent(inside(now, truth))
                cells.append(f"{covered} {width:5.1f} {width / was:4.2f} ({percent(inside(former, truth))})")
            print(
                f"  {world:8}{band:8}" + " | ".join(f"R={runs}: {cell}" for runs, cell in zip(RUNS, cells, strict=True))
            )


def two_models(draws):
    """Print type I error, power, and coverage of the difference of two models of one world."""
    print("By run, two models at 95 %: type I %, 5 and 10 points found %; coverage % of differences by world")
    for band in BANDS:
        for runs in RUNS:
            chance = np.random.default_rng([runs, len(band)])
            truth, points = draw(chance, "smooth", band, draws, 2 * runs)
            first, second = points[..., :runs], points[..., runs:]
            wrong = percent(~inside(differences(first, second), 0.0))
            found = [percent(differences(first, lose_items(chance, second, truth, by))[0] > 0) for by in (5, 10)]
            covered = []
            for world in WORLDS:
                one, other = (draw(chance, world, band, draws, runs) for _ in range(2))
                held = inside(differences(one.points, other.points), one.truth - other.truth)
                covered.append(f"{world} {percent(held)}")
            print(f"  {band:8}R={runs:2}: type I {wrong}; 5: {found[0]}; 10: {found[1]}; {', '.join(covered)}")


def two_published(draws):
    """Print type I error and power for two models that vary as published ones do."""
    print("By run, two models with the sd of a run of published ones: type I %, 2, 5 and 10 points found %")
    data = gate_tables.Published()
    for place, band in enumerate(BANDS):
        chance = np.random.default_rng(place)
        models = [data.model(band, chance) for _ in range(draws)]
        truth = np.array([model.truth for model in models])
        points = np.stack([model.sample(2 * max(RUNS), chance).points for model in models])
        spread = points.sum(axis=1).std(axis=-1, ddof=1)
        for runs in RUNS:
            first, second = points[..., :runs], points[..., runs : 2 * runs]
            wrong = percent(~inside(differences(first, second), 0.0))
            found = [percent(differences(first, lose_items(chance, second, truth, by))[0] > 0) for by in (2, 5, 10)]
            print(f"  {band:8}sd {np.sqrt((spread**2).mean()):.1f} R={runs:2}: type I {wrong}; {', '.join(found)}")


def equal_fields(fields):
    """Print how many of 40 equal models' rank intervals reach rank 1, and how often there is one tier."""
    print(f"By run, {FIELD} equal models: rank 1 reached %, fields of one tier %")
    for band in BANDS:
        for runs in (2, 5, 10):
            reached, one_tier = [], []
            for field in range(fields):
                chance = np.random.default_rng([field, runs, len(band)])
                points = draw(chance, "smooth", band, 1, FIELD * runs).points.reshape(15, FIELD, runs)
                found = rank_intervals(samples(np.moveaxis(points, 1, 0)), "run")
                reached += [each.best == 1 for each in found]
                one_tier.append(all(each.tier == 1 for each in found))
            print(f"  {band:8}R={runs:2}: {percent(reached)}, {percent(one_tier)}")


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    one_model(number)
    two_models(number)
    two_published(number)
    equal_fields(max(number // FIELD, 1))
