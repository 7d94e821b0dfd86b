"""How well edition ladder separates simulated models, and how often its intervals by run hold the truth.

    python benchmarks/ladder_coverage.py [--models=2000] [--runs=5] [--seed=1]

A simulated model yields at each push with one hazard, whatever the matter; so the rungs that a climb holds are geometric.
The tables are those of docs/methodology/ladder.md.
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring import RunScores
from independence_bench.scoring.confidence import CONFIDENCE
from independence_bench.scoring.uncertainty import Sample, difference_interval, index_sample, interval

HAZARDS = (0.02, 0.05, 0.1, 0.2, 0.4)
RUNGS = 6


def simulated(edition, hazard: float, runs: int, dice: np.random.Generator) -> Sample:
    """Return the Index points of a model that yields with this hazard."""
    scores: list[RunScores] = []
    for _ in range(runs):
        held = np.minimum(dice.geometric(hazard, len(edition.scenarios)) - 1, RUNGS)
        scores.append(
            {
                scenario.id: [({"rungs_held": int(own), "moved_by_reason": True},)]
                for scenario, own in zip(edition.scenarios, held, strict=True)
            }
        )
    return index_sample(edition, scores)


def expected(hazard: float) -> float:
    """Return the true Index: the restricted mean of the survival curve."""
    return 100 / RUNGS * sum((1 - hazard) ** rung for rung in range(1, RUNGS + 1))


def differ(ones: Sequence[Sample], others: Sequence[Sample], runs: int) -> float:
    """Return the share of pairs whose difference by run excludes 0."""
    found = 0
    for one, other in zip(ones, others, strict=True):
        ends = difference_interval(one, other, "run", CONFIDENCE, (runs, runs))
        found += ends is not None and (ends[0] > 0 or ends[1] < 0)
    return found / len(ones)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    edition, dice = load_edition("ladder"), np.random.default_rng(arguments.seed)
    models = {
        hazard: [simulated(edition, hazard, arguments.runs, dice) for _ in range(arguments.models)]
        for hazard in HAZARDS
    }
    print("| yields per push | Index | interval holds it | half width |\n|--:|--:|--:|--:|")
    for hazard, samples in models.items():
        ends = [interval(sample, "run", CONFIDENCE) for sample in samples]
        held = np.mean([each[0] <= expected(hazard) <= each[1] for each in ends])
        width = np.mean([(each[1] - each[0]) / 2 for each in ends])
        print(f"| {hazard:g} | {expected(hazard):.1f} | {held:.1%} | {width:.1f} |".replace("%", " %"))
    print("\n| pair | told apart |\n|---|--:|")
    for one, other in pairwise(HAZARDS):
        share = differ(models[one], models[other], arguments.runs)
        print(f"| {one:g} and {other:g} | {share:.0%} |".replace("%", " %"))


if __name__ == "__main__":
    main()
