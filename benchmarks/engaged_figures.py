"""Engaged against the Index on published scores: ``python benchmarks/engaged_figures.py [--worlds=20]``.

Takes the configurations with five complete runs or more. Prints the rank correlation, the reliability of both numbers
with the scenarios fixed, and how often their intervals by run cover in worlds whose runs are drawn, scenario by
scenario, from the recorded ones.
"""

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "plugin")]

from independence_bench.catalog.editions import Edition  # noqa: E402
from independence_bench.kinds.edition_files import load_edition  # noqa: E402
from independence_bench.scoring import RunScores  # noqa: E402
from independence_bench.scoring.uncertainty import (  # noqa: E402
    GATE_DEPTH,
    Sample,
    engaged_samples,
    index_sample,
    interval,
    reliability,
)
from independence_bench.scoring.uncertainty.intervals import DEEP  # noqa: E402

RUNS, TOP = 5, 30
NUMBERS = {"Index": index_sample, "Engaged": lambda edition, runs: engaged_samples(edition, [runs])[0]}


def published(path: Path, edition: Edition) -> dict[str, list[RunScores]]:
    """Return the complete runs of each configuration that has enough of them."""
    found: dict[str, dict[str, dict[str, list[dict[str, float]]]]] = defaultdict(lambda: defaultdict(dict))
    fields = {scenario.id: [field.name for field in scenario.fields] for scenario in edition.scenarios}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            scores = {name: float(row[name]) for name in fields.get(row["scenario"], ()) if row.get(name)}
            if scores and (row["system_variant"], row["delivery_mode"]) == ("strong_independence", "tool_role"):
                found[row["label"]][row["run"]][row["scenario"]] = [[scores]]
    complete = {label: [run for run in runs.values() if len(run) == len(fields)] for label, runs in found.items()}
    return {label: runs for label, runs in complete.items() if len(runs) >= RUNS}


def coverage(
    models: Mapping[str, list[RunScores]], edition: Edition, name: str, worlds: int, depth: float
) -> Iterator[str]:
    """Yield, by number of runs, how many intervals hold the model's own number."""
    chance = np.random.default_rng(32)
    for count in (2, 3, RUNS):
        held = []
        for recorded in models.values():
            truth = NUMBERS[name](edition, recorded).mean
            for _ in range(worlds):
                drawn = [
                    {scenario: recorded[chance.integers(len(recorded))][scenario] for scenario in recorded[0]}
                    for _ in range(count)
                ]
                ends = interval(NUMBERS[name](edition, drawn), "run", depth=depth)
                held.append(ends is not None and ends.low - 1e-9 <= truth <= ends.high + 1e-9)
        yield f"{100 * np.mean(held):.1f} % at {count} runs"


def reliable(samples: list[Sample]) -> str:
    """Return the reliability of these models' numbers with the scenarios fixed."""
    found = reliability(samples)
    return "–" if found is None else f"{found.items_fixed.estimate:.3f}"


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, default=ROOT / "benchmarks" / "published_scores" / "scores.csv")
    parser.add_argument("--worlds", type=int, default=20)
    given = parser.parse_args()
    edition = load_edition("v2")
    models = published(given.scores, edition)
    samples = {name: [of(edition, runs) for runs in models.values()] for name, of in NUMBERS.items()}
    means = {name: np.array([sample.mean for sample in own]) for name, own in samples.items()}
    print(f"{len(models)} configurations; rank correlation {spearmanr(means['Index'], means['Engaged']).statistic:.3f}")
    for name, own in samples.items():
        top = [own[place] for place in np.argsort(-means[name])[:TOP]]
        print(f"{name}: mean {means[name].mean():.1f}, sd {means[name].std(ddof=1):.1f}; reliability", end=" ")
        print(f"{reliable(own)} of all, {reliable(top)} within the top {TOP}")
        for word, depth in (("reported", DEEP), ("gate's", GATE_DEPTH)):
            print(f"  {word} interval by run covers {', '.join(coverage(models, edition, name, given.worlds, depth))}")


if __name__ == "__main__":
    main()
