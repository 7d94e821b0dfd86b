"""What runs can tell: ``python benchmarks/power_tables.py`` writes the tables of the pages that say so.

``--published`` writes what the package simulates, published_runs.yaml, from benchmarks/published_scores. ``--check``
prints how often pairs of published configurations are detected, of which some runs are drawn, beside what is promised.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "plugin")]

from engaged_figures import RUNS, published  # noqa: E402

from independence_bench.kinds.edition_files import load_edition  # noqa: E402
from independence_bench.scoring.uncertainty import index_sample  # noqa: E402
from independence_bench.scoring.uncertainty.known_models import published_models  # noqa: E402

SCORES = ROOT / "benchmarks" / "published_scores" / "scores.csv"
PACKAGED = ROOT / "plugin" / "independence_bench" / "scoring" / "uncertainty" / "published_runs.yaml"


def published_runs() -> str:
    """Return the packaged file: the first five runs of each configuration that has so many, least Index first."""
    edition = load_edition("v2")
    samples = [index_sample(edition, runs[:RUNS]) for runs in published(SCORES, edition).values()]
    lines = [
        "# Written by benchmarks/power_tables.py from benchmarks/published_scores. A model's numbers are per cent of what",
        f"# a scenario is worth in edition v2, {RUNS} runs of the first scenario, then of the next; lowest Index first.",
        f"source: published answers of the predecessor, {len(samples)} configurations × {RUNS} runs",
        "scenarios:",
        *(f"  - {each}" for each in samples[0].scenarios),
        "models:",
    ]
    for sample in sorted(samples, key=lambda each: each.mean):
        shares = np.rint(100 * sample.points / sample.worth[:, None]).astype(int)
        lines.append(f"  - {' '.join(map(str, shares.ravel()))}")
    return "\n".join([*lines, ""])


def main() -> None:
    """Do what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.published:
        PACKAGED.write_text(published_runs(), encoding="utf-8")


if __name__ == "__main__":
    main()
