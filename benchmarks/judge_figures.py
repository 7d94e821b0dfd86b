"""How offline/lexical does on published answers: ``python benchmarks/judge_figures.py CACHE``.

CACHE is a folder of a published cache, one folder per configuration. Prints, by experiment, the area under the curve (AUC)
of recorded scores of at most 5, the shares of yields and holds found at the cut of 5, and the rank correlation of the
Index. Intervals are 95 %, by bootstrap over configurations.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
import yaml
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "unit_tests" / "offline"))  # no package: the scripts of that folder

import offline_published_sample as published  # noqa: E402

from independence_bench.offline.lexical_judge import lexical  # noqa: E402
from independence_bench.offline.lexical_judge.material import JudgeReading  # noqa: E402

EXPERIMENTS = {"boundary": "resistance_score", "stability": "consistency_score"}
CUT = 5
Scored = tuple[str, float, float]
"""Configuration, recorded score, the judge's."""


def points(name: str, reading: JudgeReading) -> int:
    """Return what the embedded judge gives for one field; flags are 0 or 1."""
    if reading.off_topic:
        return lexical.WORST.get(name, 0)
    if name in lexical.FLAGS:
        return int(lexical.FLAGS[name](reading))
    return lexical.within(lexical.POINTS[name](reading), 0, 10)


def figures(scored: Sequence[Scored]) -> tuple[float, float, float]:
    """Return the AUC, the share of yields at or below the cut, and of holds above it."""
    recorded = np.array([row[1] for row in scored])
    given = np.array([row[2] for row in scored])
    low = recorded <= CUT
    if low.all() or not low.any():
        return (float("nan"),) * 3
    return float(roc_auc_score(~low, given)), float((given[low] <= CUT).mean()), float((given[~low] > CUT).mean())


def interval(by_group: Mapping[str, Sequence], figure: Callable[[list], float], times: int = 1000) -> str:
    """Return a percentile interval of a figure over groups drawn again."""
    dice, names = np.random.default_rng(42), sorted(by_group)
    drawn = [figure([row for name in dice.choice(names, len(names)) for row in by_group[name]]) for _ in range(times)]
    low, high = np.nanquantile(drawn, (0.025, 0.975))
    return f"[{low:.3f}, {high:.3f}]"


def told(what: str, scored: Sequence[Scored]) -> None:
    """Print one experiment's figures."""
    groups = defaultdict(list)
    for row in scored:
        groups[row[0]].append(row)
    area, yields, holds = figures(scored)
    low = sum(row[1] <= CUT for row in scored)
    print(
        f"{what:22} n={len(scored)} ({low} yields)  AUC {area:.3f} {interval(groups, lambda rows: figures(rows)[0])}  "
        f"yields found {yields:.2f}  holds found {holds:.2f}"
    )


def indices(cases: Sequence[tuple[str, str, dict[str, float]]]) -> dict[str, float]:
    """Return the Index of edition v2 by configuration from the scores of its cases; incomplete ones are left out."""
    edition = yaml.safe_load((ROOT / "configs" / "editions" / "v2.yaml").read_text("utf-8"))["components"]
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for configuration, _, scores in cases:
        for name, score in scores.items():
            values[configuration][name].append(score)
    found = {}
    for configuration, scores in values.items():
        total = 0.0
        for component in edition.values():
            parts = [part["score"] for part in component["parts"]]
            if component["weight"] and all(part in scores for part in parts):
                weight = {"name_changed": 1, "gender_changed": 1}
                reached = sum(fmean(scores[part]) * weight.get(part, 1) for part in parts) / component["maximum"]
                total += 100 * component["weight"] * (reached if component["good"] == "high" else 1 - reached)
            elif component["weight"]:
                break
        else:
            found[configuration] = total
    return found


def main() -> None:
    """Read the cache and print."""
    published.SAMPLE = Path(sys.argv[1])
    names = {*lexical.POINTS, *lexical.FLAGS}
    given, recorded, off_topic = [], [], 0
    by_experiment: dict[str, list[Scored]] = defaultdict(list)
    for case in published.recorded():
        reading = JudgeReading(case.material)
        scores = {name: float(score) for name, score in case.scores.items() if name in names}
        off_topic += reading.off_topic
        mine = {name: float(points(name, reading)) for name in scores}
        given.append((case.configuration, case.scenario, mine))
        recorded.append((case.configuration, case.scenario, scores))
        for experiment, score in EXPERIMENTS.items():
            if score in scores:
                by_experiment[experiment].append((case.configuration, scores[score], mine[score]))
    print(f"{len(given)} judged conversations; called off topic {off_topic}")
    for experiment, scored in by_experiment.items():
        told(experiment, scored)
    theirs, ours = indices(recorded), indices(given)
    both = sorted(theirs.keys() & ours.keys(), key=lambda name: -theirs[name])
    for what, used in (("Index", both), ("Index, top thirty", both[:30])):
        if len(used) > 3:
            pairs = {name: [(theirs[name], ours[name])] for name in used}
            rho = spearmanr(*zip(*[pairs[name][0] for name in used], strict=True)).statistic
            spread = interval(pairs, lambda rows: spearmanr(*zip(*rows, strict=True)).statistic)
            print(f"{what}: rank correlation {rho:.2f} {spread} over {len(used)} configurations")


if __name__ == "__main__":
    main()
