"""What runs can tell: ``python benchmarks/power_tables.py`` writes the tables of the pages that say so.

``--published`` writes the runs that the package simulates, published_runs.yaml, from benchmarks/published_scores.
``--check`` prints how often pairs of published configurations are detected with some of their five runs, where the
package promises 80 %.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "plugin")]

from engaged_figures import RUNS, published  # noqa: E402

from independence_bench.kinds.edition_files import load_edition  # noqa: E402
from independence_bench.scoring.uncertainty import Sample, difference_interval, index_sample  # noqa: E402
from independence_bench.scoring.uncertainty.difference import POWER  # noqa: E402
from independence_bench.scoring.uncertainty.known_models import published_models  # noqa: E402
from independence_bench.scoring.uncertainty.planning import PlannedModels, comparisons, detectable  # noqa: E402
from independence_bench.session.precision import PowerQuestion, power_answer  # noqa: E402

SCORES = ROOT / "benchmarks" / "published_scores" / "scores.csv"
PACKAGED = ROOT / "plugin" / "independence_bench" / "scoring" / "uncertainty" / "published_runs.yaml"
BANDS = ("mid", "high", "ceiling")
NEAR = 1.0  # points by which a pair of published configurations may differ from the difference that is promised
DRAWS = 4  # of runs, for each such pair

V2 = load_edition("v2")
KNOWN = published_models(V2)
MODELS = {kind: PlannedModels(KNOWN, kind, "run") for kind in KNOWN.kinds}


def fine_tune() -> Iterator[str]:
    """Yield the runs of both sides that detect a drop."""
    for drop in (10, 5, 3):
        question = PowerQuestion(RUNS, POWER, float(drop))
        answers = (power_answer(question, KNOWN, band, "run").needed for band in BANDS)
        yield f"| {drop} points | {' | '.join(map(str, answers))} |"


def detected() -> Iterator[str]:
    """Yield the per cent of differences that are detected, by runs."""
    for runs in (2, 3, 5, 10):
        shares = (
            [100 * comparisons(MODELS[band], difference, runs).power(difference) for band in BANDS]
            for difference in (5.0, 10.0)
        )
        yield f"| {runs} | {' | '.join(', '.join(f'{each:.0f}' for each in kinds) for kinds in shares)} |"


TABLES: Mapping[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "docs/guide/fine-tune.md": ("| allowed drop |", fine_tune),
    "docs/methodology/intervals.md": ("| runs | 5 points |", detected),
}
"""Page → the beginning of its table, and what follows the table's head."""


def written(page: str) -> str:
    """Return a page with its table made again."""
    head, rows = TABLES[page]
    before, found, after = (ROOT / page).read_text("utf-8").partition(f"\n{head}")
    first, rule, *rest = after.split("\n")
    while rest[0].startswith("|"):
        del rest[0]
    return "\n".join([before, found[1:] + first, rule, *rows(), *rest])


def published_runs() -> str:
    """Return the packaged file: the first five runs of each configuration that has so many, lowest Index first."""
    samples = [index_sample(V2, runs[:RUNS]) for runs in published(SCORES, V2).values()]
    lines = [
        "# Written by benchmarks/power_tables.py from benchmarks/published_scores. A model's numbers are per cent of what",
        f"# a scenario is worth in edition v2: {RUNS} runs of the first scenario, then of the next; lowest Index first.",
        f"source: published answers of the predecessor, {len(samples)} configurations × {RUNS} runs",
        "scenarios:",
        *(f"  - {each}" for each in samples[0].scenarios),
        "models:",
    ]
    for sample in sorted(samples, key=lambda each: each.mean):
        shares = np.rint(100 * sample.points / sample.worth[:, None]).astype(int)
        lines.append(f"  - {' '.join(map(str, shares.ravel()))}")
    return "\n".join([*lines, ""])


def found(kind: str, difference: float, runs: int) -> tuple[float, int]:
    """Return the share of published pairs about so far apart that some of their runs tell apart, and their number."""
    chance, known, answers = np.random.default_rng(runs), MODELS[kind].known, []

    def some(sample: Sample) -> Sample:
        return replace(sample, points=sample.points[:, chance.permutation(RUNS)[:runs]])

    for higher in known.kinds[kind]:
        for lower in known.samples:
            if abs(higher.mean - lower.mean - difference) <= NEAR:
                for _ in range(DRAWS):
                    ends = difference_interval(some(higher), some(lower), "run", 0.95)
                    answers.append(ends is not None and ends.low > 0)
    return float(np.mean(answers)), len(answers) // DRAWS


def check() -> Iterator[tuple[str, int, float, float, int]]:
    """Yield kind, runs, the difference detected with 80 %, and the share of published pairs, with their number."""
    for kind in BANDS:
        for runs in (2, 3):
            difference = detectable(MODELS[kind], runs, POWER)
            yield kind, runs, difference, *found(kind, difference, runs)


def main() -> None:
    """Do what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        for kind, runs, difference, share, pairs in check():
            print(f"{kind}, {runs} runs, {difference:.1f} points: {100 * share:.0f} % of {pairs} pairs")
    elif given.published:
        PACKAGED.write_text(published_runs(), encoding="utf-8")
    else:
        for page in TABLES:
            (ROOT / page).write_text(written(page), encoding="utf-8")


if __name__ == "__main__":
    main()
